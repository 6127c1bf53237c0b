package gp_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/gp"
)

// gradientOf contracts ∂/∂K with the derivatives of a kernel.
func gradientOf(t testing.TB, k kernel.Kernel[[]float64], xs data.Set[[]float64], dk *mat.SymDense) []float64 {
	t.Helper()
	smooth, ok := kernel.Gradient(k)
	if !ok {
		t.Fatalf("%s has no gradient", k)
	}
	raw := dk.RawSymmetric()
	g, err := kernel.Contract(t.Context(), smooth, xs, kernel.Tile{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Conditions are below 1e4, so that 1e-8 is far above the rounding of both.
func TestRegressionAgreesWithScikitLearn(t *testing.T) {
	for _, r := range readReference(t).Regression {
		t.Run(r.Kernel, func(t *testing.T) {
			rows := fields(t, r.File)
			train, fresh := every(rows, 0, r.Step, r.Rows), every(rows, 1, r.Step, 8)
			xs, news := vectors(t, train, fresh, r.Columns)
			y := column(t, train, r.Target)
			standardise(y, nil)
			o := gp.Options{Mean: gp.Zero, RowNoise: r.Noise}
			if len(r.Noise) == 1 {
				o = gp.Options{Mean: gp.Zero, Noise: r.Noise[0]}
			}
			k := parse(t, r.Kernel)
			p, report, err := gp.Fit(t.Context(), k, xs, y, o)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, "log evidence", report.LogEvidence, r.Value, 1e-8)
			if report.Residual > 1e-12 {
				t.Errorf("residual %g", report.Residual)
			}
			m, err := p.Marginals(t.Context(), news, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			deviation := make([]float64, len(m.Variance))
			for i, v := range m.Variance {
				deviation[i] = math.Sqrt(v)
			}
			testkit.CloseSlice(t, "mean", m.Mean, r.Mean, 1e-8)
			testkit.CloseSlice(t, "standard deviation", deviation, r.Std, 1e-8)
			mean, cov, err := p.Covariance(t.Context(), news, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "joint mean", mean, r.Mean, 1e-8)
			testkit.CloseSlice(t, "covariance", mat.Row(nil, 0, cov), r.Covariance, 1e-8)
			s, err := gp.Gradient(t.Context(), matrix(k, xs), y, o)
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "gradient", gradientOf(t, k, xs, s.DK), r.Gradient, 1e-8)
		})
	}
}
