package kerneltest_test

import (
	"context"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
)

// inFamily is a kernel of a family whose shortcuts are spoiled in one way.
type inFamily struct {
	letters
	family shortcuts
}

func (k inFamily) Family() kernel.Family[string] { return k.family }

func (k inFamily) With(v []float64) (kernel.Kernel[string], error) {
	of, err := k.letters.With(v)
	if err != nil {
		return nil, err
	}
	return inFamily{of.(letters), k.family}, nil
}

// shortcuts is a family that stores nothing and contracts pair by pair, scaled by
// wrong factors.
type shortcuts struct {
	reuse, contract, workers float64
}

func (f shortcuts) Bind(k kernel.Kernel[string], rows, cols data.Set[string]) kernel.Pairs {
	return kernel.BindPointwise(k, rows, cols)
}

func (f shortcuts) Store(_ context.Context, k kernel.Kernel[string], xs data.Set[string], _ int64, _ kernel.TileCache) (kernel.Reusable[string], error) {
	return storedPairs{f.Bind(k, xs, xs), f, xs}, nil
}

func (f shortcuts) Contract(ctx context.Context, k kernel.Differentiable[string], xs data.Set[string], m kernel.Tile, workers int) ([]float64, error) {
	g, err := kernel.ContractPointwise(ctx, k, xs, m, workers)
	for i := range g {
		g[i] *= f.contract
		if workers > 1 {
			g[i] *= f.workers
		}
	}
	return g, err
}

type storedPairs struct {
	kernel.Pairs
	f  shortcuts
	xs data.Set[string]
}

func (p storedPairs) Reuse(k kernel.Kernel[string]) (kernel.Pairs, bool) {
	of := kernel.BindPointwise(k, p.xs, p.xs)
	return pairs{of, bound{tile: func(of kernel.Pairs, dst kernel.Tile, row, col int) {
		of.Tile(dst, row, col)
		for i := range dst.Rows {
			scaleRow(dst.Row(i), p.f.reuse)
		}
	}}}, true
}

func TestRunComparesShortcuts(t *testing.T) {
	for _, c := range []struct {
		f    shortcuts
		says string
	}{
		{shortcuts{1, 1, 1}, ""},
		{shortcuts{1 + 0x1p-50, 1, 1}, "from what was stored"},
		{shortcuts{1, 1 + 1e-9, 1}, "pair by pair"},
		{shortcuts{1, 1, 1 + 0x1p-50}, "with one worker and"},
	} {
		var r recorder
		kerneltest.Run(&r, inFamily{letters{1.5}, c.f}, words, kerneltest.Options[string]{})
		all := strings.Join(r.reports, "\n")
		if c.says == "" && all != "" || !strings.Contains(all, c.says) {
			t.Errorf("%+v: the suite reports %q, want %q", c.f, all, c.says)
		}
	}
}
