package gram_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/gram/gramtest"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
)

// Every implementation of a source, and what hides in one: a matrix that is tiled anew, one in
// memory, points of vectors and of strings, and a source that selects rows in no way of its own.
func TestSources(t *testing.T) {
	const n = 40
	xs := data.MakeVectors(n, 3)
	for i := range n {
		for d := range 3 {
			xs.At(i)[d] = math.Sin(float64(1 + 7*i + 3*d + i*i%11))
		}
	}
	words := make(data.Slice[string], n)
	for i := range words {
		words[i] = "gattaca"[i%5:] + "ca"[:i%3] + "tgatt"[i%4:]
	}
	poly, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	spectrum := kernel.Kernel[string](seq.Spectrum{K: 2})
	rbf := vec.RBF{Sigma: 1.5}
	bound := kernel.Bind(rbf, xs, xs)
	matrix, err := gram.Dense(t.Context(), bound, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testSource(t, "vectors", gram.On(rbf, xs), rbf, xs)
	testSource(t, "vectors with features", gram.On(poly, xs), poly, xs)
	testSource(t, "strings", gram.On(spectrum, data.Set[string](words)), spectrum, data.Set[string](words))
	testSource(t, "pairs", gram.RowsOf(bound), rbf, xs)
	testSource(t, "a matrix in memory", gram.RowsOf(gram.FromMatrix(matrix).Pairs()), rbf, xs)
	testSource(t, "another implementation", foreign{gram.On(rbf, xs)}, rbf, xs)
	op, err := gram.SourceOf(t.Context(), products{gram.FromMatrix(matrix)}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testSource(t, "products alone", op, rbf, xs)
}

// foreign has nothing but the methods of the interface.
type foreign struct{ gram.Source }

// products hides the elements.
type products struct{ gram.Operator }

func testSource[T any](t *testing.T, name string, s gram.Source, k kernel.Kernel[T], xs data.Set[T]) {
	t.Run(name, func(t *testing.T) {
		subset := func(s gramtest.Source, rows []int) gramtest.Source { return gram.Subset(s, rows) }
		gramtest.RunSource(t, s, subset, func(i, j int) (value, scale float64) {
			return k.Eval(xs.At(i), xs.At(j)), math.Sqrt(k.Eval(xs.At(i), xs.At(i)) * k.Eval(xs.At(j), xs.At(j)))
		}, 1e-12)
		checkDesign(t, s, k, xs)
	})
}

// checkDesign compares ΦΦᵀ of some rows, and of a subset of them, with the kernel.
func checkDesign[T any](t *testing.T, s gram.Source, k kernel.Kernel[T], xs data.Set[T]) {
	t.Helper()
	type featured interface {
		Design(rows []int) (design.Matrix, bool)
	}
	whole, ok := s.(featured)
	if !ok {
		return
	}
	rows := []int{9, 3, 3, 0, 20}
	d, ok := whole.Design(rows)
	part, still := gram.Subset(s, []int{20, 0, 3, 9}).(featured)
	if !still {
		t.Fatal("a subset has lost its features")
	}
	again, still := part.Design([]int{3, 2, 2, 1, 0})
	if still != ok {
		t.Fatalf("a subset has features: %v, the whole: %v", still, ok)
	}
	if !ok {
		return
	}
	for _, d := range []design.Matrix{d, again} {
		phi := mat.NewDense(d.Rows, d.Dim, nil)
		if err := d.Fill(t.Context(), phi, 0); err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for j, col := range rows {
				got, want := mat.Dot(phi.RowView(i), phi.RowView(j)), k.Eval(xs.At(row), xs.At(col))
				if math.Abs(got-want) > 1e-12*math.Max(1, math.Abs(want)) {
					t.Errorf("⟨φ, φ⟩ of rows %d and %d is %v, the kernel %v", row, col, got, want)
				}
			}
		}
	}
}

// TestSelectionsForward: rows and columns of bound pairs, in runs, turned and repeated, keep what
// the pairs can do; a run of rows of a tall matrix, too.
func TestSelectionsForward(t *testing.T) {
	const n = 17
	rows := []int{3, 4, 5, 16, 0, 0, 7}
	for _, cols := range [][]int{rows, {1, 2, 3, 9}, nil} {
		kerneltest.Forwards(t, kerneltest.Wrapping{Size: n, Rows: rows, Cols: cols,
			Wrap: func(p kernel.Pairs) kernel.Pairs { return gram.RowsOf(p).Bind(rows, cols) }})
	}
	twice := []int{6, 2, 2}
	kerneltest.Forwards(t, kerneltest.Wrapping{Size: n, Rows: []int{7, 5, 5}, Cols: []int{7, 5, 5},
		Wrap: func(p kernel.Pairs) kernel.Pairs {
			return gram.RowsOf(gram.RowsOf(p).Bind(rows, rows)).Bind(twice, twice)
		}})
}

// TestSourceOfRefusesRectangles: an operator of two different sets has no rows of one set.
func TestSourceOfRefusesRectangles(t *testing.T) {
	xs := data.MakeVectors(4, 1)
	cross := gram.Cross(kernel.Bind(vec.Kernel(vec.RBF{}), xs, data.Run(xs, 0, 3)), compute.Options{})
	if _, err := gram.SourceOf(t.Context(), cross, compute.Options{}); err == nil {
		t.Error("a 4×3 operator was taken")
	}
}
