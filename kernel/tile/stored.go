package tile

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// storedBlock is the edge of the square blocks in which a stored statistic lies.
const storedBlock = 64

// storedField is the lower triangle of a statistic of all pairs of one set, computed
// once: 4n² bytes. Blocks follow one another row by row, each row-major.
type storedField struct {
	of     *field
	blocks []float64
}

// storedBytes is the memory of one stored statistic of n points.
func storedBytes(n int) int64 {
	b := int64(n+storedBlock-1) / storedBlock
	return b * (b + 1) / 2 * storedBlock * storedBlock * 8
}

func (s *storedField) block(bi, bj int) []float64 {
	at := (bi*(bi+1)/2 + bj) * storedBlock * storedBlock
	return s.blocks[at : at+storedBlock*storedBlock]
}

func (s *storedField) norms() (rows, cols []float64) { return s.of.norms() }

// fill copies; what lies above the diagonal is read from its mirror image, which has
// the same bits because statistics are symmetric to the bit.
func (s *storedField) fill(dst []float64, stride, low, high, from, to int) {
	const perBlock = storedBlock / simd.PanelWidth
	bi := low / storedBlock
	for q := from; q < to; q++ {
		bj, j0 := q/perBlock, q%perBlock*simd.PanelWidth
		for i := low; i < high; i++ {
			out := dst[(i-low)*stride+(q-from)*simd.PanelWidth:][:simd.PanelWidth]
			if bj <= bi {
				copy(out, s.block(bi, bj)[i%storedBlock*storedBlock+j0:])
				continue
			}
			mirror := s.block(bj, bi)
			for j := range out {
				out[j] = mirror[(j0+j)*storedBlock+i%storedBlock]
			}
		}
	}
}

// storeField computes all blocks of the lower triangle on all cores, or reads them from
// a cache, which may be nil.
func storeField(ctx context.Context, f *field, cache kernel.TileCache) (*storedField, error) {
	n, from := f.cols.n, cachedSource(f, cache)
	s := &storedField{of: f, blocks: make([]float64, storedBytes(n)/8)}
	count := (n + storedBlock - 1) / storedBlock
	panels := (n + simd.PanelWidth - 1) / simd.PanelWidth
	const perBlock = storedBlock / simd.PanelWidth
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(count, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				bi := int(next.Add(1)) - 1
				if bi >= count {
					return
				}
				for bj := 0; bj <= bi && ctx.Err() == nil; bj++ {
					for low := bi * storedBlock; low < min((bi+1)*storedBlock, n); low += group {
						high := min(low+group, n)
						from.fill(s.block(bi, bj)[low%storedBlock*storedBlock:], storedBlock, low, high, bj*perBlock, min((bj+1)*perBlock, panels))
					}
				}
			}
		})
	}
	wg.Wait()
	return s, ctx.Err()
}

// Stored is a bound plan that keeps its statistics for others.
type Stored struct {
	*pairs
	xs   data.Set[[]float64]
	kept map[string]*storedField // by the text of the statistic
}

// Store computes the statistics of a plan for all pairs of xs and keeps them, in 4n² bytes each;
// those that are worth it come from the cache, if there is one. It returns nil where maxBytes
// would be exceeded; 0 means no limit.
func Store(ctx context.Context, plan *Plan, xs data.Set[[]float64], maxBytes int64, cache kernel.TileCache) (*Stored, error) {
	if maxBytes > 0 && int64(len(plan.Statistics))*storedBytes(xs.Len()) > maxBytes {
		return nil, nil
	}
	s := &Stored{xs: xs, kept: map[string]*storedField{}}
	sources := make([]source[float64], len(plan.Statistics))
	for i := range plan.Statistics {
		f, err := storeField(ctx, bindStatistic(&plan.Statistics[i], xs, xs, true), cache)
		if err != nil {
			return nil, err
		}
		sources[i], s.kept[plan.Statistics[i].String()] = f, f
	}
	s.pairs = newPairs(plan, sources, xs.Len(), xs.Len())
	return s, nil
}

// Reuse binds another plan to the same points, with the statistics that are kept, and reports
// whether there are any.
func (s *Stored) Reuse(plan *Plan) (p kernel.Pairs, shared bool) {
	sources := make([]source[float64], len(plan.Statistics))
	for i := range plan.Statistics {
		if f := s.kept[plan.Statistics[i].String()]; f != nil {
			sources[i], shared = f, true
			continue
		}
		sources[i] = bindStatistic(&plan.Statistics[i], s.xs, s.xs, true)
	}
	return newPairs(plan, sources, s.xs.Len(), s.xs.Len()), shared
}
