package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The engine must give the same run everywhere: it may not know the wall clock, the machine or another source of
// randomness, run anything beside itself, or hold a map, whose order differs from run to run.
func TestPurity(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no source files: %v", err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range file.Imports {
			if path := imp.Path.Value; path != `"math"` && path != `"math/bits"` {
				t.Errorf("%s: imports %s", name, path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.GoStmt, *ast.MapType, *ast.ChanType, *ast.SelectStmt, *ast.InterfaceType:
				t.Errorf("%s: %T", fset.Position(n.Pos()), n)
			}
			return true
		})
	}
}
