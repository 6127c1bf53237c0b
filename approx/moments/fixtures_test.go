package moments_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// coordinates is the map φ(x) = x.
func coordinates(t *testing.T) kernel.Mapped[[]float64] {
	t.Helper()
	k, err := vec.Parse("linear")
	if err != nil {
		t.Fatal(err)
	}
	return k.(kernel.Mapped[[]float64])
}

// drawn are n random rows of d numbers and p targets far from 0, with weights.
func drawn(t *testing.T, n, d, p int, seed uint64) moments.Rows[[]float64] {
	rng := testkit.Rand(t, seed)
	r := moments.Rows[[]float64]{Map: coordinates(t), Targets: mat.NewDense(n, p, nil), Weights: make([]float64, n)}
	xs := data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = rng.NormFloat64() + float64(j)
		}
		for c := range p {
			r.Targets.Set(i, c, 1000+xs.At(i)[c%d]+rng.NormFloat64())
		}
		r.Weights[i] = 0.5 + rng.Float64()
	}
	r.Points = xs
	return r
}

// part returns some of the rows.
func part(r moments.Rows[[]float64], index ...int) moments.Rows[[]float64] {
	out := moments.Rows[[]float64]{Map: r.Map, Points: data.Subset(r.Points, index), Targets: mat.NewDense(len(index), r.Targets.RawMatrix().Cols, nil)}
	for to, from := range index {
		out.Targets.SetRow(to, r.Targets.RawRowView(from))
		if r.Weights != nil {
			out.Weights = append(out.Weights, r.Weights[from])
		}
	}
	return out
}

func of[T any](t *testing.T, r moments.Rows[T], workers int) *moments.Statistics {
	t.Helper()
	s, err := moments.Of(t.Context(), r, compute.Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func like[T any](t *testing.T, s *moments.Statistics, r moments.Rows[T]) *moments.Statistics {
	t.Helper()
	more, err := moments.Like(t.Context(), s, r, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return more
}

// must returns sums, or ends the test.
func must(t *testing.T) func(*moments.Statistics, error) *moments.Statistics {
	return func(s *moments.Statistics, err error) *moments.Statistics {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
