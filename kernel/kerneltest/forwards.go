package kerneltest

import (
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// Wrapping is a wrapper of bound pairs: elements of others are presented as its own.
type Wrapping struct {
	// Size is the number of row points and of column points of the pairs to be wrapped.
	Size int
	// Wrap returns the wrapper, nil for pairs that it does not take.
	Wrap func(p kernel.Pairs) kernel.Pairs
	// Rows and Cols are the rows and columns that the wrapper shows; nil: all, in order.
	Rows, Cols []int
	// Kept says that the wrapper has its tiles from a cache already.
	Kept bool
}

// Forwards checks that a wrapper passes on what the wrapped pairs can do, and claims nothing that
// they cannot. It is given pairs with none of the optional abilities, with each of them alone and
// with all:
//
//   - single precision ([kernel.Single]) and norms ([kernel.Normed]) are there exactly where the
//     wrapped pairs have them, and come from these;
//   - the diagonal ([kernel.Diagonal]) has the bits of the tiles;
//   - the price ([kernel.Costed]) is that of the wrapped pairs;
//   - a cache ([kernel.Cached]) is handed the wrapped pairs, and nothing is lost behind it.
func Forwards(t TB, w Wrapping) {
	t.Helper()
	if w.Rows == nil {
		w.Rows = upTo(w.Size)
	}
	if w.Cols == nil {
		w.Cols = upTo(w.Size)
	}
	e := elements{w.Size}
	taken := 0
	for name, p := range map[string]kernel.Pairs{
		"no abilities": e, "single precision": singleElements{e}, "norms": normedElements{e}, "a diagonal": diagonalElements{e},
		"a price": pricedElements{e}, "an identity": identifiedElements{e}, "all abilities": ableElements{e},
	} {
		wrapped := w.Wrap(p)
		if wrapped == nil {
			continue
		}
		taken++
		w.compare(t, "wrapped pairs with "+name, p, wrapped)
		k := new(tileCache)
		w.compare(t, "wrapped pairs with "+name+" behind a cache", p, kernel.Cached(wrapped, k))
		if _, worth := p.(kernel.Identified); worth && !w.Kept && k.given != p {
			t.Errorf("wrapped pairs with %s: a cache was given %v", name, k.given)
		}
	}
	if taken == 0 {
		t.Errorf("the wrapper takes none of the pairs")
	}
}

// compare checks one wrapper.
func (w Wrapping) compare(t TB, what string, p, wrapped kernel.Pairs) {
	t.Helper()
	e := elements{w.Size}
	_, single := p.(kernel.Single)
	_, normed := p.(kernel.Normed)
	got, isSingle := wrapped.(kernel.Single)
	if isSingle != single {
		t.Errorf("%s: single precision is %v, of the pairs themselves %v", what, isSingle, single)
	}
	norms, isNormed := wrapped.(kernel.Normed)
	if isNormed != normed {
		t.Errorf("%s: norms are known: %v, of the pairs themselves %v", what, isNormed, normed)
	}
	if _, has := p.(kernel.Diagonal); has {
		if _, still := wrapped.(kernel.Diagonal); !still {
			t.Errorf("%s: there is no diagonal", what)
		}
	}
	if got, want := kernel.Cost(wrapped), kernel.Cost(p); got != want {
		t.Errorf("%s: the price is %v, of the pairs themselves %v", what, got, want)
	}
	c := tileCheck{p: wrapped, want: func(i, j int) (value, scale float64) { return e.value(w.Rows[i], w.Cols[j]), 0 },
		close:  func(got, want, _ float64) bool { return same(got, want) },
		errorf: func(format string, args ...any) { t.Helper(); t.Errorf("%s: %s", what, fmt.Sprintf(format, args...)) },
	}
	c.run(len(w.Rows), len(w.Cols))
	if isSingle && single {
		tile := kernel.NewTile32(len(w.Rows), len(w.Cols))
		got.Tile32(tile, 0, 0)
		for i, row := range w.Rows {
			for j, col := range w.Cols {
				if tile.Row(i)[j] != e.value32(row, col) {
					t.Errorf("%s: element (%d, %d) in single precision is %v, that of the pairs themselves %v", what, i, j, tile.Row(i)[j], e.value32(row, col))
					return
				}
			}
		}
	}
	if isNormed && normed {
		rows, cols := make([]float64, len(w.Rows)), make([]float64, len(w.Cols))
		norms.Norms(rows, cols)
		for i, row := range w.Rows {
			if rows[i] != rowNorm(row) {
				t.Errorf("%s: the norm of row %d is %v, want %v", what, i, rows[i], rowNorm(row))
			}
		}
		for j, col := range w.Cols {
			if cols[j] != colNorm(col) {
				t.Errorf("%s: the norm of column %d is %v, want %v", what, j, cols[j], colNorm(col))
			}
		}
	}
}

// upTo returns 0 … n−1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// elements are made of their indices; nothing that can be forwarded follows from anything else.
type elements struct{ n int }

func (e elements) value(row, col int) float64 { return float64(row*col) + float64(row+col)/3 }
func (e elements) value32(row, col int) float32 {
	return float32(-1 - e.value(row, col)) // what no rounding makes of the value
}
func rowNorm(row int) float64 { return 7 + float64(row) }
func colNorm(col int) float64 { return -7 - float64(col) }

func (e elements) Dims() (rows, cols int) { return e.n, e.n }

func (e elements) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		for j := range dst.Cols {
			dst.Row(i)[j] = e.value(row+i, col+j)
		}
	}
}

