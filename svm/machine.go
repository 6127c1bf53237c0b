package svm

import "math"

// machine is one problem on its way.
type machine struct {
	positive, negative int
	rows               []int // of the whole set
	p                  *program
	beta, f            []float64 // f = Kβ at the rows, as well as it is known
	longest            float64   // √max k(x, x)
	steps              int
	violation          float64 // by the exact gradient
	converged          bool
}

// newMachine starts from the feasible point of its program.
func newMachine(positive, negative int, rows []int, p *program, diag []float64) *machine {
	m := &machine{positive: positive, negative: negative, rows: rows, p: p, beta: append([]float64(nil), p.start...), f: make([]float64, p.rows)}
	for _, row := range rows {
		m.longest = max(m.longest, math.Sqrt(max(0, diag[row])))
	}
	return m
}
