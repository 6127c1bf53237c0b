package preimage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
)

// Gradient stores the gradient of k(z, x) in z.
type Gradient func(dst, z, x []float64)

// Descent minimises the residual of any kernel on vectors that is differentiable in them,
// by steepest descent with steps of Barzilai and Borwein (IMA J. Numer. Anal. 8, 1988)
// that are halved until they decrease it enough (Armijo). It finds a stationary point
// near its start: the given point or, without any, the training point with the nearest
// image.
type Descent struct {
	// Gradient of the kernel; nil takes central differences, 2d evaluations instead of one
	// gradient.
	Gradient   Gradient
	Iterations int // 0 means 500
	// Tolerance ends the descent where the gradient times the spread of the training
	// points is that part of k(z,z) + ‖Ψ‖²; 0 means 1e-8, and 1e-6 with differences.
	Tolerance float64
}

// PreImages implements [Method].
func (d Descent) PreImages(ctx context.Context, t *Targets[[]float64], near data.Set[[]float64]) ([]PreImage[[]float64], error) {
	if err := t.startsFit(near); err != nil {
		return nil, err
	}
	if d.Iterations <= 0 {
		d.Iterations = 500
	}
	if d.Tolerance <= 0 {
		d.Tolerance = 1e-8
		if d.Gradient == nil {
			d.Tolerance = 1e-6
		}
	}
	scale := spread(t)
	answers := make([]PreImage[[]float64], t.Len())
	told := t.told(int64(t.Len()))
	err := parallel.Each(ctx, t.compute.WorkerCount(), t.Len(), func(_, j int) {
		start := []float64(nil)
		if near != nil {
			start = near.At(j)
		} else {
			rows, _ := t.nearest(j, 1)
			start = t.points.At(rows[0])
		}
		s := &objective{t: t, j: j, gradient: d.Gradient, scale: scale, part: make([]float64, len(start))}
		answers[j] = d.run(ctx, s, slices.Clone(start))
		told.Add(1)
	})
	if err != nil {
		return nil, err
	}
	return t.withResiduals(ctx, answers)
}

func (d Descent) run(ctx context.Context, s *objective, z []float64) PreImage[[]float64] {
	a := PreImage[[]float64]{Point: z, Index: -1}
	dim := len(z)
	g, next, gNext := make([]float64, dim), make([]float64, dim), make([]float64, dim)
	value := s.value(z)
	s.at(g, z)
	step := 0.1 * s.scale / math.Max(floats.Norm(g, 2), math.SmallestNonzeroFloat64)
	for a.Iterations < d.Iterations && ctx.Err() == nil {
		length2 := floats.Dot(g, g)
		size := math.Abs(s.t.kernel.Eval(z, z)) + math.Abs(s.t.norm2[s.j])
		if math.Sqrt(length2)*s.scale <= d.Tolerance*size {
			a.Converged = true
			return a
		}
		a.Iterations++
		decreased := false
		for range 60 {
			floats.AddScaledTo(next, z, -step, g)
			if v := s.value(next); v <= value-1e-4*step*length2 {
				value, decreased = v, true
				break
			}
			step /= 2
		}
		if !decreased {
			a.Note = "no step decreases the residual beyond rounding"
			return a
		}
		s.at(gNext, next)
		move, bend := 0.0, 0.0
		for i := range z {
			move += (next[i] - z[i]) * (next[i] - z[i])
			bend += (next[i] - z[i]) * (gNext[i] - g[i])
		}
		copy(z, next)
		g, gNext = gNext, g
		if step *= 2; bend > 0 {
			step = move / bend
		}
	}
	a.Note = fmt.Sprintf("the descent did not converge in %d steps", a.Iterations)
	return a
}

// objective is the objective k(z, z) − 2Ψ_j(z) and its gradient.
type objective struct {
	t        *Targets[[]float64]
	j        int
	gradient Gradient
	scale    float64
	part     []float64
}

func (s *objective) value(z []float64) float64 {
	v := s.t.kernel.Eval(z, z)
	for i, c := range s.t.coef.RawRowView(s.j) {
		v -= 2 * c * s.t.kernel.Eval(z, s.t.points.At(i))
	}
	return v
}

// at stores the gradient in dst. By symmetry that of k(z, z) is 2∇₁k at (z, z).
func (s *objective) at(dst, z []float64) {
	if s.gradient == nil {
		s.differences(dst, z)
		return
	}
	s.gradient(dst, z, z)
	floats.Scale(2, dst)
	for i, c := range s.t.coef.RawRowView(s.j) {
		s.gradient(s.part, z, s.t.points.At(i))
		floats.AddScaled(dst, -2*c, s.part)
	}
}

func (s *objective) differences(dst, z []float64) {
	h := math.Cbrt(0x1p-52) * s.scale
	for i, old := range z {
		z[i] = old + h
		up := s.value(z)
		z[i] = old - h
		dst[i] = (up - s.value(z)) / (2 * h)
		z[i] = old
	}
}
