package falkon_test

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	molecule "example.org/mercer/data/graph"
	"example.org/mercer/data/graph/tudataset"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
)

// TestStringsAreTheExactProblem learns promoters from the counts of their words of three
// letters. Of the 106 sections only 64 are independent.
func TestStringsAreTheExactProblem(t *testing.T) {
	xs, y := promoters(t)
	restricted[string](t, seq.Spectrum{K: 3}, xs, y, 40)
	unrestricted[string](t, seq.Spectrum{K: 3}, xs, y)
}

// TestGraphsAreTheExactProblem learns the mutagenic molecules of MUTAG, of which some are the
// same for the kernel.
func TestGraphsAreTheExactProblem(t *testing.T) {
	folder := testkit.Shared(t, "graphs/MUTAG")
	molecules, err := tudataset.Graphs(t.Context(), folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	labels := lines(t, filepath.Join(folder, "MUTAG_graph_labels.txt"))
	y := mat.NewDense(len(labels), 1, nil)
	for i, label := range labels {
		v, err := strconv.ParseFloat(strings.TrimSpace(label), 64)
		if err != nil {
			t.Fatal(err)
		}
		y.Set(i, 0, v)
	}
	k := graph.WL{Rounds: 2}
	restricted(t, k, data.Slice[*molecule.Graph](molecules), y, 30)
	unrestricted(t, k, data.Slice[*molecule.Graph](molecules), y)
}

// pointsLambda is small beside k(x, x), which is 50 and more.
const pointsLambda = 1e-2

// restricted compares with the normal equations of m < n landmarks.
func restricted[T any](t *testing.T, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense, m int) {
	t.Helper()
	got, l, r := onLandmarks(t, k, xs, y, m)
	want := normalEquations(t, k, xs, l, y, nil, pointsLambda, true)
	// K_nmᵀK_nm has the square of the condition of K_nm, so that its solution is known to
	// no more than 1e-9 here.
	agree(t, got, want, r, 1e-9)
}

// unrestricted compares with ridge regression, which all rows as landmarks are.
func unrestricted[T any](t *testing.T, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense) {
	t.Helper()
	got, _, r := onLandmarks(t, k, xs, y, xs.Len())
	f, _, err := krr.Fit(t.Context(), k, xs, y, krr.Options{Lambda: pointsLambda})
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	agree(t, got, want, r, 1e-11)
}

// onLandmarks returns the values of a fit at the rows, and the landmarks that it used.
func onLandmarks[T any](t *testing.T, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense, m int) (*mat.Dense, data.Set[T], *falkon.Report) {
	t.Helper()
	l, _, err := nystrom.Landmarks(t.Context(), k, xs, nystrom.Options{Scheme: nystrom.Uniform, Rank: m, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	f, r, err := falkon.Fit(t.Context(), k, xs, l, y, falkon.Options{Lambda: pointsLambda, Stop: falkon.Stop{Tolerance: 1e-8}})
	if err != nil {
		t.Fatal(err)
	}
	values, err := f.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Converged || r.Landmarks+r.Repeated != m {
		t.Errorf("%d landmarks: report %+v", m, r)
	}
	return values, f.Points, r
}

// agree allows what the report bounds. P is quadratic: where it is a gap g above its minimum,
// Σ(f − f*)²/2N ≤ g over the rows, constants included, and no value is off by more than √(2Ng).
// Jitter on the diagonal of K_mm moves values by jitter/R·‖K_nmK_mm⁺‖²‖y‖, in which n/m stands
// for the square where rows are like landmarks; rounding, by its share of ‖y‖ = √n.
func agree(t *testing.T, got, want *mat.Dense, r *falkon.Report, rounding float64) {
	t.Helper()
	n, m := float64(r.N), float64(r.Landmarks)
	tolerance := math.Sqrt(2*n*r.Gap) + (r.Jitter/r.Ridge*n/m+rounding)*math.Sqrt(n)
	if d := worst(got, want); !(d <= tolerance) || tolerance > 1e-5 {
		t.Errorf("%d landmarks: values differ by %.3g, and %.3g is allowed: gap %.3g, jitter %.3g", r.Landmarks, d, tolerance, r.Gap, r.Jitter)
	}
}

// promoters returns the sequences of the shared set, with 1 for a promoter and −1.
func promoters(t *testing.T) (data.Slice[string], *mat.Dense) {
	t.Helper()
	var xs data.Slice[string]
	var y []float64
	for _, line := range lines(t, testkit.Shared(t, "sequences/promoters.data")) {
		cells := strings.Split(line, ",")
		if len(cells) != 3 {
			t.Fatalf("%q has %d cells", line, len(cells))
		}
		xs = append(xs, strings.TrimSpace(cells[2]))
		y = append(y, map[string]float64{"+": 1, "-": -1}[cells[0]])
	}
	return xs, mat.NewDense(len(y), 1, y)
}

// lines returns the lines of a file.
func lines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		out = append(out, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
