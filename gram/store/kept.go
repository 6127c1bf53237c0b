package store

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"mercer/internal/mapfile"
	"mercer/kernel"
)

const (
	// side is that of a tile, as mercer/gram asks for them.
	side = 128
	// fewest is the number of rows and of columns below which nothing is kept.
	fewest = side / 2
	// mostTiles bounds the tiles of one matrix, each of which takes some memory to know
	// of. A matrix of 2²⁰ tiles has 137 GB.
	mostTiles = 1 << 20
	// worth is the part of a tile, 1/worth, that must have been asked for before all of
	// it is computed and kept: a row is no reason, eight are.
	worth = 16
	// sampled is how many elements of a tile are computed again before it is trusted.
	sampled = 8
)

// kept is a bound kernel whose tiles come from a store.
type kept struct {
	of       kernel.Pairs
	store    *Store
	identity kernel.Identity
	rows     blocks
	cols     blocks
	slots    []slot // of the tiles, row by row
}

// blocks are the runs of side points of one set, with their digests.
type blocks struct {
	n      int
	digest [][sha256.Size]byte
}

func newBlocks(n int, digest func(from, to int) [sha256.Size]byte) blocks {
	b := blocks{n: n, digest: make([][sha256.Size]byte, (n+side-1)/side)}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(b.digest), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(b.digest); i = int(next.Add(1)) - 1 {
				b.digest[i] = digest(i*side, min((i+1)*side, n))
			}
		})
	}
	wg.Wait()
	return b
}

// length returns the number of points in block i.
func (b blocks) length(i int) int { return min((i+1)*side, b.n) - i*side }

// slot is what is known of one tile of a matrix.
type slot struct {
	mu    sync.Mutex            // held while the tile is looked for or computed
	asked int                   // elements, while it is missing
	tile  atomic.Pointer[found] // nil: not looked for, or missing
}

// found is a tile that is right.
type found struct {
	*entry
	transposed bool // it holds k(yⱼ, xᵢ) in row j
}

// Keep returns p with its tiles in the store, or p itself where it is too small, too
// large, or has points without a content. The points are digested here.
func (s *Store) Keep(p kernel.Identified) kernel.Pairs {
	rows, cols := p.Dims()
	if min(rows, cols) < fewest || int64((rows+side-1)/side)*int64((cols+side-1)/side) > mostTiles || s.closed.Load() {
		return p
	}
	identity, ok := p.Identity()
	if !ok {
		return p
	}
	k := kept{of: p, store: s, identity: identity, rows: newBlocks(rows, identity.Rows)}
	if k.cols = k.rows; identity.Cols != nil {
		k.cols = newBlocks(cols, identity.Cols)
	}
	k.slots = make([]slot, len(k.rows.digest)*len(k.cols.digest))
	if single, ok := p.(kernel.Single); ok {
		return &keptSingle{kept: &k, single: single}
	}
	return &k
}

// keptSingle leaves tiles in single precision to the kernel, which computes them in its
// own way.
type keptSingle struct {
	*kept
	single kernel.Single
}

func (k *keptSingle) Tile32(dst kernel.Tile32, row, col int) { k.single.Tile32(dst, row, col) }

func (k *kept) Dims() (rows, cols int) { return k.rows.n, k.cols.n }

// Diag is that of the kernel: a diagonal is cheap beside tiles.
func (k *kept) Diag(dst []float64) { kernel.Diag(k.of, dst) }

// Tile copies from the tiles of the store that dst touches.
func (k *kept) Tile(dst kernel.Tile, row, col int) {
	for from := row; from < row+dst.Rows; {
		to := min((from/side+1)*side, row+dst.Rows)
		for left := col; left < col+dst.Cols; {
			right := min((left/side+1)*side, col+dst.Cols)
			k.part(kernel.Tile{Rows: to - from, Cols: right - left, Stride: dst.Stride, Data: dst.Data[(from-row)*dst.Stride+left-col:]}, from, left)
			left = right
		}
		from = to
	}
}

// part fills a part of one tile, and computes what the store does not give.
func (k *kept) part(dst kernel.Tile, row, col int) {
	s := &k.slots[row/side*len(k.cols.digest)+col/side]
	t := s.tile.Load()
	if t == nil {
		t = k.obtain(s, row/side, col/side, dst.Rows*dst.Cols)
	}
	if t != nil && t.copyTo(dst, row%side, col%side) {
		return
	}
	if t != nil {
		s.tile.CompareAndSwap(t, nil)
		k.store.forget(k.key(row/side, col/side, t.transposed), t.entry)
	}
	k.of.Tile(dst, row, col)
}

