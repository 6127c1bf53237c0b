package kerneltest

import (
	"context"
	"math"

	"example.org/mercer/kernel"
)

// stored compares a kernel that keeps statistics of its points for others with one
// that was bound afresh: for the kernel itself, and with parameters 2% larger.
func (s *suite[T]) stored() {
	xs := s.set(s.xs)
	n := xs.Len()
	reusable, err := kernel.BindReusable(context.Background(), s.k, xs, 0, nil)
	if err != nil {
		s.errorf("stored statistics", "BindReusable: %v", err)
		return
	}
	kernels := []kernel.Kernel[T]{s.k}
	if t, ok := s.k.(kernel.Tunable[T]); ok {
		moved := t.Parameters()
		values := make([]float64, len(moved))
		for i, p := range moved {
			values[i] = p.Value * (1 + 0x1p-6)
		}
		if k, err := t.With(values); err == nil { // an error has been reported above
			kernels = append(kernels, k)
		}
	}
	for _, k := range kernels {
		p, _ := reusable.Reuse(k)
		got, want := kernel.NewTile(n, n), kernel.NewTile(n, n)
		p.Tile(got, 0, 0)
		kernel.Bind(k, xs, xs).Tile(want, 0, 0)
		for i, v := range got.Data {
			if !same(v, want.Data[i]) {
				s.errorf("stored statistics", "row %d, column %d of %s is %.17g from what was stored, and %.17g bound afresh", i/n, i%n, k, v, want.Data[i])
				return
			}
		}
	}
}

// contraction compares Contract with the sum of gradients pair by pair, and the bits
// for one worker with those for three.
func (s *suite[T]) contraction() {
	k, ok := kernel.Gradient(s.k)
	if !ok || len(k.Parameters()) == 0 {
		return
	}
	xs, n := s.set(s.xs), len(s.xs)
	m := kernel.NewTile(n, n)
	for i := range m.Data {
		m.Data[i] = math.Cos(float64(1 + i)) // any matrix with both signs; the upper triangle counts
	}
	slow, err := kernel.ContractPointwise(context.Background(), k, xs, m, 1)
	if err != nil {
		s.errorf("contraction", "pair by pair: %v", err)
		return
	}
	one, err := kernel.Contract(context.Background(), k, xs, m, 1)
	if err != nil {
		s.errorf("contraction", "%v", err)
		return
	}
	three, err := kernel.Contract(context.Background(), k, xs, m, 3)
	if err != nil {
		s.errorf("contraction", "with three workers: %v", err)
		return
	}
	scale := s.contractionScale(k, m)
	for j, p := range k.Parameters() {
		if !s.close(one[j], slow[j], scale[j]) {
			s.errorf("contraction", "in %s it is %.17g, pair by pair %.17g", p.Name, one[j], slow[j])
		}
		if !same(one[j], three[j]) {
			s.errorf("contraction", "in %s it is %.17g with one worker and %.17g with three", p.Name, one[j], three[j])
		}
	}
}

// contractionScale is what errors of a contraction are measured by: the sum of the
// absolute values of its terms, none smaller than an error of k(x, y) would make it.
func (s *suite[T]) contractionScale(k kernel.Differentiable[T], m kernel.Tile) []float64 {
	scale := make([]float64, len(k.Parameters()))
	grad := make([]float64, len(scale))
	for i, x := range s.xs {
		for j := i; j < len(s.xs); j++ {
			k.EvalGrad(grad, x, s.xs[j])
			for p, g := range grad {
				scale[p] += 2 * math.Abs(m.Row(i)[j]) * math.Max(math.Abs(g), s.scale(x, s.xs[j]))
			}
		}
	}
	return scale
}