func (e elements) tile32(dst kernel.Tile32, row, col int) {
	for i := range dst.Rows {
		for j := range dst.Cols {
			dst.Row(i)[j] = e.value32(row+i, col+j)
		}
	}
}

func (e elements) norms(rows, cols []float64) {
	for i := range rows {
		rows[i] = rowNorm(i)
	}
	for j := range cols {
		cols[j] = colNorm(j)
	}
}

func (e elements) diag(dst []float64) {
	for i := range dst {
		dst[i] = e.value(i, i)
	}
}

// price is one that no default has.
func (e elements) price() float64 { return math.Pi }

func (e elements) identity(single bool) (kernel.Identity, bool) {
	digest := func(from, to int) [32]byte { return [32]byte{byte(from), byte(from >> 8), byte(to), byte(to >> 8)} }
	return kernel.Identity{Text: fmt.Sprint("elements ", e.n), Rows: digest, Symmetric: true, Single: single}, true
}

// Pairs with one ability each, and with all.
type (
	singleElements     struct{ elements }
	normedElements     struct{ elements }
	diagonalElements   struct{ elements }
	pricedElements     struct{ elements }
	identifiedElements struct{ elements }
	ableElements       struct{ elements }
)

func (e singleElements) Tile32(dst kernel.Tile32, row, col int) { e.tile32(dst, row, col) }
func (e normedElements) Norms(rows, cols []float64)             { e.norms(rows, cols) }
func (e diagonalElements) Diag(dst []float64)                   { e.diag(dst) }
func (e pricedElements) Cost() float64                          { return e.price() }
func (e identifiedElements) Identity() (kernel.Identity, bool)  { return e.identity(false) }
func (e ableElements) Tile32(dst kernel.Tile32, row, col int)   { e.tile32(dst, row, col) }
func (e ableElements) Norms(rows, cols []float64)               { e.norms(rows, cols) }
func (e ableElements) Diag(dst []float64)                       { e.diag(dst) }
func (e ableElements) Cost() float64                            { return e.price() }
func (e ableElements) Identity() (kernel.Identity, bool)        { return e.identity(true) }

// tileCache notes what it is given, and gives it back.
type tileCache struct{ given kernel.Pairs }

func (k *tileCache) Cached(p kernel.Identified) kernel.Pairs {
	k.given = p
	return p
}
