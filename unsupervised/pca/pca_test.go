package pca_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/unsupervised/pca"
)

// points have standard deviations that fall by the factor decay from column to column,
// a mean, and every third number zero.
func points(t *testing.T, seed uint64, n, d int, decay float64) data.Vectors {
	t.Helper()
	rnd, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			if (i+j)%3 > 0 {
				xs.At(i)[j] = (1 + rnd.NormFloat64()) * math.Pow(decay, float64(j))
			}
		}
	}
	return xs
}

func sparseOf(t *testing.T, xs data.Vectors) *data.Sparse {
	t.Helper()
	out := new(data.Sparse)
	for i := range xs.Len() {
		var v data.SparseVector
		for j, x := range xs.At(i) {
			if x != 0 {
				v.Index, v.Value = append(v.Index, int32(j)), append(v.Value, x)
			}
		}
		if err := out.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Widen(xs.Dim()); err != nil {
		t.Fatal(err)
	}
	return out
}

func fit(t *testing.T, xs data.Vectors, o pca.Options) (*pca.Model, *pca.Report) {
	t.Helper()
	m, r, err := pca.Fit(t.Context(), xs, o)
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

func transform(t *testing.T, m *pca.Model, xs data.Vectors) *mat.Dense {
	t.Helper()
	z, err := m.Transform(xs)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// The singular value decomposition of the centred rows, for tall, square and wide
// matrices, with singular values over ten orders of magnitude.
func TestExactIsSVD(t *testing.T) {
	for _, size := range [][2]int{{60, 12}, {12, 60}, {20, 20}} {
		n, d := size[0], size[1]
		xs := points(t, 1, n, d, math.Pow(1e-10, 1/float64(d)))
		m, r := fit(t, xs, pca.Options{})
		a := mat.NewDense(n, d, nil)
		for i := range n {
			floats.SubTo(a.RawRowView(i), xs.At(i), m.Mean)
		}
		a.Scale(1/math.Sqrt(float64(n)), a)
		var svd mat.SVD
		if !svd.Factorize(a, mat.SVDThin) {
			t.Fatal("no decomposition")
		}
		want := svd.Values(nil)
		if wantRank := min(n-1, d); r.Components != wantRank {
			t.Fatalf("%d×%d: %d components, want %d", n, d, r.Components, wantRank)
		}
		for j, v := range r.Variances {
			if got := math.Sqrt(v); !(math.Abs(got-want[j]) <= 1e-14*want[0]) {
				t.Errorf("%d×%d: σ%d = %.17g, want %.17g", n, d, j, got, want[j])
			}
		}
		var inner mat.Dense
		inner.Mul(m.Components, m.Components.T())
		for i := range r.Components {
			for j := range r.Components {
				unit := 0.0
				if i == j {
					unit = 1
				}
				testkit.Close(t, "inner product of components", inner.At(i, j), unit, 1e-12)
			}
		}
		testkit.Close(t, "sum of ratios", floats.Sum(r.Ratio), 1, 1e-12)
		if r.Residual > 1e-13 {
			t.Errorf("%d×%d: residual %g", n, d, r.Residual)
		}
	}
}

// Eckart and Young: the errors of rank k are the singular values that follow, and no
// other matrix of rank k does better.
func TestEckartYoung(t *testing.T) {
	const n, d, k = 30, 8, 3
	xs := points(t, 2, n, d, 0.7)
	m, r := fit(t, xs, pca.Options{})
	part := &pca.Model{Mean: m.Mean, Components: mat.DenseCopyOf(m.Components.Slice(0, k, 0, d))}
	difference := func(of *pca.Model) *mat.Dense {
		near, err := of.Inverse(transform(t, of, xs))
		if err != nil {
			t.Fatal(err)
		}
		out := mat.NewDense(n, d, nil)
		for i := range n {
			floats.SubTo(out.RawRowView(i), xs.At(i), near.At(i))
		}
		return out
	}
	rest := difference(part)
	var svd mat.SVD
	if !svd.Factorize(rest, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	frobenius := math.Pow(mat.Norm(rest, 2), 2) / n
	testkit.Close(t, "‖A − A_k‖₂²", math.Pow(svd.Values(nil)[0], 2)/n, r.Variances[k], 1e-12)
	testkit.Close(t, "‖A − A_k‖²_F", frobenius, floats.Sum(r.Variances[k:]), 1e-12)
	rnd := testkit.Rand(t, 3)
	for range 20 {
		random := mat.NewDense(d, d, nil)
		random.Apply(func(int, int, float64) float64 { return rnd.NormFloat64() }, random)
		var qr mat.QR
		qr.Factorize(random)
		var q mat.Dense
		qr.QTo(&q)
		other := difference(&pca.Model{Mean: m.Mean, Components: mat.DenseCopyOf(q.Slice(0, d, 0, k).T())})
		if v := math.Pow(mat.Norm(other, 2), 2) / n; v < frobenius {
			t.Errorf("another subspace leaves %g, less than %g", v, frobenius)
		}
	}
	if all := difference(m); mat.Norm(all, 2) > 1e-12 {
		t.Errorf("all components leave %g", mat.Norm(all, 2))
	}
}

func TestKrylovIsExact(t *testing.T) {
	weights := make([]float64, 150)
	for i := range weights {
		weights[i] = float64(i % 4)
	}
	xs := points(t, 4, 150, 90, 0.8)
	exact, want := fit(t, xs, pca.Options{Components: 4, Solver: pca.Exact, Weights: weights})
	o := pca.Options{Components: 4, Solver: pca.Krylov, Weights: weights}
	got, r := fit(t, xs, o)
	s, rs, err := pca.FitSparse(t.Context(), sparseOf(t, xs), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Solver = pca.Exact
	filled, rf, err := pca.FitSparse(t.Context(), sparseOf(t, xs), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m *pca.Model
		r *pca.Report
	}{{got, r}, {s, rs}, {filled, rf}} {
		testkit.CloseSlice(t, "variances", c.r.Variances, want.Variances, 1e-12)
		testkit.CloseSlice(t, "components", c.m.Components.RawMatrix().Data, exact.Components.RawMatrix().Data, 1e-9)
		testkit.Close(t, "total", c.r.Total, want.Total, 1e-12)
		if c.r.Residual > 1e-10 {
			t.Errorf("residual %g", c.r.Residual)
		}
	}
	z, err := s.TransformSparse(sparseOf(t, xs))
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "scores", z.RawMatrix().Data, transform(t, exact, xs).RawMatrix().Data, 1e-9)
}

func TestAutoChooses(t *testing.T) {
	xs := points(t, 5, 500, 450, 0.5)
	_, r := fit(t, xs, pca.Options{Components: 2})
	if r.Solver != pca.Krylov {
		t.Errorf("solver %s (%s)", r.Solver, r.Why)
	}
	_, r = fit(t, points(t, 6, 50, 40, 0.9), pca.Options{Components: 2})
	if r.Solver != pca.Exact {
		t.Errorf("solver %s (%s)", r.Solver, r.Why)
	}
}

func TestWeightsAreRepetitions(t *testing.T) {
	xs, weights, index := points(t, 7, 30, 5, 0.8), make([]float64, 30), []int{}
	for i := range weights {
		weights[i] = 2 * float64(i%3)
		for range i % 3 {
			index = append(index, i)
		}
	}
	a, ra := fit(t, xs, pca.Options{Weights: weights})
	b, rb := fit(t, xs.Gather(index), pca.Options{})
	testkit.CloseSlice(t, "variances", ra.Variances, rb.Variances, 1e-12)
	testkit.CloseSlice(t, "components", a.Components.RawMatrix().Data, b.Components.RawMatrix().Data, 1e-11)
	testkit.CloseSlice(t, "mean", a.Mean, b.Mean, 1e-14)
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	xs := points(t, 8, 600, 120, 0.9)
	sparse := sparseOf(t, xs)
	for _, solver := range []pca.Solver{pca.Exact, pca.Krylov} {
		var first, firstSparse *mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			o := pca.Options{Components: 3, Solver: solver, Compute: compute.Options{Workers: workers}}
			m, _ := fit(t, xs, o)
			s, _, err := pca.FitSparse(t.Context(), sparse, o)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first, firstSparse = m.Components, s.Components
			}
			if !mat.Equal(first, m.Components) || !mat.Equal(firstSparse, s.Components) {
				t.Errorf("%s: other bits for %d workers", solver, workers)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	xs := points(t, 9, 10, 3, 0.9)
	broken := points(t, 9, 10, 3, 0.9)
	broken.At(4)[1] = math.NaN()
	for want, f := range map[string]func() error{
		"at most 3":         func() error { _, _, err := pca.Fit(t.Context(), xs, pca.Options{Components: 4}); return err },
		"at least two rows": func() error { _, _, err := pca.Fit(t.Context(), xs.Gather([]int{1}), pca.Options{}); return err },
		"2 weights": func() error {
			_, _, err := pca.Fit(t.Context(), xs, pca.Options{Weights: make([]float64, 2)})
			return err
		},
		"say how many":        func() error { _, _, err := pca.Fit(t.Context(), xs, pca.Options{Solver: pca.Krylov}); return err },
		"not known":           func() error { _, _, err := pca.Fit(t.Context(), xs, pca.Options{Solver: "x"}); return err },
		"row 4, column 1":     func() error { _, _, err := pca.Fit(t.Context(), broken, pca.Options{}); return err },
		"all rows of positiv": func() error { _, _, err := pca.Fit(t.Context(), xs.Gather([]int{1, 1, 1}), pca.Options{}); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	_, _, err := pca.FitSparse(t.Context(), sparseOf(t, xs), pca.Options{Compute: compute.Options{MaxMemory: 10}})
	var large *compute.TooLarge
	if !errors.As(err, &large) {
		t.Errorf("error %v, want *gram.TooLarge", err)
	}
}

// scikit-learn's variances have the divisor n − 1.
func TestScikitLearn(t *testing.T) {
	raw, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Data       string
			N          int
			Mean       []float64
			Components [][]float64
			Variances  []float64 `json:"explained_variance"`
			Ratio      []float64
			Scores     [][]float64
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 2 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		xs := table(t, c.Data, len(c.Mean))
		m, r := fit(t, xs, pca.Options{})
		z := transform(t, m, xs)
		testkit.CloseSlice(t, "mean", m.Mean, c.Mean, 1e-12)
		for j, want := range c.Components {
			testkit.Close(t, "variance", r.Variances[j]*float64(c.N)/float64(c.N-1)/c.Variances[j], 1, 1e-9)
			testkit.Close(t, "ratio", r.Ratio[j], c.Ratio[j], 1e-12)
			got, sign := m.Components.RawRowView(j), 1.0
			if floats.Dot(got, want) < 0 {
				sign = -1
			}
			floats.Scale(sign, want)
			testkit.CloseSlice(t, c.Data+" component", got, want, 1e-8)
			for i, s := range c.Scores {
				if d := math.Abs(z.At(i, j) - sign*s[j]); d > 1e-8*math.Max(1, math.Abs(s[j])) {
					t.Errorf("%s: score %d of row %d is off by %g", c.Data, j, i, d)
				}
			}
		}
	}
}

// table reads the first d columns of a public table.
func table(t *testing.T, name string, d int) data.Vectors {
	t.Helper()
	f, err := os.Open(testkit.Shared(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	xs := data.MakeVectors(len(lines), d)
	for i, line := range lines {
		for j := range d {
			if xs.At(i)[j], err = strconv.ParseFloat(line[j], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return xs
}
