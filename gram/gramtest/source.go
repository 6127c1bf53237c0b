package gramtest

import (
	"context"
	"slices"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
)

// Source is what is tested: gram.Source, declared here so that the tests of package gram can call
// this suite.
type Source interface {
	Len() int
	Bind(rows, cols []int) kernel.Pairs
}

// What a source may do beyond that, see gram.Source.
type (
	anchored interface {
		Columns(cols []int, maxBytes int64) (bind func(rows []int, reuse kernel.Pairs) kernel.Pairs, ok bool)
	}
	selfValued interface {
		Diagonal(ctx context.Context, dst []float64, rows []int, workers int) (ok bool, err error)
	}
	bound interface{ Pairs() kernel.Pairs }
)

// RunSource checks, each in a subtest, that a source of at least 12 rows
//
//   - binds any rows to any: in their order, repeated, in runs, none at all, and all for nil;
//   - gives want(i, j) = k(xᵢ, xⱼ) pair by pair, to the bound times the scale that want returns,
//     with the same bits in every tile and beside other calls, and likewise in single precision
//     (see [kerneltest.Pairs]);
//   - binds the columns of columns with the bits of Bind, and evaluates the diagonal as Bind does,
//     for 1, 2 and 3 workers alike, where it can;
//   - loses nothing in a subset, or in a subset of that: neither values nor abilities. subset is
//     gram.Subset.
func RunSource(t *testing.T, s Source, subset func(s Source, rows []int) Source, want func(i, j int) (value, scale float64), bound float64) {
	t.Helper()
	c := sourceCheck{want: want, bound: bound}
	t.Run("all rows", func(t *testing.T) { c.run(t, s, upTo(s.Len())) })
	n := s.Len()
	some := []int{n - 1, 0, 1, 2, 2, n / 2, 5, 4}
	t.Run("a subset", func(t *testing.T) {
		part := subset(s, some)
		c.run(t, part, some)
		sameAbilities(t, s, part)
	})
	t.Run("a subset of a subset", func(t *testing.T) {
		part := subset(subset(s, some), []int{3, 1, 6, 0, 2})
		c.run(t, part, []int{2, 0, 5, n - 1, 1})
		sameAbilities(t, s, part)
	})
	t.Run("all rows as a subset", func(t *testing.T) { sameAbilities(t, s, subset(s, nil)) })
}

// sourceCheck compares a source whose rows are some of those that want knows.
type sourceCheck struct {
	want  func(i, j int) (value, scale float64)
	bound float64
}

func (c sourceCheck) run(t *testing.T, s Source, of []int) {
	t.Helper()
	n := len(of)
	if s.Len() != n {
		t.Fatalf("Len() = %d, want %d", s.Len(), n)
	}
	turned := upTo(n)
	slices.Reverse(turned)
	for name, b := range map[string]struct{ rows, cols []int }{
		"all": {nil, nil}, "a row": {[]int{n - 1}, nil}, "runs": {[]int{1, 2, 3, 0}, []int{2, 3, 0, 1, 4}}, "turned": {turned, nil},
		"repeated": {[]int{2, 2, 0}, []int{1, 1, 1, 3}}, "no rows": {[]int{}, []int{1}}, "the same": {turned, turned},
	} {
		rows, cols := picked(of, b.rows), picked(of, b.cols)
		p := s.Bind(b.rows, b.cols)
		kerneltest.Pairs(t, name, p, len(rows), len(cols), func(i, j int) (value, scale float64) { return c.want(rows[i], cols[j]) }, c.bound)
		c.columns(t, name, s, b.rows, b.cols)
	}
	c.diagonal(t, s, of)
}

// columns compares anchored columns with Bind.
func (c sourceCheck) columns(t *testing.T, name string, s Source, rows, cols []int) {
	t.Helper()
	able, ok := s.(anchored)
	if !ok {
		return
	}
	bind, ok := able.Columns(cols, 0)
	if !ok {
		t.Errorf("%s: columns are refused without a limit", name)
		return
	}
	want := whole(s.Bind(rows, cols))
	first := bind([]int{0}, nil)
	for _, reuse := range []kernel.Pairs{nil, first} {
		if got := whole(bind(rows, reuse)); !slices.Equal(got, want) {
			t.Errorf("%s: other bits than those of Bind, reusing pairs: %v", name, reuse != nil)
		}
	}
}

// diagonal compares the diagonal with that of the pairs.
func (c sourceCheck) diagonal(t *testing.T, s Source, of []int) {
	t.Helper()
	able, ok := s.(selfValued)
	if !ok {
		return
	}
	for _, rows := range [][]int{nil, {3, 1, 1, 0}} {
		var first []float64
		for _, workers := range []int{1, 2, 3} {
			got := make([]float64, len(picked(of, rows)))
			if known, err := able.Diagonal(t.Context(), got, rows, workers); err != nil {
				t.Fatal(err)
			} else if !known {
				return
			}
			for i, row := range picked(of, rows) {
				if value, scale := c.want(row, row); !(got[i] == value || got[i]-value <= c.bound*scale && value-got[i] <= c.bound*scale) {
					t.Errorf("element %d of the diagonal is %v, want %v", i, got[i], value)
				}
			}
			if first == nil {
				first = got
			}
			if !slices.Equal(got, first) {
				t.Errorf("%d workers: other bits of the diagonal", workers)
			}
		}
	}
}

// sameAbilities requires what the whole can do of a part.
func sameAbilities(t *testing.T, whole, part Source) {
	t.Helper()
	for _, ability := range abilities {
		if ability.has(whole) && !ability.has(part) {
			t.Errorf("a subset has lost: %s", ability.name)
		}
	}
}

var abilities = []struct {
	name string
	has  func(s Source) bool
}{
	{"single precision", func(s Source) bool { _, has := s.Bind(nil, nil).(kernel.Single); return has }},
	{"norms", func(s Source) bool { _, has := s.Bind(nil, nil).(kernel.Normed); return has }},
	{"a diagonal of pairs", func(s Source) bool { _, has := s.Bind(nil, nil).(kernel.Diagonal); return has }},
	{"the price of a value", func(s Source) bool { _, has := s.Bind(nil, nil).(kernel.Costed); return has }},
	{"that it is bound already", func(s Source) bool { _, has := s.(bound); return has }},
	{"columns", func(s Source) bool {
		able, has := s.(anchored)
		if has {
			_, has = able.Columns(nil, 0)
		}
		return has
	}},
	{"a diagonal", func(s Source) bool {
		able, has := s.(selfValued)
		if has {
			has, _ = able.Diagonal(context.Background(), make([]float64, s.Len()), nil, 1)
		}
		return has
	}},
}

// whole returns all elements of bound pairs.
func whole(p kernel.Pairs) []float64 {
	rows, cols := p.Dims()
	tile := kernel.NewTile(rows, cols)
	p.Tile(tile, 0, 0)
	return tile.Data
}

// picked returns of[rows[0]], of[rows[1]], …; all for nil.
func picked(of, rows []int) []int {
	if rows == nil {
		return of
	}
	out := make([]int, len(rows))
	for i, r := range rows {
		out[i] = of[r]
	}
	return out
}

// upTo returns 0 … n−1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
