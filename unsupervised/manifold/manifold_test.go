package manifold_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/manifold"
)

// reference are coordinates by scikit-learn: see testdata/reference.py.
type reference struct {
	X, New                        [][]float64
	Isomap, LLE, Eigenmap, Stress [][]float64
	IsomapNew                     [][]float64 `json:"isomap-new"`
	LLENew                        [][]float64 `json:"lle-new"`
	Raw                           float64     `json:"raw stress"`
}

func readReference(t *testing.T) (r reference) {
	text, err := os.ReadFile("testdata/reference.json")
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fit fits vectors under the linear kernel, whose distances are theirs.
func fit(t *testing.T, k kernel.Kernel[[]float64], xs data.Set[[]float64], o manifold.Options) (*manifold.Embedding[[]float64], *manifold.Report) {
	t.Helper()
	f, r, err := manifold.Fit(context.Background(), k, xs, o)
	if err != nil {
		t.Fatal(err)
	}
	return f.(*manifold.Embedding[[]float64]), r
}

func place(t *testing.T, e *manifold.Embedding[[]float64], xs data.Set[[]float64]) *mat.Dense {
	t.Helper()
	z, err := e.Predict(context.Background(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// signs are by which columns of z differ from those of a reference.
func signs(z *mat.Dense, want [][]float64) []float64 {
	_, m := z.Dims()
	s := make([]float64, m)
	for j := range s {
		dot := 0.0
		for i, row := range want {
			dot += row[j] * z.At(i, j)
		}
		s[j] = math.Copysign(1, dot)
	}
	return s
}

// agree compares coordinates with reference ones times scale, relative to the largest.
func agree(t *testing.T, what string, z *mat.Dense, want [][]float64, sign []float64, scale, tol float64) {
	t.Helper()
	for j, s := range sign {
		got, ref := make([]float64, len(want)), make([]float64, len(want))
		for i, row := range want {
			got[i], ref[i] = s*z.At(i, j), scale*row[j]
		}
		testkit.CloseSlice(t, what, got, ref, tol)
	}
}

// Both decompose the same matrices: the tolerances are those of eigenvectors, ε over the gap, and
// of the solvers of scikit-learn.
func TestAgainstScikitLearn(t *testing.T) {
	r := readReference(t)
	xs, news := vectorsOf(r.X), vectorsOf(r.New)
	for _, c := range []struct {
		o         manifold.Options
		want, new [][]float64
		scale     float64
		tol       float64
	}{
		{manifold.Options{Method: manifold.Isomap, Neighbours: 6}, r.Isomap, r.IsomapNew, 1, 1e-9},
		{manifold.Options{Method: manifold.LLE, Neighbours: 6}, r.LLE, r.LLENew, math.Sqrt(40), 1e-6},
		{manifold.Options{Method: manifold.Eigenmap, Neighbours: 6, Binary: true}, r.Eigenmap, nil, 1, 1e-7},
		{manifold.Options{Method: manifold.Stress}, r.Stress, nil, 1, 1e-2},
	} {
		e, report := fit(t, vec.Linear{}, xs, c.o)
		sign := signs(e.Map.Coordinates, c.want)
		agree(t, string(c.o.Method), e.Map.Coordinates, c.want, sign, c.scale, c.tol)
		if c.new != nil {
			agree(t, string(c.o.Method)+" of new points", place(t, e, news), c.new, sign, c.scale, c.tol)
		}
		if c.o.Method == manifold.Stress {
			total := 0.0
			for i, x := range r.X {
				for _, z := range r.X[i+1:] {
					for c := range x {
						total += (x[c] - z[c]) * (x[c] - z[c])
					}
				}
			}
			testkit.Close(t, "raw stress", report.Stress*report.Stress*total, r.Raw, 1e-5)
		}
	}
}

// strip is a flat grid of w×h points rolled up, without change of the distances along it.
func strip(w, h int) (rolled, flat data.Slice[[]float64]) {
	for i := range w {
		for j := range h {
			const radius = 40 // so that chords of one step are arcs but for 1e-4
			a := float64(i) / radius
			rolled = append(rolled, []float64{radius * math.Cos(a), radius * math.Sin(a), float64(j)})
			flat = append(flat, []float64{float64(i), float64(j)})
		}
	}
	return rolled, flat
}

// On a strip of one row paths are arcs: the coordinate is the length along it.
func TestIsomapOfACurveIsItsLength(t *testing.T) {
	rolled, flat := strip(60, 1)
	e, report := fit(t, vec.Linear{}, rolled, manifold.Options{Method: manifold.Isomap, Neighbours: 2, Components: 1})
	chord := 80 * math.Sin(1.0/80)
	// The ends have their second neighbour two steps away, a chord that shortens the paths to them.
	for i := 2; i < 58; i++ {
		got := math.Abs(e.Map.Coordinates.At(i, 0) - e.Map.Coordinates.At(1, 0))
		testkit.Close(t, "length", got, chord*(flat[i][0]-1), 1e-4)
	}
	testkit.Close(t, "explained", report.Ratio[0], 1, 1e-6)
}

// Distances in the plane are recovered whole: no stress is left, and new points are placed where
// they are.
func TestStressOfAPlaneIsZero(t *testing.T) {
	_, flat := strip(6, 4)
	e, report := fit(t, vec.Linear{}, flat, manifold.Options{Method: manifold.Stress})
	testkit.Close(t, "stress", report.Stress, 0, 1e-12)
	news := data.Slice[[]float64]{{1.5, 2.25}, {7, -1}}
	z := place(t, e, news)
	for i, x := range news {
		for j, y := range flat {
			got := math.Hypot(z.At(i, 0)-e.Map.Coordinates.At(j, 0), z.At(i, 1)-e.Map.Coordinates.At(j, 1))
			testkit.Close(t, "distance", got, math.Hypot(x[0]-y[0], x[1]-y[1]), 1e-8)
		}
	}
}

// Classical scaling of points in the plane is the plane, whatever the space that it lies in, and a
// new point is where it is. Distances of kernels are those of the feature space: d² = 2 − 2k for
// rbf, of which the classical coordinates are the scores of kernel principal components.
func TestClassicalScaling(t *testing.T) {
	rolled, flat := strip(6, 4)
	e, report := fit(t, vec.Linear{}, flat, manifold.Options{Method: manifold.Classical})
	testkit.Close(t, "stress", report.Stress, 0, 1e-7)
	testkit.Close(t, "explained", report.Ratio[0]+report.Ratio[1], 1, 1e-12)
	z := place(t, e, data.Slice[[]float64]{{1.5, 2.25}})
	for j, y := range flat {
		got := math.Hypot(z.At(0, 0)-e.Map.Coordinates.At(j, 0), z.At(0, 1)-e.Map.Coordinates.At(j, 1))
		testkit.Close(t, "distance", got, math.Hypot(1.5-y[0], 2.25-y[1]), 1e-10)
	}
	k := vec.RBF{Sigma: 2}
	e, _ = fit(t, k, rolled, manifold.Options{Method: manifold.Classical})
	f, _, err := kpca.Fit(t.Context(), k, rolled, kpca.Options{Components: 2})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := f.Predict(t.Context(), rolled, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want [][]float64
	for i := range len(rolled) {
		want = append(want, scores.RawRowView(i))
	}
	agree(t, "scores", e.Map.Coordinates, want, signs(e.Map.Coordinates, want), 1, 1e-10)
}

// The distances of a diffusion map with all coordinates are those of the laws of two walks, written
// out by powers of P.
func TestDiffusionDistancesAreThoseOfWalks(t *testing.T) {
	rolled, _ := strip(8, 2)
	n, k := len(rolled), vec.RBF{Sigma: 1.5}
	for _, alpha := range []float64{0, 0.5, 1} {
		e, _ := fit(t, k, rolled, manifold.Options{Method: manifold.DiffusionMap, Components: n - 1, Alpha: alpha, Time: 2})
		w, q, d, total := mat.NewDense(n, n, nil), make([]float64, n), make([]float64, n), 0.0
		for i := range n {
			for j := range n {
				q[i] += k.Eval(rolled[i], rolled[j])
			}
		}
		for i := range n {
			for j := range n {
				w.Set(i, j, k.Eval(rolled[i], rolled[j])/math.Pow(q[i]*q[j], alpha))
				d[i] += w.At(i, j)
			}
			total += d[i]
		}
		var p, steps mat.Dense
		p.Apply(func(i, _ int, v float64) float64 { return v / d[i] }, w)
		steps.Mul(&p, &p)
		for i := range n {
			testkit.Close(t, "row of the walk", mat.Sum(p.RowView(i)), 1, 1e-13)
			for j := range i {
				want, got := 0.0, 0.0
				for c := range n {
					want += math.Pow(steps.At(i, c)-steps.At(j, c), 2) * total / d[c]
				}
				_, m := e.Map.Coordinates.Dims()
				for c := range m {
					got += math.Pow(e.Map.Coordinates.At(i, c)-e.Map.Coordinates.At(j, c), 2)
				}
				testkit.Close(t, "diffusion distance", math.Sqrt(got), math.Sqrt(want), 1e-9)
			}
		}
	}
}

// Nyström's formula gives at the training points what they have: a point beside one of them, at a
// distance that is not yet nothing, is placed beside it. Points that coincide with one are placed
// on it.
func TestNewPointsContinueTheMap(t *testing.T) {
	rolled, _ := strip(20, 3)
	beside := make(data.Slice[[]float64], len(rolled))
	for i, x := range rolled {
		beside[i] = []float64{x[0] + 1e-5, x[1], x[2]}
	}
	for _, c := range []struct {
		k kernel.Kernel[[]float64]
		o manifold.Options
		// how far it may be moved: by LLE as far as its ridge moves it, by 1e-3 of the neighbours
		tol float64
	}{
		{vec.RBF{Sigma: 3}, manifold.Options{Method: manifold.DiffusionMap, Alpha: 1, Time: 1}, 1e-5},
		{vec.Linear{}, manifold.Options{Method: manifold.Isomap, Neighbours: 4}, 1e-4},
		{vec.Linear{}, manifold.Options{Method: manifold.Stress}, 2e-4},
		{vec.Linear{}, manifold.Options{Method: manifold.LLE, Neighbours: 6}, 0.3},
	} {
		e, _ := fit(t, c.k, rolled, c.o)
		exact, near := place(t, e, rolled), place(t, e, beside)
		if !mat.Equal(exact, e.Map.Coordinates) {
			t.Errorf("%s: training points are not placed where they are", c.o.Method)
		}
		testkit.CloseSlice(t, string(c.o.Method), near.RawMatrix().Data, exact.RawMatrix().Data, c.tol)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	rolled, _ := strip(20, 3)
	for _, method := range manifold.Methods() {
		var first *mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			e, _ := fit(t, vec.RBF{Sigma: 3}, rolled, manifold.Options{Method: method, Compute: compute.Options{Workers: workers}})
			if first == nil {
				first = e.Map.Coordinates
			}
			if !mat.Equal(first, e.Map.Coordinates) {
				t.Errorf("%s: other bits for %d workers", method, workers)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	apart := data.Slice[[]float64]{{0}, {1}, {2}, {100}, {101}, {102}}
	for _, c := range []struct {
		k    kernel.Kernel[[]float64]
		o    manifold.Options
		want string
	}{
		{vec.Linear{}, manifold.Options{}, "is not known"},
		{vec.Linear{}, manifold.Options{Method: manifold.Isomap, Neighbours: 9}, "at most 5 others"},
		{vec.Linear{}, manifold.Options{Method: manifold.Isomap, Neighbours: 2}, "2 parts, of [3 3] points"},
		{vec.Linear{}, manifold.Options{Method: manifold.DiffusionMap, Alpha: 2}, "alpha = 2"},
		{vec.Linear{}, manifold.Options{Method: manifold.Isomap, Compute: compute.Options{MaxMemory: 8}}, "limit"},
	} {
		if _, _, err := manifold.Fit(context.Background(), c.k, apart, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: the error is %v, want %q in it", c.o, err, c.want)
		}
	}
	negative := data.Slice[[]float64]{{1}, {-1}, {2}}
	if _, _, err := manifold.Fit(context.Background(), vec.Linear{}, negative, manifold.Options{Method: manifold.DiffusionMap}); err == nil || !strings.Contains(err.Error(), "≥ 0") {
		t.Errorf("affinities below zero: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := manifold.Fit(stopped, vec.Linear{}, apart, manifold.Options{Method: manifold.Stress}); err == nil {
		t.Error("a context that has ended is not noticed")
	}
}

func TestCheckFindsForeignParts(t *testing.T) {
	rolled, _ := strip(20, 3)
	for _, method := range manifold.Methods() {
		e, _ := fit(t, vec.RBF{Sigma: 3}, rolled, manifold.Options{Method: method})
		if err := e.Map.Check(); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		bad := *e.Map
		bad.Factors = mat.NewDense(2, 2, nil)
		if bad.Check() == nil {
			t.Errorf("%s: factors of two points were accepted", method)
		}
	}
}

// vectorsOf packs rows.
func vectorsOf(rows [][]float64) data.Vectors {
	xs := data.MakeVectors(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(xs.At(i), row)
	}
	return xs
}
