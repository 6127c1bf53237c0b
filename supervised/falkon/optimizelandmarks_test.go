package falkon_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/loss"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/falkon"
)

// oneDirection is sin(3aᵀx) of points of five coordinates.
func oneDirection(t *testing.T, n int) (data.Vectors, *mat.Dense, []float64) {
	rng, a := testkit.Rand(t, 91), []float64{0, 0.6, 0, -0.8, 0}
	xs, y := data.MakeVectors(n, 5), mat.NewDense(n, 1, nil)
	for i := range n {
		s := 0.0
		for j := range 5 {
			xs.At(i)[j] = rng.NormFloat64()
			s += a[j] * xs.At(i)[j]
		}
		y.Set(i, 0, math.Sin(3*s))
	}
	return xs, y, a
}

func descended(t *testing.T, n, m int, o falkon.Options, d falkon.LandmarkOptions) (*falkon.OptimizedLandmarks, error) {
	t.Helper()
	xs, y, _ := oneDirection(t, n)
	k := vec.RBF{Sigma: 2}
	slope, err := vec.SlopeOf(k)
	if err != nil {
		t.Fatal(err)
	}
	return falkon.OptimizeLandmarks(t.Context(), k, gradients.Pairwise(slope), xs, xs.Gather(span(0, m)), y, o, d)
}

func span(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// Twenty landmarks cannot follow a wave in five dimensions, and can in one: the map finds it, the
// objective falls, and the error of new rows by more than five.
func TestOptimizeLandmarksFindsTheDirection(t *testing.T) {
	o := falkon.Options{Lambda: 1e-6}
	moved, err := descended(t, 400, 20, o, falkon.LandmarkOptions{Steps: 60})
	if err != nil {
		t.Fatal(err)
	}
	r := moved.Report
	if first, best := r.Judged[0], r.Judged[r.Best]; !(best < first/25) {
		t.Errorf("judged %v at the start, %v at step %d", first, best, r.Best)
	}
	for i := 1; i < len(r.Objectives); i++ {
		if r.Objectives[i] > r.Objectives[i-1] {
			t.Errorf("the objective rises at step %d: %v", i, r.Objectives[i-1:i+1])
		}
	}
	xs, y, a := oneDirection(t, 400)
	along, all := 0.0, 0.0
	for i := range 5 {
		row := moved.Map[i*5 : (i+1)*5]
		s := 0.0
		for j, v := range row {
			s += v * a[j]
			all += v * v
		}
		along += s * s
	}
	if along < 0.95*all {
		t.Errorf("%.3f of the map is along the direction", along/all)
	}
	// A fit with the map and the landmarks has the error of the judged rows, within a factor of
	// two.
	k, err := vec.NewMahalanobis(vec.RBF{Sigma: 2}, nil, moved.Map)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := falkon.Fit(t.Context(), k, xs, &nystrom.Selection[[]float64]{Points: moved.Landmarks}, y, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.Sub(p, y)
	if mse := math.Pow(mat.Norm(p, 2), 2) / 400; mse > 2*r.Judged[r.Best] {
		t.Errorf("mean squared error %v of the fit, %v judged", mse, r.Judged[r.Best])
	}
}

func TestOptimizeLandmarksHasTheSameBitsForAnyWorkers(t *testing.T) {
	for _, of := range falkon.Movings {
		var want *falkon.OptimizedLandmarks
		for _, workers := range []int{1, 2, 3, 8} {
			got, err := descended(t, 200, 8, falkon.Options{Lambda: 1e-4, Compute: compute.Options{Workers: workers}}, falkon.LandmarkOptions{Of: of, Steps: 5, Rows: 150})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: other bits with %d workers", of, workers)
			}
		}
	}
}

// Only what was asked for moves.
func TestOptimizeLandmarksMovesWhatItIsAskedTo(t *testing.T) {
	for _, of := range falkon.Movings {
		moved, err := descended(t, 200, 8, falkon.Options{Lambda: 1e-4}, falkon.LandmarkOptions{Of: of, Steps: 5})
		if err != nil {
			t.Fatal(err)
		}
		diagonal, others := 0.0, 0.0
		for i := range 5 {
			for j := range 5 {
				if v := moved.Map[i*5+j]; i == j {
					diagonal += math.Abs(v - 1)
				} else {
					others += math.Abs(v)
				}
			}
		}
		if (diagonal != 0) != (of != falkon.MoveLandmarks) || (others != 0) != (of == falkon.MoveFull) {
			t.Errorf("%s: the map is %v", of, moved.Map)
		}
	}
}

func TestOptimizeLandmarksRefuses(t *testing.T) {
	sheared := make([]float64, 25)
	sheared[1*5+3] = 0.5
	for want, c := range map[string]struct {
		n int
		o falkon.Options
		d falkon.LandmarkOptions
	}{
		"squared loss alone": {50, falkon.Options{Lambda: 1, Loss: loss.Huber{K: 1, Scale: 1}}, falkon.LandmarkOptions{}},
		"is not known":       {50, falkon.Options{Lambda: 1}, falkon.LandmarkOptions{Of: "round"}},
		"may be negative":    {50, falkon.Options{Lambda: 1}, falkon.LandmarkOptions{Steps: -1}},
		"has 3 numbers":      {50, falkon.Options{Lambda: 1}, falkon.LandmarkOptions{Start: []float64{1, 2, 3}}},
		"row 1, column 3":    {50, falkon.Options{Lambda: 1}, falkon.LandmarkOptions{Of: falkon.MoveDiagonal, Start: sheared}},
		"too few":            {9, falkon.Options{Lambda: 1}, falkon.LandmarkOptions{}},
		"lambda":             {50, falkon.Options{}, falkon.LandmarkOptions{}},
		"moving 5 landmarks": {50, falkon.Options{Lambda: 1, Compute: compute.Options{MaxMemory: 1000}}, falkon.LandmarkOptions{}},
		"are all 0":          {50, falkon.Options{Lambda: 1, Weights: append([]float64{1}, make([]float64, 49)...)}, falkon.LandmarkOptions{}},
	} {
		if _, err := descended(t, c.n, 5, c.o, c.d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	xs, y, _ := oneDirection(t, 50)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := falkon.OptimizeLandmarks(ctx, vec.RBF{}, nil, xs, xs.Gather(span(0, 3)), y, falkon.Options{Lambda: 1}, falkon.LandmarkOptions{}); err != context.Canceled {
		t.Errorf("a cancelled descent: %v", err)
	}
}
