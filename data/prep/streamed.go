package prep

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"
	"time"

	"example.org/mercer/data"
)

// Streamed are prepared rows that stay in the file of their table. They are read and encoded when
// they are used, with the same bits as those of a table in memory. The last blocks are cached, and
// the one after a run is read ahead. It is safe for concurrent use.
//
// A set of points cannot fail, and a file can: rows that cannot be read are zeros, and
// [Streamed.Err] returns the error, which callers must check. [Streamed.OnError] reports it at
// once.
type Streamed struct {
	p       *Pipeline
	s       *source
	columns []int // of the table, that have features
	starts  []int // kept rows in front of every block and, at the end, all of them
	width   int

	mu       sync.Mutex
	cached   map[int]*cachedBlock
	recent   []int // those cached, the last used at the end
	capacity int
	err      error
	onError  func(error)
}

// cachedBlock is a block that was read or is being read.
type cachedBlock struct {
	ready chan struct{}
	xs    data.Vectors
}

var (
	_ data.Gatherer[[]float64] = (*Streamed)(nil)
	_ data.Runner[[]float64]   = (*Streamed)(nil)
	_ data.Parted[[]float64]   = (*Streamed)(nil)
	_ data.Rows                = (*Streamed)(nil)
)

// Vectors returns the rows, wherever they are.
func (p *Prepared) Vectors() data.Rows {
	if p.Streamed != nil {
		return p.Streamed
	}
	return p.X
}

func newStreamed(p *Pipeline, s *source, width int) *Streamed {
	f := &Streamed{p: p, s: s, width: width, cached: map[int]*cachedBlock{}}
	for j, c := range p.columns {
		if c.Role == feature && s.has(j) {
			f.columns = append(f.columns, s.at[j])
		}
	}
	for _, start := range s.Starts() {
		f.starts = append(f.starts, sort.SearchInts(s.rows, start))
	}
	// A worker goes through two blocks for a run that begins within one, and reads one ahead.
	f.capacity = 3 * runtime.GOMAXPROCS(0)
	return f
}

// Stream returns rows that were prepared before: those of the given numbers in the table, which
// ascend.
func (p *Pipeline) Stream(b data.Blocks, kept []int) (*Streamed, error) {
	v, _, err := p.match(b.Schema())
	if err != nil {
		return nil, err
	}
	s := &source{Blocks: b, at: v.at, units: p.units(), rows: kept, streamed: true}
	if n := len(kept); n > 0 && kept[n-1] >= s.size() {
		return nil, fmt.Errorf("prep: row %d of a table of %d rows", kept[n-1]+1, s.size())
	}
	return newStreamed(p, s, p.width()), nil
}

// Part returns some of the rows, in rising order, which stay in the file, too.
func (f *Streamed) Part(index []int) data.Set[[]float64] { return f.Some(index) }

// Some is Part with its type. An error of the part is one of the rows.
func (f *Streamed) Some(index []int) *Streamed {
	s := *f.s
	s.rows = data.Pick(f.s.rows, index)
	part := newStreamed(f.p, &s, f.width)
	part.onError = f.fail
	return part
}

// Kept returns the numbers of the rows in the table, ascending. They are not written to.
func (f *Streamed) Kept() []int { return f.s.rows }

// Len returns the number of rows.
func (f *Streamed) Len() int { return len(f.s.rows) }

// Dim returns the number of features.
func (f *Streamed) Dim() int { return f.width }

// Bytes returns what the blocks take that are held, and those that are being read, twice: of those
// that were let go as much piles up until the collector looks.
func (f *Streamed) Bytes() int64 {
	longest := 0
	for b := 1; b < len(f.starts); b++ {
		longest = max(longest, f.starts[b]-f.starts[b-1])
	}
	reading := 2 * runtime.GOMAXPROCS(0) // each worker, and the one ahead of it
	return 2 * 8 * int64(longest) * (int64(f.capacity)*int64(f.width) + 2*int64(reading)*int64(len(f.columns)))
}

