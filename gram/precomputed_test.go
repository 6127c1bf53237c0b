package gram

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

func square3() *mat.Dense {
	return mat.NewDense(3, 3, []float64{4, 1, 2, 1, 5, 3, 2, 3, 6})
}

func TestPrecomputedIsAKernelOfIDs(t *testing.T) {
	p, err := NewPrecomputed("K.npy", square3(), []string{"ann", "bob", "cid"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Eval("ann", "cid") != 2 || p.Eval("cid", "ann") != 2 || p.Eval("bob", "bob") != 5 {
		t.Error("elements are not those of the matrix")
	}
	if !math.IsNaN(p.Eval("ann", "dan")) {
		t.Error("an unknown id has a value")
	}
	if got, want := p.String(), `gram(file="K.npy")`; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
	rows, cols := data.Slice[string]{"cid", "ann", "cid"}, data.Slice[string]{"bob", "cid"}
	bound, slow := kernel.Bind(p, data.Set[string](rows), data.Set[string](cols)), kernel.BindPointwise(p, data.Set[string](rows), data.Set[string](cols))
	fast, want := kernel.NewTile(2, 2), kernel.NewTile(2, 2)
	bound.Tile(fast, 1, 0)
	slow.Tile(want, 1, 0)
	for i := range want.Data {
		if fast.Data[i] != want.Data[i] {
			t.Errorf("bound tile %v, want %v", fast.Data, want.Data)
		}
	}
	if err := p.Covers(rows, cols); err != nil {
		t.Error(err)
	}
}

func TestPrecomputedRectangle(t *testing.T) {
	k := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	p, err := NewPrecomputed("new.npy", k, []string{"x", "b"}, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range []struct {
		x, y string
		want float64
	}{{"x", "c", 3}, {"c", "x", 3}, {"x", "b", 2}, {"b", "x", 2}, {"b", "b", 5}, {"b", "a", 4}} {
		if got := p.Eval(pair.x, pair.y); got != pair.want {
			t.Errorf("k(%s, %s) = %v, want %v", pair.x, pair.y, got, pair.want)
		}
	}
	if !math.IsNaN(p.Eval("a", "c")) || !math.IsNaN(p.Eval("x", "x")) {
		t.Error("a pair of two columns, or of two rows, has a value")
	}
	var got mat.Dense
	bound := kernel.Bind(p, data.Set[string](data.Slice[string](p.RowIDs())), data.Set[string](data.Slice[string](p.ColIDs())))
	if err := Rect(t.Context(), &got, bound, compute.Options{}); err != nil || !mat.Equal(&got, k) {
		t.Errorf("bound to its own ids the kernel is not its matrix: %v, error %v", got, err)
	}
	err = p.Covers(data.Slice[string]{"x"}, data.Slice[string]{"b", "x"})
	if err == nil || !strings.Contains(err.Error(), `"x", "x"`) {
		t.Errorf("the pair of two rows is covered: %v", err)
	}
}

func TestPrecomputedNumbersItsRows(t *testing.T) {
	p, err := NewPrecomputed("K.npy", square3(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := kernel.Derive(p); d.Verdict != kernel.Unknown {
		t.Errorf("a matrix from elsewhere is %s", d.Verdict)
	}
	if card := p.Reference(); card.Domain != "the ids of its 3 rows" || card.Source != "K.npy" {
		t.Errorf("card %+v does not name 3 rows of K.npy", card)
	}
	if p.Eval("0", "2") != 2 || p.RowIDs()[2] != "2" || !p.Symmetric() {
		t.Error("rows without ids are not called 0, 1, 2")
	}
}

func TestPrecomputedNamesUnknownIDs(t *testing.T) {
	p, err := NewPrecomputed("K.npy", square3(), []string{"sample-1", "sample-2", "control"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"sample_1": `"sample-1"`,             // one byte replaced; sample-2 is two edits away
		"Control ": `"control"`,              // case and blanks
		"zebra":    `"sample-1" … "control"`, // nothing similar
	} {
		err := p.Contains(id)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), id) {
			t.Errorf("Contains(%q) = %v, want a message with %s", id, err, want)
		}
	}
	if err := p.Contains("control"); err != nil {
		t.Error(err)
	}
}

func TestPrecomputedRefusesBadMatrices(t *testing.T) {
	lopsided := square3()
	lopsided.Set(2, 0, 2.5)
	hole := mat.NewDense(1, 2, []float64{1, math.NaN()})
	for want, make := range map[string]func() (*Precomputed, error){
		"not symmetric":                     func() (*Precomputed, error) { return NewPrecomputed("K", lopsided, nil, nil) },
		"element (0, 1) is NaN":             func() (*Precomputed, error) { return NewPrecomputed("K", hole, nil, []string{"a", "b"}) },
		"must be square":                    func() (*Precomputed, error) { return NewPrecomputed("K", mat.NewDense(1, 2, nil), nil, nil) },
		"rows 1 and 3 have the same id \"a": func() (*Precomputed, error) { return NewPrecomputed("K", square3(), []string{"a", "b", "a"}, nil) },
		"2 row ids for a matrix of 3 rows":  func() (*Precomputed, error) { return NewPrecomputed("K", square3(), []string{"a", "b"}, nil) },
		"1 column ids for a matrix of 3 co": func() (*Precomputed, error) { return NewPrecomputed("K", square3(), nil, []string{"a"}) },
	} {
		if _, err := make(); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "K: ") {
			t.Errorf("error %v, want one with %q that begins with the source", err, want)
		}
	}
}

func TestWithinEdits(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		edits int
	}{{"", "", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"", "ab", 2}, {"flaw", "lawn", 2}} {
		if !withinEdits(c.a, c.b, c.edits) || !withinEdits(c.b, c.a, c.edits) {
			t.Errorf("%q and %q are not within %d edits", c.a, c.b, c.edits)
		}
		if c.edits > 0 && withinEdits(c.a, c.b, c.edits-1) {
			t.Errorf("%q and %q are within %d edits", c.a, c.b, c.edits-1)
		}
	}
}

// A solver that puts its factor in the lower triangle does not change the kernel.
func TestPrecomputedLendsItsMatrix(t *testing.T) {
	p, err := NewPrecomputed("K.npy", square3(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	k := p.Matrix()
	if !mat.Equal(k, square3()) {
		t.Error("Matrix is not the matrix")
	}
	k.RawSymmetric().Data[3] = 99 // element (1, 0) of the storage
	if p.Eval("1", "0") != 1 || p.Eval("0", "1") != 1 {
		t.Error("the kernel reads the lower triangle")
	}
	rectangle, err := NewPrecomputed("K.npy", mat.NewDense(1, 1, nil), nil, []string{"a"})
	if err != nil || rectangle.Matrix() != nil {
		t.Errorf("a rectangular matrix was lent as symmetric (error %v)", err)
	}
}
