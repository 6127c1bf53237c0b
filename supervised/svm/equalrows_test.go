package svm_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/svm"
)

// connections are the features of a table like those of network connections: n rows of which few
// are distinct and these unequally often, classes 1:4 that a hyperplane separates by a gap, and a
// part of the labels wrong. cos(ωᵀx + b) of few distinct rows are fewer directions than features.
func connections(t *testing.T, seed uint64, n, distinct int, gap, wrong float64) (phi *mat.Dense, y []int) {
	rng := testkit.Rand(t, seed)
	const columns, features = 4, 60
	frequencies, phases := mat.NewDense(columns, features, nil), make([]float64, features)
	for k := range features {
		phases[k] = 2 * math.Pi * rng.Float64()
		for c := range columns {
			frequencies.Set(c, k, rng.NormFloat64())
		}
	}
	rows, labels := mat.NewDense(distinct, features, nil), make([]int, distinct)
	for i := range distinct {
		x := mat.NewVecDense(columns, nil)
		for c := range columns {
			x.SetVec(c, 0.3*rng.NormFloat64())
		}
		x.SetVec(0, math.Abs(x.AtVec(0))+gap/2)
		if labels[i] = 1; i%5 == 0 {
			labels[i] = 0
			x.SetVec(0, -x.AtVec(0))
		}
		for k := range features {
			rows.Set(i, k, math.Sqrt(2./features)*math.Cos(mat.Dot(x, frequencies.ColView(k))+phases[k]))
		}
	}
	phi, y = mat.NewDense(n, features, nil), make([]int, n)
	for i := range n {
		from := int(float64(distinct) * math.Pow(rng.Float64(), 4))
		phi.SetRow(i, rows.RawRowView(from))
		if y[i] = labels[from]; rng.Float64() < wrong {
			y[i] = 1 - y[i]
		}
	}
	return phi, y
}

// designOf are features that are given.
func designOf(phi *mat.Dense) design.Matrix {
	n, dim := phi.Dims()
	return design.Matrix{Rows: n, Dim: dim, Fill: func(_ context.Context, dst *mat.Dense, from int) error {
		rows, _ := dst.Dims()
		dst.Copy(phi.Slice(from, from+rows, 0, dim))
		return nil
	}}
}

// Separable, duplicated and badly scaled rows end, certified, within few steps: held or made in
// every pass, to the same bits.
func TestInteriorPointOnEqualRows(t *testing.T) {
	const n, mostSteps = 6000, 80
	for _, tc := range []struct {
		distinct      int
		gap, wrong, c float64
		scale         float64
	}{
		{distinct: 40, gap: 1e-3, c: 10, scale: 1},
		{distinct: 40, gap: 1e-3, wrong: 0.01, c: 10, scale: 1},
		{distinct: 1000, gap: 1e-3, c: 10, scale: 1},
		{distinct: 1000, gap: 1e-3, c: 1e5, scale: 1},
		{distinct: 1000, gap: 0.3, c: 1e5, scale: 1},
		{distinct: 1000, gap: 1e-3, wrong: 0.01, c: 1e3, scale: 1},
		{distinct: 1000, gap: 1e-3, c: 10, scale: 30},
	} {
		t.Run(fmt.Sprintf("%+v", tc), func(t *testing.T) {
			phi, y := connections(t, 3, n, tc.distinct, tc.gap, tc.wrong)
			for k := range 10 {
				for i := range n {
					phi.Set(i, k, phi.At(i, k)*tc.scale)
				}
			}
			var first *svm.Solution
			for _, memory := range []int64{0, 1 << 10} {
				s, r, err := svm.Solve(t.Context(), svm.Primal{Matrix: designOf(phi)}, y, svm.Options{C: tc.c, Compute: compute.Options{MaxMemory: memory}})
				if err != nil {
					t.Fatal(err)
				}
				m := r.Problems[0]
				if !m.Converged || m.Violation > 1e-3 || m.Iterations > mostSteps {
					t.Errorf("a violation of %g after %d steps", m.Violation, m.Iterations)
				}
				// The gap sums, over the rows, β times what a slope lacks.
				if most := m.Violation * tc.c * n; !(m.Gap <= most) {
					t.Errorf("a gap of %g, above %g", m.Gap, most)
				}
				if first == nil {
					first = s
				} else if !slices.Equal(first.W.RawMatrix().Data, s.W.RawMatrix().Data) {
					t.Error("other bits where the features are made in every pass")
				}
			}
		})
	}
}

