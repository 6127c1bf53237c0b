package kerneltest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel"
)

// definiteness checks what follows from a claimed proof: the Cauchy–Schwarz inequality
// and eigenvalues that are not negative beyond rounding. Points may repeat.
func (s *suite[T]) definiteness(check string, xs []T) {
	if kernel.Derive(s.k).Verdict != kernel.Definite {
		return
	}
	n := len(xs)
	p := kernel.Bind(s.k, s.set(xs), s.set(xs))
	gram := kernel.NewTile(n, n)
	p.Tile(gram, 0, 0)
	trace := 0.0
	for i := range n {
		trace += gram.Row(i)[i]
	}
	for i := range n {
		for j := range i {
			v, limit := gram.Row(i)[j], math.Sqrt(gram.Row(i)[i])*math.Sqrt(gram.Row(j)[j])
			if !(math.Abs(v) <= limit*(1+s.o.Bound)) {
				s.errorf(check, "|k(x%d, x%d)| = %.17g exceeds √(k(x, x)·k(y, y)) = %.17g (Cauchy–Schwarz), although the derivation claims positive definiteness", i, j, math.Abs(v), limit)
				return
			}
		}
	}
	if trace == 0 {
		return // by Cauchy–Schwarz the matrix is 0
	}
	// Of the matrix with trace 1, which no solver needs to scale: entries within the
	// bound of the true ones move an eigenvalue by at most the bound (Weyl), and the
	// solver by a few n·ε.
	for i, v := range gram.Data {
		gram.Data[i] = v / trace
	}
	tolerance := s.o.Bound + 10*float64(n)*0x1p-52
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(n, gram.Data), false) {
		s.errorf(check, "the eigenvalues of the Gram matrix do not converge")
		return
	}
	if least := eigen.Values(nil)[0]; !(least >= -tolerance) {
		s.errorf(check, "the smallest eigenvalue of %d points is %.3g of the trace, below −%.3g, although the derivation claims positive definiteness", n, least, tolerance)
	}
}

// derivation requires a reason at every step of the argument, and a card with a name
// and a formula where there is one.
func (s *suite[T]) derivation() {
	d := kernel.Derive(s.k)
	if d.Kernel != s.k.String() {
		s.errorf("derivation", "it argues about %q", d.Kernel)
	}
	s.reasons(d)
	if card, ok := s.k.(kernel.Describer); ok {
		if c := card.Reference(); c.Name == "" || c.Title == "" || c.Formula == "" || c.Domain == "" {
			s.errorf("card", "name %q, title %q, formula %q, domain %q: none may be empty", c.Name, c.Title, c.Formula, c.Domain)
		}
	}
}

func (s *suite[T]) reasons(d kernel.Derivation) {
	if d.Reason == "" {
		s.errorf("derivation", "%s is %s without a reason", d.Kernel, d.Verdict)
	}
	for _, part := range d.From {
		s.reasons(part)
	}
}
