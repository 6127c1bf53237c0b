package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel"
)

// Tiles of this many rows and columns are read together.
const (
	blockRows = 64
	blockCols = 512
)

// centredProducts are what alignments are made of.
type centredProducts struct {
	inner *mat.SymDense // ⟨K̃ₖ, K̃ₗ⟩; the last is the target's ỸỸᵀ
	size  []float64     // τₖ
}

// norms are ‖K̃ₖ‖, the last that of the target's.
func (m *centredProducts) norms() []float64 {
	norm := make([]float64, m.inner.SymmetricDim())
	for k := range norm {
		norm[k] = math.Sqrt(max(0, m.inner.At(k, k)))
	}
	return norm
}

// measure computes the moments of p terms and the targets from tiles: n²p kernel values
// and n²p²/2 multiplications, O(np) memory. A constant near the mean of each term is
// taken from it first; it changes nothing, and leaves small numbers to add.
func measure(ctx context.Context, terms []kernel.Pairs, y *mat.Dense, o *Options) (*centredProducts, error) {
	n, _ := terms[0].Dims()
	var all []kernel.Pairs
	for _, t := range terms {
		all = append(all, kernel.Cached(t, o.Compute.Store))
	}
	all = append(all, outer{centred(y, o)})
	s := &tilePass{terms: all, o: o, n: n, shift: make([]float64, len(all)), w: make([]float64, n)}
	for i := range n {
		s.w[i] = o.weight(i)
	}
	first := kernel.NewTile(1, min(n, blockCols))
	for k, t := range all {
		t.Tile(first, 0, 0)
		s.shift[k] = floats.Sum(first.Data) / float64(first.Cols)
		if math.IsNaN(s.shift[k]) || math.IsInf(s.shift[k], 0) {
			s.shift[k] = 0 // the sums will say so
		}
	}
	blocks, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	return s.finish(blocks)
}

// centred returns Y less its weighted mean.
func centred(y *mat.Dense, o *Options) *mat.Dense {
	out := mat.DenseCopyOf(y)
	n, m := y.Dims()
	for j := range m {
		sum, total := 0.0, 0.0
		for i := range n {
			sum += o.weight(i) * y.At(i, j)
			total += o.weight(i)
		}
		for i := range n {
			out.Set(i, j, y.At(i, j)-sum/total)
		}
	}
	return out
}

// outer presents YYᵀ as bound pairs.
type outer struct{ y *mat.Dense }

func (p outer) Dims() (rows, cols int) { n, _ := p.y.Dims(); return n, n }

func (p outer) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		for j := range dst.Cols {
			dst.Row(i)[j] = floats.Dot(p.y.RawRowView(row+i), p.y.RawRowView(col+j))
		}
	}
}

// tilePass is one pass over the tiles of all terms.
type tilePass struct {
	terms []kernel.Pairs
	o     *Options
	n     int
	shift []float64
	w     []float64
}

// block holds the sums over some rows.
type block struct {
	inner []float64   // Σ wᵢwⱼ KₖKₗ, p×p, upper triangle
	sums  [][]float64 // Σⱼ wⱼ Kₖ[i,j] per term and row
	trace []float64   // Σ wᵢ Kₖ[i,i]
}

// run sums blocks of rows, each by one worker, so that sums do not depend on how
// many there are.
func (s *tilePass) run(ctx context.Context) ([]block, error) {
	blocks := make([]block, (s.n+blockRows-1)/blockRows)
	workers := s.o.Compute.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	told := s.o.Compute.Meter("gram", int64(len(blocks)))
	errs := make([]error, len(blocks))
	for range min(workers, len(blocks)) {
		wait.Go(func() {
			tiles, weighted := make([]kernel.Tile, len(s.terms)), make([]float64, blockCols)
			for k := range tiles {
				tiles[k] = kernel.NewTile(blockRows, blockCols)
			}
			for b := int(next.Add(1)) - 1; b < len(blocks) && ctx.Err() == nil; b = int(next.Add(1)) - 1 {
				if blocks[b], errs[b] = s.checkpointedBlock(ctx, b, tiles, weighted); errs[b] != nil {
					return
				}
				told.Add(1)
			}
		})
	}
	wait.Wait()
	return blocks, errors.Join(append(errs, ctx.Err())...)
}

