package sim

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/cockroachdb/datadriven"
)

// show prints values of all outcomes, one a line, to three digits.
func (s *scenario) show(input string) (string, error) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\t\n", strings.Join(s.order, "\t"))
	for _, name := range lines(input) {
		fmt.Fprintf(w, "%s\t", name)
		for _, o := range s.order {
			v, err := s.outcomes[o].value(strings.Split(name, "."))
			if err != nil {
				return "", fmt.Errorf("%s.%s: %w", o, name, err)
			}
			fmt.Fprintf(w, "%s\t", digits(v))
		}
		fmt.Fprintln(w)
	}
	err := w.Flush()
	return b.String(), err
}

// digits writes a number to three digits; a dash stands for a value of nothing.
func digits(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	if a := math.Abs(v); a >= 1 && a < 1e15 {
		unit := math.Pow(10, math.Floor(math.Log10(a))-2)
		if unit < 1 {
			return strconv.FormatFloat(v, 'g', 3, 64)
		}
		return strconv.FormatFloat(math.Round(v/unit)*unit, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// holds answers each line's assertion. A no fails the test.
func (s *scenario) holds(t *testing.T, d *datadriven.TestData) (string, error) {
	t.Helper()
	var b strings.Builder
	for _, line := range lines(d.Input) {
		e, err := parser.ParseExpr(line)
		if err != nil {
			return "", fmt.Errorf("%q: %w", line, err)
		}
		v, err := s.eval(e)
		if err != nil {
			return "", fmt.Errorf("%q: %w", line, err)
		}
		answer := "yes"
		if v != 1 {
			answer = "no"
			t.Errorf("%s: %s does not hold", d.Pos, line)
		}
		fmt.Fprintln(&b, answer)
	}
	return b.String(), nil
}

func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}

// eval computes an expression; truth is 1, and nothing is true of the value of nothing.
func (s *scenario) eval(e ast.Expr) (float64, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return strconv.ParseFloat(e.Value, 64)
	case *ast.ParenExpr:
		return s.eval(e.X)
	case *ast.SelectorExpr:
		words, err := path(e)
		if err != nil {
			return 0, err
		}
		o, ok := s.outcomes[words[0]]
		if !ok {
			return 0, fmt.Errorf("no outcome is called %q", words[0])
		}
		return o.value(words[1:])
	case *ast.BinaryExpr:
		x, err := s.eval(e.X)
		if err != nil {
			return 0, err
		}
		y, err := s.eval(e.Y)
		if err != nil {
			return 0, err
		}
		return apply(e.Op, x, y)
	}
	return 0, fmt.Errorf("%T is no part of an assertion", e)
}

// path gives the words of a name.
func path(e ast.Expr) ([]string, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return []string{e.Name}, nil
	case *ast.SelectorExpr:
		words, err := path(e.X)
		return append(words, e.Sel.Name), err
	}
	return nil, fmt.Errorf("%T is no part of a name", e)
}

func apply(op token.Token, x, y float64) (float64, error) {
	truth := func(b bool) (float64, error) {
		if b {
			return 1, nil
		}
		return 0, nil
	}
	switch op {
	case token.ADD:
		return x + y, nil
	case token.SUB:
		return x - y, nil
	case token.MUL:
		return x * y, nil
	case token.QUO:
		return x / y, nil
	case token.LSS:
		return truth(x < y)
	case token.LEQ:
		return truth(x <= y)
	case token.GTR:
		return truth(x > y)
	case token.GEQ:
		return truth(x >= y)
	case token.EQL:
		return truth(x == y)
	case token.LAND:
		return truth(x == 1 && y == 1)
	}
	return 0, fmt.Errorf("%v is no operator of assertions", op)
}
