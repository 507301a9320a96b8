package calibrate

import "math"

func matrix(n, p int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, p)
	}
	return rows
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// nonNegative gives the b >= 0 that minimises sum of weight * (target - row * b)^2. With the few columns there are here every set of
// columns that may be above 0 can be tried.
func nonNegative(rows [][]float64, target, weights []float64) []float64 {
	p := len(rows[0])
	best, least := make([]float64, p), math.Inf(1)
	for set := 1<<p - 1; set > 0; set-- {
		b, ok := solve(rows, target, weights, set)
		if !ok {
			continue
		}
		rest := 0.0
		for i, row := range rows {
			d := target[i] - dot(row, b)
			rest += float64(weights[i] * d * d)
		}
		if rest < least {
			best, least = b, rest
		}
		if set == 1<<p-1 {
			break // nothing can be better than the minimum over all b
		}
	}
	return best
}

// solve gives the b that minimises the same sum with 0 for the columns outside the set. It is not ok if one falls below 0 or columns depend
// on each other.
func solve(rows [][]float64, target, weights []float64, set int) ([]float64, bool) {
	columns := columnsOf(set, len(rows[0]))
	a, c := normal(rows, weights, columns), make([]float64, len(columns))
	for i, row := range rows {
		for k, j := range columns {
			c[k] += float64(weights[i] * row[j] * target[i])
		}
	}
	if !cholesky(a) {
		return nil, false
	}
	substitute(a, c)
	b := make([]float64, len(rows[0]))
	for k, j := range columns {
		if b[j] = c[k]; c[k] < 0 {
			return nil, false
		}
	}
	return b, true
}

func columnsOf(set, p int) (columns []int) {
	for j := range p {
		if set>>j&1 == 1 {
			columns = append(columns, j)
		}
	}
	return columns
}

// normal gives the matrix of the normal equations; nil weights are all 1.
func normal(rows [][]float64, weights []float64, columns []int) [][]float64 {
	a := matrix(len(columns), len(columns))
	for i, row := range rows {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		for k, j := range columns {
			for l, m := range columns {
				a[k][l] += float64(w * row[j] * row[m])
			}
		}
	}
	return a
}

// cholesky turns a symmetric matrix into its lower triangular root, in place. It fails for one that is not positive definite.
func cholesky(a [][]float64) bool {
	for i := range a {
		for j := range i + 1 {
			rest := a[i][j] - dot(a[i][:j], a[j][:j])
			switch {
			case i != j:
				a[i][j] = rest / a[j][j]
			case rest <= 1e-14*a[i][i]:
				return false
			default:
				a[i][i] = math.Sqrt(rest)
			}
		}
	}
	return true
}

// substitute solves L L' x = c for the root L; c becomes x.
func substitute(root [][]float64, c []float64) {
	for i := range c {
		c[i] = (c[i] - dot(root[i][:i], c[:i])) / root[i][i]
	}
	for i := len(c) - 1; i >= 0; i-- {
		for j := i + 1; j < len(c); j++ {
			c[i] -= float64(root[j][i] * c[j])
		}
		c[i] /= root[i][i]
	}
}

// inverseDiagonal gives the diagonal of the inverse of the rows' normal matrix: infinite if there is none.
func inverseDiagonal(rows [][]float64) []float64 {
	p := len(rows[0])
	a := normal(rows, nil, columnsOf(1<<p-1, p))
	diagonal := make([]float64, p)
	regular := cholesky(a)
	for j := range diagonal {
		if diagonal[j] = math.Inf(1); regular {
			unit := make([]float64, p)
			unit[j] = 1
			substitute(a, unit)
			diagonal[j] = unit[j]
		}
	}
	return diagonal
}

// dependent tells which columns are sums of multiples of the others, so that no data of this shape can tell their costs apart.
func dependent(rows [][]float64) (columns []int) {
	p := len(rows[0])
	for j := range p {
		var base [][]float64
		for k := range p {
			if k != j {
				if v, left := orthogonal(column(rows, k), base); left > 1e-6 {
					base = append(base, v)
				}
			}
		}
		if _, left := orthogonal(column(rows, j), base); left <= 1e-6 {
			columns = append(columns, j)
		}
	}
	return columns
}

func column(rows [][]float64, j int) []float64 {
	v := make([]float64, len(rows))
	for i, row := range rows {
		v[i] = row[j]
	}
	return v
}

// orthogonal gives the part of v that no vector of the orthonormal base explains, with length 1, and how much of v's length it is.
func orthogonal(v []float64, base [][]float64) (unit []float64, left float64) {
	before := math.Sqrt(dot(v, v))
	for range 2 { // once more, for what rounding left
		for _, b := range base {
			along := dot(v, b)
			for i := range v {
				v[i] -= float64(along * b[i])
			}
		}
	}
	after := math.Sqrt(dot(v, v))
	if before == 0 || after == 0 {
		return v, 0
	}
	for i := range v {
		v[i] /= after
	}
	return v, after / before
}
