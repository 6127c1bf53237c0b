package design_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
)

// designOf presents a matrix as features that are made anew.
func designOf(phi *mat.Dense) design.Matrix {
	n, dim := phi.Dims()
	return design.Matrix{Rows: n, Dim: dim, Fill: func(_ context.Context, dst *mat.Dense, from int) error {
		rows, _ := dst.Dims()
		dst.Copy(phi.Slice(from, from+rows, 0, dim))
		return nil
	}}
}

// readers returns readers of Φ, centred and turned where asked for: one that makes blocks, and
// those that hold them before or after.
func readers(t *testing.T, d design.Matrix, weights []float64, centre bool, axes *mat.Dense) map[string]*design.Blocks {
	t.Helper()
	out := map[string]*design.Blocks{}
	for _, name := range []string{"made", "held first", "held last"} {
		r := d.Blocks()
		var problems []error
		if name == "held first" {
			problems = append(problems, r.Hold(t.Context()))
		}
		if centre {
			problems = append(problems, r.Centre(t.Context(), weights, compute.Options{}))
		}
		if axes != nil {
			problems = append(problems, r.Turn(t.Context(), axes, compute.Options{}))
		}
		if name == "held last" {
			problems = append(problems, r.Hold(t.Context()))
		}
		if err := errors.Join(problems...); err != nil {
			t.Fatal(err)
		}
		out[name] = r
	}
	return out
}

// TestDesignIsReadAsItIs compares blocks with (Φ − 1φ̄ᵀ)V of whole matrices, and functions of
// centred features with those of the features themselves. Blocks that are held have the same
// bits as those that are made.
func TestDesignIsReadAsItIs(t *testing.T) {
	const n, dim = design.BlockRows + 41, 5
	rng := testkit.Rand(t, 1)
	phi, axes, weights := mat.NewDense(n, dim, nil), mat.NewDense(dim, dim, nil), make([]float64, n)
	normal := func(_, _ int, _ float64) float64 { return 1 + rng.NormFloat64() }
	phi.Apply(normal, phi)
	axes.Apply(normal, axes)
	for i := range weights {
		weights[i] = rng.ExpFloat64()
	}
	for _, c := range []struct {
		name    string
		weights []float64
		centre  bool
		axes    *mat.Dense
	}{{"as it is", nil, false, nil}, {"centred", nil, true, nil}, {"weighted", weights, true, nil}, {"turned", nil, false, axes}, {"all", weights, true, axes}} {
		want, mean := mat.DenseCopyOf(phi), make([]float64, dim)
		if c.centre {
			total := 0.0
			for i := range n {
				w := 1.0
				if c.weights != nil {
					w = c.weights[i]
				}
				total += w
				for d := range mean {
					mean[d] += w * phi.At(i, d)
				}
			}
			for d := range mean {
				mean[d] /= total
			}
			want.Apply(func(_, d int, v float64) float64 { return v - mean[d] }, want)
		}
		if c.axes != nil {
			want.Mul(mat.DenseCopyOf(want), c.axes)
		}
		var made *mat.Dense
		for name, r := range readers(t, designOf(phi), c.weights, c.centre, c.axes) {
			got := mat.NewDense(n, dim, nil)
			if err := r.Each(t.Context(), func(from, to int, rows *mat.Dense) error {
				got.Slice(from, to, 0, dim).(*mat.Dense).Copy(rows)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if made == nil {
				made = got
			}
			all, err := r.All(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			// Sums of n and of dim numbers near 1, of which the largest is below 30.
			if !mat.EqualApprox(got, want, 30*n*0x1p-52) || !mat.Equal(got, made) || !mat.Equal(all, got) {
				t.Errorf("%s, %s: other rows than (Φ − 1φ̄ᵀ)V", c.name, name)
			}
			for d, v := range r.Mean() {
				if math.Abs(v-mean[d]) > n*0x1p-50 {
					t.Errorf("%s, %s: mean %v of feature %d, not %v", c.name, name, v, d, mean[d])
				}
			}
			w := mat.NewDense(dim, 1, []float64{1, -2, 3, -4, 5})
			shift := r.Shift([]float64{7}, w)[0]
			if expect := 7 - mat.Dot(mat.NewVecDense(dim, mean), w.ColView(0)); math.Abs(shift-expect) > n*0x1p-47 {
				t.Errorf("%s, %s: intercept %v, not %v", c.name, name, shift, expect)
			}
		}
	}
}

// TestDesignEndsWithItsErrors: those of the features, of what is done with them, and of ctx.
func TestDesignEndsWithItsErrors(t *testing.T) {
	broken := errors.New("broken")
	nothing := func(_, _ int, _ *mat.Dense) error { return nil }
	bad := design.Matrix{Rows: 1, Dim: 1, Fill: func(context.Context, *mat.Dense, int) error { return broken }}
	if err := bad.Blocks().Each(t.Context(), nothing); !errors.Is(err, broken) {
		t.Errorf("features that cannot be made: %v", err)
	}
	if err := bad.Blocks().Hold(t.Context()); !errors.Is(err, broken) {
		t.Errorf("features that cannot be held: %v", err)
	}
	good := designOf(mat.NewDense(3, 1, nil))
	if err := good.Blocks().Each(t.Context(), func(_, _ int, _ *mat.Dense) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("what is done fails: %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := good.Blocks().Centre(over, nil, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// TestMomentsOfADesign compares the sums with those of whole matrices, held or not, for any number
// of workers.
func TestMomentsOfADesign(t *testing.T) {
	const n, dim, outputs = 2*design.BlockRows + 17, 6, 3
	rng := testkit.Rand(t, 2)
	phi, y, weights := mat.NewDense(n, dim, nil), mat.NewDense(n, outputs, nil), make([]float64, n)
	normal := func(_, _ int, _ float64) float64 { return rng.NormFloat64() }
	phi.Apply(normal, phi)
	y.Apply(normal, y)
	for i := range weights {
		weights[i] = rng.ExpFloat64()
	}
	for _, w := range [][]float64{nil, weights} {
		second, first := mat.NewDense(dim, dim, nil), mat.NewDense(dim, outputs, nil)
		scaled := mat.DenseCopyOf(phi)
		scaled.Apply(func(i, _ int, v float64) float64 {
			if w != nil {
				v *= w[i]
			}
			return v
		}, scaled)
		second.Mul(scaled.T(), phi)
		first.Mul(scaled.T(), y)
		var bits []float64
		for _, workers := range []int{1, 2, 3, 8} {
			for name, r := range readers(t, designOf(phi), nil, false, nil) {
				s, f, err := r.Moments(t.Context(), w, outputs, func(dst []float64, i int) error { copy(dst, y.RawRowView(i)); return nil }, compute.Options{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				// Sums of n products of which few are above 10.
				if !mat.EqualApprox(s, second, n*0x1p-48) || !mat.EqualApprox(f, first, n*0x1p-48) {
					t.Errorf("%s, %d workers: other moments than those of the matrix", name, workers)
				}
				found := append(append([]float64(nil), s.RawSymmetric().Data...), f.RawMatrix().Data...)
				if bits == nil {
					bits = found
				}
				if !slices.Equal(bits, found) {
					t.Errorf("%s, %d workers: other bits", name, workers)
				}
			}
		}
	}
	broken := errors.New("broken")
	r := designOf(phi).Blocks()
	if _, _, err := r.Moments(t.Context(), nil, 1, func([]float64, int) error { return broken }, compute.Options{}); !errors.Is(err, broken) {
		t.Errorf("targets that cannot be made: %v", err)
	}
}
