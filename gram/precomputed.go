package gram

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Precomputed is a kernel whose points are the ids of the rows of a matrix in memory:
// k("a", "b") is the element in row "a" and column "b". With it a Gram matrix that was
// computed elsewhere is accepted wherever a kernel is.
//
// A symmetric matrix (training points against themselves) has one list of ids; a
// rectangular one has the ids of its rows (new points) and of its columns (training
// points), and knows only the pairs that it holds.
type Precomputed struct {
	source         string
	k              *mat.Dense
	rowIDs, colIDs []string
	row, col       map[string]int
	symmetric      bool
	distances      bool // it was made of distances, see FromDistances
}

var (
	_ kernel.Binder[string] = (*Precomputed)(nil)
	_ kernel.Domain[string] = (*Precomputed)(nil)
	_ kernel.Exact[string]  = (*Precomputed)(nil)
	_ kernel.Deriver        = (*Precomputed)(nil)
	_ kernel.Describer      = (*Precomputed)(nil)
)

// NewPrecomputed returns the kernel of matrix k, which is not copied and must not be
// written afterwards. source names it in messages and in String: the file it was
// read from. rowIDs name its rows, nil standing for "0", "1", …; colIDs name its
// columns, nil saying that they are the rows: k must then be square and symmetric
// ([checkSymmetric]), and its upper triangle is what counts. Errors name the first
// duplicate id or element that is not finite.
func NewPrecomputed(source string, k *mat.Dense, rowIDs, colIDs []string) (*Precomputed, error) {
	rows, cols := k.Dims()
	p := &Precomputed{source: source, k: k, rowIDs: rowIDs, colIDs: colIDs, symmetric: colIDs == nil}
	if rowIDs == nil {
		p.rowIDs = make([]string, rows)
		for i := range rows {
			p.rowIDs[i] = strconv.Itoa(i)
		}
	}
	check := checkFinite
	if p.symmetric {
		p.colIDs, check = p.rowIDs, checkSymmetric
	}
	if err := check(k); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	var err error
	if p.row, err = indexIDs(p.rowIDs, rows, "row"); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if p.col, err = indexIDs(p.colIDs, cols, "column"); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	return p, nil
}

// checkFinite returns an error that names the first element that is NaN or infinite.
func checkFinite(k *mat.Dense) error {
	rows, _ := k.Dims()
	for i := range rows {
		for j, v := range k.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("gram: element (%d, %d) is %v; a Gram matrix holds finite numbers", i, j, v)
			}
		}
	}
	return nil
}

// indexIDs returns the position of every id.
func indexIDs(ids []string, n int, what string) (map[string]int, error) {
	if len(ids) != n {
		return nil, fmt.Errorf("gram: %d %s ids for a matrix of %d %ss; give one id per %s", len(ids), what, n, what, what)
	}
	at := make(map[string]int, n)
	for i, id := range ids {
		if first, ok := at[id]; ok {
			return nil, fmt.Errorf("gram: %ss %d and %d have the same id %q; ids must differ", what, first+1, i+1, id)
		}
		at[id] = i
	}
	return at, nil
}

// RowIDs returns the ids of the rows. Do not change them.
func (p *Precomputed) RowIDs() []string { return p.rowIDs }

// ColIDs returns the ids of the columns. Do not change them.
func (p *Precomputed) ColIDs() []string { return p.colIDs }

// Symmetric reports whether the columns are the rows.
func (p *Precomputed) Symmetric() bool { return p.symmetric }

// Matrix returns the symmetric matrix in the order of RowIDs, or nil for a matrix that
// is rectangular, empty, or a window of a larger one. It shares its storage with the
// kernel, which reads the upper triangle only: a factorisation may put its factor in
// the other half.
func (p *Precomputed) Matrix() *mat.SymDense {
	raw := p.k.RawMatrix()
	if !p.symmetric || raw.Rows == 0 || raw.Stride != raw.Cols {
		return nil
	}
	return mat.NewSymDense(raw.Rows, raw.Data)
}

// String returns gram(file="…") with the source, and what the file holds where that is distances.
func (p *Precomputed) String() string { return p.expression() }

// Eval returns the element of a pair of ids in either order, NaN for a pair that the
// matrix does not hold.
func (p *Precomputed) Eval(x, y string) float64 {
	return p.at(p.position(x), p.position(y))
}

// position is where an id stands among the rows and the columns, −1 for nowhere.
type position struct{ row, col int }

func (p *Precomputed) position(id string) position {
	at := position{-1, -1}
	if i, ok := p.row[id]; ok {
		at.row = i
	}
	if j, ok := p.col[id]; ok {
		at.col = j
	}
	return at
}

// at returns the element of two points. Of two elements that hold the same pair the
// one with the smaller row counts, so that the result is symmetric to the last bit.
func (p *Precomputed) at(x, y position) float64 {
	straight, swapped := x.row >= 0 && y.col >= 0, y.row >= 0 && x.col >= 0
	switch {
	case straight && (!swapped || x.row <= y.row):
		return p.k.At(x.row, y.col)
	case swapped:
		return p.k.At(y.row, x.col)
	}
	return math.NaN()
}

