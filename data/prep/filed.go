package prep

import (
	"runtime"
	"slices"
	"sort"
	"sync"

	"example.org/mercer/data"
)

// Filed are prepared rows that stay in the file of their table: whoever asks for some of them has
// them read and encoded, the same bits as those of a table in memory. The blocks that were asked
// for last are kept, and the one behind a run is read ahead. It is safe for concurrent use.
//
// A set of points cannot fail, and a file can: rows that cannot be read are zeros, and the error
// is that of [Filed.Err], which whoever uses them must look at. [Filed.Watch] tells of it at once.
type Filed struct {
	p       *Pipeline
	s       *stock
	columns []int // of the table, that have features
	starts  []int // kept rows in front of every block and, at the end, all of them
	width   int

	mu     sync.Mutex
	held   map[int]*heldBlock
	recent []int // those held, the last used at the end
	most   int
	err    error
	alarm  func(error)
}

// heldBlock is a block that was read or is on its way.
type heldBlock struct {
	ready chan struct{}
	xs    data.Vectors
}

var (
	_ data.Gatherer[[]float64] = (*Filed)(nil)
	_ data.Runner[[]float64]   = (*Filed)(nil)
	_ data.Rows                = (*Filed)(nil)
)

// Vectors returns the rows, wherever they are.
func (p *Prepared) Vectors() data.Rows {
	if p.Filed != nil {
		return p.Filed
	}
	return p.X
}

func newFiled(p *Pipeline, s *stock, width int) *Filed {
	f := &Filed{p: p, s: s, width: width, held: map[int]*heldBlock{}}
	for j, c := range p.columns {
		if c.Role == feature && s.has(j) {
			f.columns = append(f.columns, s.at[j])
		}
	}
	for _, start := range s.Starts() {
		f.starts = append(f.starts, sort.SearchInts(s.rows, start))
	}
	// A worker goes through two blocks for a run that begins within one, and reads one ahead.
	f.most = 3 * runtime.GOMAXPROCS(0)
	return f
}

// Len returns the number of rows.
func (f *Filed) Len() int { return len(f.s.rows) }

// Dim returns the number of features.
func (f *Filed) Dim() int { return f.width }

// Bytes returns what the blocks take that are held, and those that are being read, twice: of those
// that were let go as much piles up until the collector looks.
func (f *Filed) Bytes() int64 {
	longest := 0
	for b := 1; b < len(f.starts); b++ {
		longest = max(longest, f.starts[b]-f.starts[b-1])
	}
	reading := 2 * runtime.GOMAXPROCS(0) // each worker, and the one ahead of it
	return 2 * 8 * int64(longest) * (int64(f.most)*int64(f.width) + 2*int64(reading)*int64(len(f.columns)))
}

// At returns row i, which is not written to.
func (f *Filed) At(i int) []float64 {
	b := f.blockOf(i)
	return f.block(b).At(i - f.starts[b])
}

// Subset reads the rows at the given indices, in that order.
func (f *Filed) Subset(index []int) data.Set[[]float64] { return f.Gather(index) }

// Gather is Subset with its type.
func (f *Filed) Gather(index []int) data.Vectors {
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
func (f *Filed) Run(from, to int) data.Set[[]float64] {
	out := data.MakeVectors(to-from, f.width)
	for i := from; i < to; {
		b := f.blockOf(i)
		rows := min(to, f.starts[b+1]) - i
		copy(out.Raw()[(i-from)*f.width:], f.block(b).Raw()[(i-f.starts[b])*f.width:][:rows*f.width])
		i += rows
	}
	if to < f.Len() {
		f.ahead(f.blockOf(to))
	}
	return out
}

// Err returns the first error of a read.
func (f *Filed) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Watch has a function told the first error of a read, in place of an earlier one.
func (f *Filed) Watch(alarm func(error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.alarm = alarm
}

// blockOf returns the block of a row.
func (f *Filed) blockOf(i int) int { return sort.SearchInts(f.starts, i+1) - 1 }

// block returns the vectors of a block.
func (f *Filed) block(b int) data.Vectors {
	f.mu.Lock()
	h, known := f.held[b]
	if known {
		if last := len(f.recent) - 1; f.recent[last] != b {
			f.recent = append(slices.DeleteFunc(f.recent, func(c int) bool { return c == b }), b)
		}
	} else {
		h = f.admit(b)
	}
	f.mu.Unlock()
	if !known {
		f.load(b, h)
	}
	<-h.ready
	return h.xs
}

// ahead begins to read a block.
func (f *Filed) ahead(b int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.held[b]; !known {
		go f.load(b, f.admit(b))
	}
}

// admit makes room for a block. The caller holds the mutex.
func (f *Filed) admit(b int) *heldBlock {
	if len(f.recent) == f.most {
		delete(f.held, f.recent[0])
		f.recent = slices.Delete(f.recent, 0, 1)
	}
	h := &heldBlock{ready: make(chan struct{})}
	f.held[b], f.recent = h, append(f.recent, b)
	return h
}

// load reads and encodes a block.
func (f *Filed) load(b int, h *heldBlock) {
	defer close(h.ready)
	h.xs = data.MakeVectors(f.starts[b+1]-f.starts[b], f.width)
	t, err := f.s.Block(b, f.columns)
	if err == nil {
		rows := slices.Clone(f.s.rows[f.starts[b]:f.starts[b+1]])
		for i := range rows {
			rows[i] -= t.Before
		}
		v := view{table: t, at: f.s.at, rows: f.s.Starts()[b+1] - f.s.Starts()[b]}
		err = f.p.encodeFeatures(h.xs, v, rows, make([]tally, len(f.p.columns)))
	}
	if err != nil {
		f.fail(err)
	}
}

func (f *Filed) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return
	}
	if f.err = err; f.alarm != nil {
		f.alarm(err)
	}
}
