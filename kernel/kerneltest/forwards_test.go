package kerneltest_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
)

// forgetful hides all abilities; eager claims single precision whatever it wraps.
type (
	forgetful struct{ kernel.Pairs }
	eager     struct{ kernel.Pairs }
	misplaced struct{ kernel.Pairs }
)

func (e eager) Tile32(dst kernel.Tile32, row, col int) { kernel.Fill32(e.Pairs, dst, row, col) }

func (m misplaced) Tile(dst kernel.Tile, row, col int) { m.Pairs.Tile(dst, col, row+1) }

// A wrapper that loses an ability, one that claims what it has not, and one with other elements are
// found; pairs themselves pass.
func TestForwardsFindsWhatIsLost(t *testing.T) {
	kerneltest.Forwards(t, kerneltest.Wrapping{Size: 5, Wrap: func(p kernel.Pairs) kernel.Pairs { return p }})
	kerneltest.Forwards(t, kerneltest.Wrapping{Size: 5, Wrap: func(p kernel.Pairs) kernel.Pairs { return kerneltest.Counting(p, new(atomic.Int64)) }})
	for name, tc := range map[string]struct {
		wrap func(p kernel.Pairs) kernel.Pairs
		want []string
	}{
		"forgetful": {func(p kernel.Pairs) kernel.Pairs { return forgetful{p} },
			[]string{"single precision is false, of the pairs themselves true", "norms are known: false", "no diagonal", "the price is +Inf", "a cache was given <nil>"}},
		"eager":     {func(p kernel.Pairs) kernel.Pairs { return eager{p} }, []string{"single precision is true, of the pairs themselves false"}},
		"misplaced": {func(p kernel.Pairs) kernel.Pairs { return misplaced{p} }, []string{"row 0, column 0"}},
		"picky":     {func(kernel.Pairs) kernel.Pairs { return nil }, []string{"takes none"}},
	} {
		found := new(recorder)
		kerneltest.Forwards(found, kerneltest.Wrapping{Size: 5, Wrap: tc.wrap})
		for _, want := range tc.want {
			if !strings.Contains(strings.Join(found.reports, "\n"), want) {
				t.Errorf("%s: no report of %q in %q", name, want, found.reports)
			}
		}
	}
}