// Contains returns an error that names the id, and similar ones, unless the matrix
// has a row or a column of that id.
func (p *Precomputed) Contains(id string) error {
	if at := p.position(id); at.row >= 0 || at.col >= 0 {
		return nil
	}
	err := fmt.Errorf("gram: %s has no row or column with id %q", p.source, id)
	if near := nearIDs(id, p.rowIDs, p.colIDs); len(near) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	if len(p.rowIDs) > 0 {
		return fmt.Errorf("%w; its %d rows are named %q … %q", err, len(p.rowIDs), p.rowIDs[0], p.rowIDs[len(p.rowIDs)-1])
	}
	return err
}

// Covers returns an error that names the first pair of ids that the matrix does not
// hold.
func (p *Precomputed) Covers(rows, cols data.Set[string]) error {
	for _, set := range []data.Set[string]{rows, cols} {
		for i := range set.Len() {
			if err := p.Contains(set.At(i)); err != nil {
				return err
			}
		}
	}
	if p.symmetric {
		return nil
	}
	for i := range rows.Len() {
		x := p.position(rows.At(i))
		for j := range cols.Len() {
			if y := p.position(cols.At(j)); (x.row < 0 || y.col < 0) && (y.row < 0 || x.col < 0) {
				return fmt.Errorf("gram: %s has no element for the pair %q, %q: its rows and columns are different points, so it must hold one of them as a row and the other as a column",
					p.source, rows.At(i), cols.At(j))
			}
		}
	}
	return nil
}

// Derive says that nothing is known: the spectrum of the matrix decides.
func (p *Precomputed) Derive() kernel.Derivation {
	if p.distances {
		return kernel.Derivation{Kernel: p.String(), Verdict: kernel.Unknown,
			Reason: "−½d² is conditionally positive definite if and only if the distances are Euclidean; the eigenvalues about the mean decide for these points"}
	}
	return kernel.Derivation{Kernel: p.String(), Verdict: kernel.Unknown,
		Reason: "a matrix that was computed elsewhere states no reason; the eigenvalues decide for these points"}
}

// EvalBig returns the element as the dyadic rational that it is, so that what is said
// of a stored matrix can be said exactly.
func (p *Precomputed) EvalBig(x, y string, prec uint) (*big.Float, error) {
	v := p.Eval(x, y)
	if math.IsNaN(v) {
		return nil, fmt.Errorf("gram: %s has no element for the pair %q, %q", p.source, x, y)
	}
	return new(big.Float).SetPrec(max(prec, 53)).SetFloat64(v), nil
}

// Reference says where the numbers come from.
func (p *Precomputed) Reference() kernel.Reference {
	domain := fmt.Sprintf("the ids of its %d rows", len(p.rowIDs))
	if !p.symmetric {
		domain += fmt.Sprintf(" and %d columns, one of each", len(p.colIDs))
	}
	if p.distances {
		return kernel.Reference{Name: "gram", Title: "distances found elsewhere", Formula: "k(a, b) = −½d², d = the element in row a and column b of " + p.source,
			Domain: domain, Source: p.source}
	}
	return kernel.Reference{Name: "gram", Title: "Gram matrix computed elsewhere", Formula: "k(a, b) = the element in row a and column b of " + p.source,
		Domain: domain, Source: p.source}
}

// Bind looks every id up once.
func (p *Precomputed) Bind(rows, cols data.Set[string]) kernel.Pairs {
	return boundIDs{of: p, rows: p.positions(rows), cols: p.positions(cols)}
}

func (p *Precomputed) positions(set data.Set[string]) []position {
	at := make([]position, set.Len())
	for i := range at {
		at[i] = p.position(set.At(i))
	}
	return at
}

// boundIDs is a Precomputed kernel bound to two sets of ids.
type boundIDs struct {
	of         *Precomputed
	rows, cols []position
}

func (b boundIDs) Dims() (rows, cols int) { return len(b.rows), len(b.cols) }

func (b boundIDs) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		x, out := b.rows[row+i], dst.Row(i)
		for j := range out {
			out[j] = b.of.at(x, b.cols[col+j])
		}
	}
}

// nearIDs returns up to three ids that differ from id in case, in blanks around it,
// or in at most two edits (one edit for ids of up to four bytes).
func nearIDs(id string, lists ...[]string) []string {
	var near []string
	limit := 2
	if len(id) <= 4 {
		limit = 1
	}
	for _, ids := range lists {
		for _, other := range ids {
			similar := strings.EqualFold(strings.TrimSpace(id), strings.TrimSpace(other)) || withinEdits(id, other, limit)
			if quoted := strconv.Quote(other); similar && !slices.Contains(near, quoted) {
				if near = append(near, quoted); len(near) == 3 {
					return near
				}
			}
		}
	}
	return near
}

// withinEdits reports whether at most limit insertions, deletions and replacements of
// bytes turn a into b (Levenshtein's distance, row by row of its table).
func withinEdits(a, b string, limit int) bool {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return false
	}
	above, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j]+cost, above[j+1]+1, row[j]+1)
		}
		above, row = row, above
	}
	return above[len(b)] <= limit
}