// A row that is written several times is one of as much weight, and the copies share its
// coefficient alike.
func TestEqualRowsAreOneOfTheirWeight(t *testing.T) {
	phi, y := connections(t, 5, 400, 400, 0.1, 0)
	distinct, dim := phi.Dims()
	var rows []int
	weights := make([]float64, distinct)
	for i := range distinct {
		for range 1 + i%4 {
			rows = append(rows, i)
			weights[i]++
		}
	}
	written, labels, targets := mat.NewDense(len(rows), dim, nil), make([]int, len(rows)), make([]float64, len(rows))
	once := make([]float64, distinct)
	for i, row := range rows {
		written.SetRow(i, phi.RawRowView(row))
		labels[i], targets[i] = y[row], phi.At(row, 0)
		once[row] = phi.At(row, 0)
	}
	for _, kind := range []svm.Type{svm.CSVC, svm.EpsilonSVR} {
		o := svm.Options{Type: kind, C: 2, Epsilon: 0.01, Tolerance: 1e-6}
		var several, one *svm.Solution
		var err error
		if kind == svm.CSVC {
			several, _, err = svm.Solve(t.Context(), svm.Primal{Matrix: designOf(written)}, labels, o)
		} else {
			several, _, err = svm.SolveRegression(t.Context(), svm.Primal{Matrix: designOf(written)}, targets, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = weights
		if kind == svm.CSVC {
			one, _, err = svm.Solve(t.Context(), svm.Primal{Matrix: designOf(phi)}, y, o)
		} else {
			one, _, err = svm.SolveRegression(t.Context(), svm.Primal{Matrix: designOf(phi)}, once, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		// ½‖w − w′‖² is at most the sum of both gaps, n·C times the tolerance each.
		most := math.Sqrt(4 * float64(len(rows)) * o.C * o.Tolerance)
		var apart mat.Dense
		apart.Sub(several.W, one.W)
		if d := mat.Norm(&apart, 2); d > most {
			t.Errorf("%v: weights differ by %g, more than %g", kind, d, most)
		}
		all := several.All(len(rows))
		for i := 1; i < len(rows); i++ {
			if a, b := all.At(i-1, 0), all.At(i, 0); rows[i] == rows[i-1] && math.Abs(a-b) > 1e-9*o.C {
				t.Fatalf("%v: rows %d and %d are equal and have the coefficients %g and %g", kind, i-1, i, a, b)
			}
		}
	}
}

// Equal rows of both classes, long and with a large C, are certified: their coefficients between
// the bounds have a V beside which I is lost to rounding, and slacks that are lost beside the
// bound. Where rounding of w = Φᵀβ, at most n·C·‖φ‖·2⁻⁵³, may move a slope by a tenth of the
// tolerance, a report that warns is as good.
func TestInteriorPointOnContradictingRows(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 5))
		distinct, dim := 3+rng.IntN(30), 1+rng.IntN(6)
		n := distinct * (2 + rng.IntN(6))
		base := mat.NewDense(distinct, dim, nil)
		scale := math.Pow(10, 3*rng.Float64())
		for i := range base.RawMatrix().Data {
			base.RawMatrix().Data[i] = scale * rng.NormFloat64()
		}
		phi, y := mat.NewDense(n, dim, nil), make([]int, n)
		for i := range n {
			from := i % distinct
			phi.SetRow(i, base.RawRowView(from))
			if base.At(from, 0) > 0 {
				y[i] = 1
			}
			if rng.Float64() < 0.3 {
				y[i] = 1 - y[i]
			}
		}
		y[0], y[1] = 0, 1
		c := math.Pow(10, 5*rng.Float64())
		_, r, err := svm.Solve(t.Context(), svm.Primal{Matrix: designOf(phi)}, y, svm.Options{C: c})
		if err != nil {
			t.Fatal(err)
		}
		longest := 0.0
		for i := range n {
			longest = max(longest, mat.Norm(phi.RowView(i), 2))
		}
		const tolerance = 1e-3
		m, fine := r.Problems[0], float64(n)*c*longest*longest*0x1p-53 < tolerance/10
		switch {
		case m.Converged != (m.Violation <= tolerance), m.Converged == (len(r.Warnings) > 0):
			t.Errorf("seed %d: converged %v with a violation of %g and warnings %q", seed, m.Converged, m.Violation, r.Warnings)
		case fine && !m.Converged:
			t.Errorf("seed %d: a violation of %g is left, warnings %q", seed, m.Violation, r.Warnings)
		}
	}
}
