package manifold

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/linalg"
)

func TestNearestAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		values := make([]float64, 1+r.IntN(30))
		for i := range values {
			values[i] = float64(r.IntN(8)) // with many ties
		}
		k, skip := r.IntN(len(values)+2), r.IntN(len(values)+1)-1
		var want []int
		for i := range values {
			if i != skip {
				want = append(want, i)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
		if got := nearest(values, k, skip); !slices.Equal(got, want[:min(k, len(want))]) {
			t.Errorf("the %d nearest but %d of %v are %v, want %v", k, skip, values, got, want[:min(k, len(want))])
		}
	}
}

// Floyd and Warshall's algorithm, written out.
func TestShortestAgainstAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 40
	joined, want := make([][]edge, n), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			want.Set(i, j, math.Inf(1))
		}
		want.Set(i, i, 0)
	}
	for range 70 {
		i, j, d := r.IntN(n), r.IntN(n), r.Float64()
		joined[i], joined[j] = append(joined[i], edge{j, d}), append(joined[j], edge{i, d})
		if i != j && d < want.At(i, j) {
			want.Set(i, j, d)
			want.Set(j, i, d)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				want.Set(i, j, min(want.At(i, j), want.At(i, k)+want.At(k, j)))
			}
		}
	}
	got := make([]float64, n)
	for i := range n {
		shortest(got, joined, i)
		for j, d := range got {
			if math.IsInf(want.At(i, j), 1) != math.IsInf(d, 1) {
				t.Fatalf("from %d to %d: %v, want %v", i, j, d, want.At(i, j))
			}
			if !math.IsInf(d, 1) {
				testkit.Close(t, "length", d, want.At(i, j), 1e-14)
			}
		}
	}
}

// The inverse has the eigenvectors of the matrix. Rounding is ε/λ₂ relative to the eigenvalues.
func TestInvertedAgainstAllEigenvectors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, k = 80, 3
	var rows [][]entry // of I − W, each of sum 0
	for i := range n {
		row := []entry{{i, 1}}
		for _, j := range []int{(i + 1) % n, (i + 2) % n, (i + 7) % n} {
			row = append(row, entry{j, -r.Float64()})
		}
		sum := row[1].value + row[2].value + row[3].value
		for a := 1; a < len(row); a++ {
			row[a].value /= -sum
		}
		rows = append(rows, row)
	}
	s := &search{ctx: t.Context(), o: Options{Components: k}, report: &Report{}}
	values, vectors, err := s.inverted(gramOf(rows, n), slices.Repeat([]float64{1 / math.Sqrt(n)}, n))
	if err != nil {
		t.Fatal(err)
	}
	e, err := linalg.EigenSym(t.Context(), gramOf(rows, n), linalg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "least eigenvalue", e.Values[0], 0, 1e-14)
	testkit.CloseSlice(t, "eigenvalues", values, e.Values[1:k+1], 1e-10)
	for j := range k {
		dot := 0.0
		for i := range n {
			dot += vectors.At(i, j) * e.Vectors.At(i, j+1)
		}
		testkit.Close(t, "cosine", math.Abs(dot), 1, 1e-9)
	}
	if _, _, err := s.least(func() *mat.SymDense { return gramOf(rows[:n/2], n) }); err != nil || len(s.report.Warnings) != 1 {
		t.Errorf("more than one eigenvalue zero: %v, %q", err, s.report.Warnings)
	}
}

// The eigenvalues of a walk that are found by the inverse are those of its matrix.
func TestWalkedAgainstAllEigenvectors(t *testing.T) {
	const n, k = smallOrder + 1, 2
	w, roots := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range n { // a ring: the eigenvalues are those of a circulant matrix, each twice
		w.SetSym(i, (i+1)%n, 0.5)
		w.SetSym(i, (i+2)%n, 0.25)
		roots[i] = 1 / math.Sqrt(1.5)
	}
	multiply(w, roots)
	s := &search{ctx: t.Context(), o: Options{Components: k}, report: &Report{}, found: &Map{Radii: make([]float64, n)}}
	values, vectors, err := s.walked(w, roots)
	if err != nil {
		t.Fatal(err)
	}
	angle := 2 * math.Pi / n
	want := (math.Cos(angle) + math.Cos(2*angle)/2) / 1.5
	testkit.CloseSlice(t, "eigenvalues", values, []float64{want, want}, 1e-12)
	for i := range n { // cosine and sine in some turn: the squares of the coordinates add up to 2/n
		r := math.Hypot(vectors.At(i, 0), vectors.At(i, 1))
		testkit.Close(t, "radius", r, math.Sqrt(2.0/n), 1e-8)
	}
}

// However far a point is, it is placed: the affinities to all are 0 there in floating point.
func TestFarPointsOfAWalkStepToTheNearest(t *testing.T) {
	m := &Map{Shape: Shape{Method: DiffusionMap}, Coordinates: mat.NewDense(2, 1, []float64{1, 2}), Factors: mat.NewDense(2, 1, []float64{3, 4}), Shares: []float64{1, 1}}
	dst := []float64{math.NaN()}
	m.Place(dst, &View{Values: []float64{0, 0}, Squares: []float64{1e9, 1e8}})
	testkit.Close(t, "placed", dst[0], 4, 0)
	m.Place(dst, &View{Values: []float64{0.25, 0.75}, Squares: []float64{2, 1}})
	testkit.Close(t, "placed", dst[0], 3.75, 1e-15)
}