// checkpointedBlock is block b as a step of a checkpoint.
func (s *tilePass) checkpointedBlock(ctx context.Context, b int, tiles []kernel.Tile, weighted []float64) (block, error) {
	out, row := s.newBlock(b*blockRows), b*blockRows
	err := s.o.Compute.Step(ctx, fmt.Sprint("rows ", row), append(out.sums, out.inner, out.trace), func() error {
		s.add(ctx, &out, row, tiles, weighted)
		return ctx.Err()
	})
	return out, err
}

// newBlock returns empty sums for the rows from one on.
func (s *tilePass) newBlock(row int) block {
	p := len(s.terms)
	b := block{inner: make([]float64, p*p), sums: make([][]float64, p), trace: make([]float64, p)}
	for k := range b.sums {
		b.sums[k] = make([]float64, min(blockRows, s.n-row))
	}
	return b
}

// add sums over the rows of a block, from one on.
func (s *tilePass) add(ctx context.Context, b *block, row int, tiles []kernel.Tile, weighted []float64) {
	p, rows := len(s.terms), min(blockRows, s.n-row)
	for col := 0; col < s.n && ctx.Err() == nil; col += blockCols {
		cols := min(blockCols, s.n-col)
		w := s.w[col : col+cols]
		for k, t := range s.terms {
			tiles[k].Rows, tiles[k].Cols, tiles[k].Stride = rows, cols, cols
			t.Tile(tiles[k], row, col)
			floats.AddConst(-s.shift[k], tiles[k].Data[:rows*cols])
		}
		for i := range rows {
			for k := range s.terms {
				values := tiles[k].Row(i)
				if at := row + i - col; at >= 0 && at < cols {
					b.trace[k] += s.w[row+i] * values[at]
				}
				floats.MulTo(weighted[:cols], values, w)
				b.sums[k][i] += floats.Sum(weighted[:cols])
				for l := k; l < p; l++ {
					b.inner[k*p+l] += s.w[row+i] * floats.Dot(weighted[:cols], tiles[l].Row(i))
				}
			}
		}
	}
}

// finish centres the sums: ⟨K̃ₖ, K̃ₗ⟩ = Σ wᵢwⱼKₖKₗ − (2/N) Σ wᵢrₖᵢrₗᵢ + sₖsₗ/N², with r the
// weighted sums of rows and s those of all.
func (s *tilePass) finish(blocks []block) (*centredProducts, error) {
	p, total := len(s.terms), floats.Sum(s.w)
	inner, trace, sums := make([]float64, p*p), make([]float64, p), make([]float64, p)
	cross := make([]float64, p*p)
	for at, b := range blocks {
		floats.Add(inner, b.inner)
		floats.Add(trace, b.trace)
		for k := range p {
			for i, r := range b.sums[k] {
				w := s.w[at*blockRows+i]
				sums[k] += w * r
				for l := k; l < p; l++ {
					cross[k*p+l] += w * r * b.sums[l][i]
				}
			}
		}
	}
	m := &centredProducts{inner: mat.NewSymDense(p, nil), size: make([]float64, p)}
	for k := range p {
		m.size[k] = (trace[k] - sums[k]/total) / total
		for l := k; l < p; l++ {
			v := inner[k*p+l] - 2/total*cross[k*p+l] + sums[k]*sums[l]/total/total
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("mkl: the kernel of term %d, counted from 0, has a value on these rows that is not finite, or too large to be squared", k)
			}
			m.inner.SetSym(k, l, v)
		}
		// What is left of a constant is rounding.
		if m.size[k] <= 1e-13*math.Abs(trace[k]/total) || m.inner.At(k, k) <= 1e-26*inner[k*p+k] {
			m.size[k] = 0
		}
	}
	return m, nil
}
