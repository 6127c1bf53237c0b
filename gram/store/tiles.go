package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"example.org/mercer/internal/mapfile"
	"example.org/mercer/kernel"
)

const (
	// worth is the part of a tile, 1/worth, that must have been asked for before all of
	// it is computed and kept: a row is no reason, eight are.
	worth = 16
	// sampled is how many elements of a tile are computed again before it is trusted.
	sampled = 8
)

// tiles are those of one bound kernel in one precision.
type tiles[F float32 | float64] struct {
	store    *Store
	identity kernel.Identity
	rows     blocks
	cols     blocks
	width    int    // bytes of a number
	slots    []slot // of the tiles, row by row
	compute  func(dst []F, stride, rows, cols, row, col int)
}

func newTiles[F float32 | float64](s *Store, identity kernel.Identity, rows, cols blocks, compute func(dst []F, stride, rows, cols, row, col int)) *tiles[F] {
	return &tiles[F]{store: s, identity: identity, rows: rows, cols: cols, width: len(mapfile.Bytes([]F{0})),
		slots: make([]slot, len(rows.digest)*len(cols.digest)), compute: compute}
}

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

// fill copies from all tiles that a part of the matrix touches.
func (k *tiles[F]) fill(dst []F, stride, rows, cols, row, col int) {
	for from := row; from < row+rows; {
		to := min((from/side+1)*side, row+rows)
		for left := col; left < col+cols; {
			right := min((left/side+1)*side, col+cols)
			k.part(dst[(from-row)*stride+left-col:], stride, to-from, right-left, from, left)
			left = right
		}
		from = to
	}
}

// part fills a part of one tile, and computes what the store does not give.
func (k *tiles[F]) part(dst []F, stride, rows, cols, row, col int) {
	s := &k.slots[row/side*len(k.cols.digest)+col/side]
	t := s.tile.Load()
	if t == nil {
		t = k.obtain(s, row/side, col/side, rows*cols)
	}
	if t != nil && copyFrom(t, dst, stride, rows, cols, row%side, col%side) {
		return
	}
	if t != nil {
		s.tile.CompareAndSwap(t, nil)
		k.store.forget(k.key(row/side, col/side, t.transposed), t.entry)
	}
	k.compute(dst, stride, rows, cols, row, col)
}

// obtain finds tile (i, j), or computes it if enough of it has been asked for. It
// returns nil where the tile is not to be had now.
func (k *tiles[F]) obtain(s *slot, i, j, asked int) *found {
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
	form := shape{rows: k.rows.length(i), cols: k.cols.length(j), width: k.width}
	if k.store.refuses.Load() || worth*s.asked < form.rows*form.cols {
		return nil
	}
	tile := make([]F, form.rows*form.cols)
	k.compute(tile, form.cols, form.rows, form.cols, i*side, j*side)
	k.store.count.misses.Add(1)
	t := &found{entry: k.store.put(k.key(i, j, false), form, mapfile.Bytes(tile))}
	s.tile.Store(t)
	return t
}

// look finds tile (i, j) or its transpose in the store and verifies it.
func (k *tiles[F]) look(i, j int) *found {
	if t := k.lookFor(i, j, false); t != nil || !k.identity.Symmetric {
		return t
	}
	return k.lookFor(i, j, true)
}

func (k *tiles[F]) lookFor(i, j int, transposed bool) *found {
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
func (k *tiles[F]) verify(t *found, i, j int) bool {
	rows, cols := k.rows.length(i), k.cols.length(j)
	form := shape{rows: rows, cols: cols, width: k.width}
	if t.transposed {
		form.rows, form.cols = cols, rows
	}
	right := false
	if t.shape != form || !t.view(0, t.bytes(), func(content []byte) { right = checksum(content) == t.sum }) || !right {
		k.store.count.damaged.Add(1)
		return false
	}
	n := min(sampled, cols)
	stored, fresh := make([]F, n), make([]F, n)
	row, col := int(t.sum%uint32(rows)), int((t.sum>>8)%uint32(cols-n+1))
	k.compute(fresh, n, 1, n, i*side+row, j*side+col)
	if !copyFrom(t, stored, n, 1, n, row, col) {
		k.store.count.damaged.Add(1)
		return false
	}
	if !bytes.Equal(mapfile.Bytes(stored), mapfile.Bytes(fresh)) {
		k.store.count.stale.Add(1)
		return false
	}
	return true
}

// key is the address of tile (i, j), or of its transpose.
func (k *tiles[F]) key(i, j int, transposed bool) key {
	a, b := k.rows.digest[i], k.cols.digest[j]
	if transposed {
		a, b = b, a
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "tile of numbers of %d bytes, %d points a side: ", k.width, side)
	sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(k.identity.Text))))
	sum.Write([]byte(k.identity.Text))
	sum.Write(a[:])
	sum.Write(b[:])
	return key(sum.Sum(nil))
}

// copyFrom copies rows×cols numbers from a tile, from its element (row, col) on. It
// returns false where the file cannot be read any more.
func copyFrom[F float32 | float64](t *found, dst []F, stride, rows, cols, row, col int) bool {
	first, count := row, rows // rows of the tile as it is kept
	if t.transposed {
		first, count = col, cols
	}
	return t.view(first*t.cols*t.width, (first+count)*t.cols*t.width, func(content []byte) {
		values := mapfile.Numbers[F](content)
		for i := range rows {
			out := dst[i*stride : i*stride+cols]
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