// obtain finds tile (i, j), or computes it if enough of it has been asked for. It
// returns nil where the tile is not to be had now.
func (k *kept) obtain(s *slot, i, j, asked int) *found {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tile.Load(); t != nil || k.store.closed.Load() {
		return t
	}
	if s.asked == 0 {
		if t := k.look(i, j); t != nil {
			s.tile.Store(t)
			return t
		}
	}
	s.asked += asked
	form := shape{rows: k.rows.length(i), cols: k.cols.length(j), width: 8}
	if k.store.refuses.Load() || worth*s.asked < form.rows*form.cols {
		return nil
	}
	tile := kernel.NewTile(form.rows, form.cols)
	k.of.Tile(tile, i*side, j*side)
	k.store.count.misses.Add(1)
	t := &found{entry: k.store.put(k.key(i, j, false), form, mapfile.Bytes(tile.Data))}
	s.tile.Store(t)
	return t
}

// look finds tile (i, j) or its transpose in the store and verifies it.
func (k *kept) look(i, j int) *found {
	if t := k.lookFor(i, j, false); t != nil || !k.identity.Symmetric {
		return t
	}
	return k.lookFor(i, j, true)
}

func (k *kept) lookFor(i, j int, transposed bool) *found {
	address := k.key(i, j, transposed)
	e := k.store.find(address)
	if e == nil {
		return nil
	}
	if !e.pack.open(k.store.path(e.pack.name)) {
		k.store.forget(address, e)
		return nil
	}
	t := &found{entry: e, transposed: transposed}
	if !e.verified.Load() && !k.verify(t, i, j) {
		k.store.distrust(e)
		return nil
	}
	e.verified.Store(true)
	k.store.touch(e.pack)
	k.store.count.hits.Add(1)
	k.store.count.read.Add(int64(e.bytes()))
	return t
}

// verify checks the form of a tile, its checksum, and a few elements of a row that its
// checksum chooses.
func (k *kept) verify(t *found, i, j int) bool {
	rows, cols := k.rows.length(i), k.cols.length(j)
	form := shape{rows: rows, cols: cols, width: 8}
	if t.transposed {
		form.rows, form.cols = cols, rows
	}
	right := false
	if t.shape != form || !t.view(0, t.bytes(), func(content []byte) { right = checksum(content) == t.sum }) || !right {
		k.store.count.damaged.Add(1)
		return false
	}
	stored, fresh := kernel.NewTile(1, min(sampled, cols)), kernel.NewTile(1, min(sampled, cols))
	row, col := int(t.sum)%rows, int(t.sum>>8)%(cols-fresh.Cols+1)
	k.of.Tile(fresh, i*side+row, j*side+col)
	if !t.copyTo(stored, row, col) {
		k.store.count.damaged.Add(1)
		return false
	}
	for at, v := range fresh.Data {
		if math.Float64bits(v) != math.Float64bits(stored.Data[at]) {
			k.store.count.stale.Add(1)
			return false
		}
	}
	return true
}

// key is the address of tile (i, j), or of its transpose.
func (k *kept) key(i, j int, transposed bool) key {
	a, b := k.rows.digest[i], k.cols.digest[j]
	if transposed {
		a, b = b, a
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "tile of float64, %d points a side: ", side)
	sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(k.identity.Text))))
	sum.Write([]byte(k.identity.Text))
	sum.Write(a[:])
	sum.Write(b[:])
	return key(sum.Sum(nil))
}

// copyTo copies from the tile, whose element (row, col) becomes the first of dst. It
// returns false where the file cannot be read any more.
func (t *found) copyTo(dst kernel.Tile, row, col int) bool {
	first, count := row, dst.Rows // rows of the tile
	if t.transposed {
		first, count = col, dst.Cols
	}
	return t.view(first*t.cols*t.width, (first+count)*t.cols*t.width, func(content []byte) {
		values := mapfile.Numbers[float64](content)
		for i := range dst.Rows {
			out := dst.Row(i)
			if !t.transposed {
				copy(out, values[i*t.cols+col:])
				continue
			}
			for j := range out {
				out[j] = values[j*t.cols+row+i]
			}
		}
	})
}