// PassSeconds predicts a pass over all rows, from the time that one block takes to be read and
// encoded; 0 where all blocks stay in memory.
func (f *Streamed) PassSeconds() float64 {
	if len(f.starts)-1 <= f.capacity || f.starts[1] == 0 {
		return 0
	}
	fastest := math.Inf(1)
	for range 2 { // the first also brings the file into memory
		began := time.Now()
		f.load(0, &cachedBlock{ready: make(chan struct{})})
		fastest = min(fastest, time.Since(began).Seconds())
	}
	return fastest * float64(f.Len()) / float64(f.starts[1])
}

// At returns row i, which is not written to.
func (f *Streamed) At(i int) []float64 {
	b := f.blockOf(i)
	return f.block(b).At(i - f.starts[b])
}

// Subset reads the rows at the given indices, in that order.
func (f *Streamed) Subset(index []int) data.Set[[]float64] { return f.Gather(index) }

// Gather is Subset with its type.
func (f *Streamed) Gather(index []int) data.Vectors {
	out := data.MakeVectors(len(index), f.width)
	order := make([]int, len(index)) // so that every block is read once
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return index[a] - index[b] })
	for _, i := range order {
		copy(out.At(i), f.At(index[i]))
	}
	return out
}

// Run reads the rows from ≤ i < to, and begins to read those behind them.
func (f *Streamed) Run(from, to int) data.Set[[]float64] {
	out := data.MakeVectors(to-from, f.width)
	for i := from; i < to; {
		b := f.blockOf(i)
		rows := min(to, f.starts[b+1]) - i
		copy(out.Raw()[(i-from)*f.width:], f.block(b).Raw()[(i-f.starts[b])*f.width:][:rows*f.width])
		i += rows
	}
	if to < f.Len() {
		f.prefetch(f.blockOf(to))
	}
	return out
}

// Err returns the first error of a read.
func (f *Streamed) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// OnError sets the function that is called with the first error of a read, and returns the one
// before.
func (f *Streamed) OnError(call func(error)) (before func(error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before, f.onError = f.onError, call
	return before
}

// blockOf returns the block of a row.
func (f *Streamed) blockOf(i int) int { return sort.SearchInts(f.starts, i+1) - 1 }

// block returns the vectors of a block.
func (f *Streamed) block(b int) data.Vectors {
	f.mu.Lock()
	h, known := f.cached[b]
	if known {
		if last := len(f.recent) - 1; f.recent[last] != b {
			f.recent = append(slices.DeleteFunc(f.recent, func(c int) bool { return c == b }), b)
		}
	} else {
		h = f.makeSpace(b)
	}
	f.mu.Unlock()
	if !known {
		f.load(b, h)
	}
	<-h.ready
	return h.xs
}

// prefetch begins to read a block.
func (f *Streamed) prefetch(b int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.cached[b]; !known {
		go f.load(b, f.makeSpace(b))
	}
}

// makeSpace adds a block, in place of the least recently used one. The caller holds the mutex.
func (f *Streamed) makeSpace(b int) *cachedBlock {
	if len(f.recent) == f.capacity {
		delete(f.cached, f.recent[0])
		f.recent = slices.Delete(f.recent, 0, 1)
	}
	h := &cachedBlock{ready: make(chan struct{})}
	f.cached[b], f.recent = h, append(f.recent, b)
	return h
}

// load reads and encodes a block.
func (f *Streamed) load(b int, h *cachedBlock) {
	defer close(h.ready)
	h.xs = data.MakeVectors(f.starts[b+1]-f.starts[b], f.width)
	t, err := f.s.Block(b, f.columns)
	if err == nil {
		rows := slices.Clone(f.s.rows[f.starts[b]:f.starts[b+1]])
		for i := range rows {
			rows[i] -= t.Before
		}
		v := view{table: t, at: f.s.at, units: f.s.units}
		err = f.p.encodeFeatures(h.xs, v, rows, make([]encodeCounts, len(f.p.columns)))
	}
	if err != nil {
		f.fail(err)
	}
}

func (f *Streamed) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return
	}
	if f.err = err; f.onError != nil {
		f.onError(err)
	}
}
