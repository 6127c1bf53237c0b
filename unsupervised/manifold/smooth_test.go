package manifold_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/unsupervised/manifold"
)

// laprls is Laplacian regularised least squares by its equation: see testdata/laprls.py.
type laprls struct {
	X          [][]float64
	Labelled   []int
	Y, Alpha   []float64
	Neighbours int
	Width      float64
	GammaA     float64 `json:"gamma_a"`
	GammaI     float64 `json:"gamma_i"`
	Edges      int
}

func readLapRLS(t *testing.T) (r laprls, pairs kernel.Pairs) {
	text, err := os.ReadFile("testdata/laprls.json")
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	xs := vectorsOf(r.X)
	return r, kernel.Bind(vec.Kernel(vec.RBF{Sigma: r.Width}), xs, xs)
}

// Ridge regression on the labelled points with the smoothed kernel is Laplacian regularised least
// squares, on a graph of two parts. The reference solves a system of condition 1e5 or so.
func TestSmoothAgainstTheEquation(t *testing.T) {
	r, pairs := readLapRLS(t)
	n, l := len(r.X), len(r.Labelled)
	s, err := manifold.Smooth(t.Context(), pairs, r.Labelled, manifold.Smoothing{Neighbours: r.Neighbours, Strength: r.GammaI / (r.GammaA * float64(n) * float64(n))})
	if err != nil {
		t.Fatal(err)
	}
	if s.Report.Edges != r.Edges || s.Report.Parts != 2 || s.Report.Labelled != l {
		t.Errorf("the graph is %+v, want %d edges in 2 parts", s.Report, r.Edges)
	}
	system := mat.NewSymDense(l, nil)
	system.CopySym(s.Gram)
	for i := range l {
		system.SetSym(i, i, system.At(i, i)+r.GammaA*float64(l))
	}
	var alpha, coef mat.VecDense
	if err := alpha.SolveVec(system, mat.NewVecDense(l, r.Y)); err != nil {
		t.Fatal(err)
	}
	coef.MulVec(s.Expand, &alpha)
	testkit.CloseSlice(t, "coefficients", coef.RawVector().Data, r.Alpha, 1e-8)
}

// The kernel of the new norm reproduces: Gram is K·Expand at the labelled rows, and without
// strength the kernel itself.
func TestSmoothWithoutStrengthIsTheKernel(t *testing.T) {
	r, pairs := readLapRLS(t)
	s, err := manifold.Smooth(t.Context(), pairs, r.Labelled, manifold.Smoothing{})
	if err != nil {
		t.Fatal(err)
	}
	for a, i := range r.Labelled {
		for b, j := range r.Labelled {
			testkit.Close(t, "kernel", s.Gram.At(a, b), (vec.RBF{Sigma: r.Width}).Eval(r.X[i], r.X[j]), 1e-15)
		}
		for j := range r.X {
			want := 0.0
			if j == i {
				want = 1
			}
			testkit.Close(t, "coefficient", s.Expand.At(j, a), want, 0)
		}
	}
}

// More smoothness takes from the value of the kernel at a point, and leaves it positive definite.
func TestSmoothGrowsSmoother(t *testing.T) {
	r, pairs := readLapRLS(t)
	before := math.Inf(1)
	for _, strength := range []float64{0, 0.1, 1, 10, 1e6} {
		s, err := manifold.Smooth(t.Context(), pairs, r.Labelled, manifold.Smoothing{Strength: strength})
		if err != nil {
			t.Fatal(err)
		}
		if trace := mat.Trace(s.Gram); trace >= before || trace <= 0 {
			t.Errorf("with γ = %v the trace is %v, before it was %v", strength, trace, before)
		} else {
			before = trace
		}
		var e mat.EigenSym
		if !e.Factorize(s.Gram, false) || e.Values(nil)[0] < -1e-12 {
			t.Errorf("with γ = %v the eigenvalues are %v", strength, e.Values(nil))
		}
	}
}

func TestSmoothRefusals(t *testing.T) {
	r, pairs := readLapRLS(t)
	for _, c := range []struct {
		labelled []int
		o        manifold.Smoothing
		want     string
	}{
		{nil, manifold.Smoothing{}, "none of the 30 points is labelled"},
		{r.Labelled, manifold.Smoothing{Strength: -1}, "strength = -1"},
		{r.Labelled, manifold.Smoothing{Neighbours: 30}, "at most 29 others"},
		{r.Labelled, manifold.Smoothing{Compute: compute.Options{MaxMemory: 8}}, "limit"},
	} {
		if _, err := manifold.Smooth(t.Context(), pairs, c.labelled, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: the error is %v, want %q in it", c.o, err, c.want)
		}
	}
}
