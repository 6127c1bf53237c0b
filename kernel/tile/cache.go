package tile

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// CacheParts returns the same bound kernel with those statistics in the cache that cost more to
// compute than to read: kernels that differ in their profile share them. Tiles in single precision
// have statistics of their own, cached in the same way. Where the profile is the costly part, the
// values of the plan are cached.
func (p *pairs) CacheParts(k kernel.TileCache) kernel.Pairs {
	if p.double.plan.costly() {
		return k.Cached(values{p})
	}
	sources, any := make([]source[float64], len(p.double.sources)), false
	for i, s := range p.double.sources {
		sources[i] = cachedSource(s, k)
		any = any || sources[i] != s
	}
	if !any {
		return p
	}
	cached := newPairs(p.double.plan, sources, p.rows, p.cols)
	cached.single = sync.OnceValue(func() *engine[float32] {
		single := p.single()
		if single == nil {
			return nil
		}
		sources := make([]source[float32], len(single.sources))
		for i, s := range single.sources {
			sources[i] = cacheSingle(s, k)
		}
		return newEngine(single.plan, sources)
	})
	return cached
}

// cachedSource returns a statistic with its tiles in the cache, if it costs more than reading
// them. The cache may be nil.
func cachedSource(s source[float64], k kernel.TileCache) source[float64] {
	f, ok := s.(*field)
	if k == nil || !ok || !f.worthCaching() {
		return s
	}
	own := statistics{f}
	if tiles := k.Cached(own); tiles != kernel.Pairs(own) {
		return &cachedField{of: f, tiles: tiles}
	}
	return s
}

const (
	// cachedWidth is the number of coordinates from which a statistic with a loop over
	// panels is cached. Reading a number that lies in memory, its part of the digests
	// included, costs about as much as 250 coordinates of the fastest loop, and writing
	// it the first time twice as much: below that there is nothing to gain.
	cachedWidth = 512
)

// worthCaching reports whether computing an element costs more than reading it.
func (f *field) worthCaching() bool {
	switch f.stat.Kind {
	case SineSquared, CommonDivisor, DivisorOverMultiple: // some 100 ns a coordinate
		return true
	}
	return f.packed && f.effort() >= cachedWidth
}

// costly reports whether the profiles cost far more than a look into memory: Matérn of
// an order without a closed form takes a microsecond.
func (p *Plan) costly() bool {
	return slices.ContainsFunc(p.Program, func(o Op) bool { return o.Code == OpMatern && o.B != 1.5 && o.B != 2.5 })
}

// values are bound pairs whose values are cached.
type values struct{ *pairs }

// Identity is that of the plan: its program, and the identities of its statistics.
func (v values) Identity() (kernel.Identity, bool) {
	var text strings.Builder
	for _, o := range v.double.plan.Program {
		fmt.Fprintln(&text, o)
	}
	var parts []kernel.Identity
	for _, s := range v.double.sources {
		f, ok := s.(*field)
		if !ok {
			f = s.(*storedField).of // the same numbers, computed before
		}
		part, _ := statistics{f}.Identity()
		fmt.Fprintln(&text, part.Text)
		parts = append(parts, part)
	}
	join := func(of func(kernel.Identity) func(from, to int) [sha256.Size]byte) func(from, to int) [sha256.Size]byte {
		return func(from, to int) [sha256.Size]byte {
			sum := sha256.New()
			for _, part := range parts {
				d := of(part)(from, to)
				sum.Write(d[:])
			}
			return [sha256.Size]byte(sum.Sum(nil))
		}
	}
	identity := kernel.Identity{Text: text.String(), Symmetric: true}
	identity.Rows = join(func(i kernel.Identity) func(from, to int) [sha256.Size]byte { return i.Rows })
	if parts[0].Cols != nil { // one set for one statistic is one set for all
		identity.Cols = join(func(i kernel.Identity) func(from, to int) [sha256.Size]byte { return i.Cols })
	}
	return identity, true
}

// statistics presents a bound statistic as bound pairs.
type statistics struct{ *field }

// Dims returns the number of row and of column points.
func (s statistics) Dims() (rows, cols int) { return s.field.rows.n, s.field.cols.n }

// Tile computes the statistic of the pairs of a tile.
func (s statistics) Tile(dst kernel.Tile, row, col int) {
	collect(s.fill, dst.Data, dst.Stride, dst.Rows, dst.Cols, row, col)
}

// collect computes a tile of a statistic, a group of rows and a chunk of columns at a
// time.
func collect[F float](fill func(dst []F, stride, low, high, from, to int), dst []F, stride, rows, cols, row, col int) {
	width, strip := panelWidth[F](), make([]F, group*chunk)
	end := col + cols
	for from := col; from < end; {
		to := min((from/chunk+1)*chunk, end)
		first := from / width
		for low := row; low < row+rows; {
			high := min((low/group+1)*group, row+rows)
			fill(strip, chunk, low, high, first, (to+width-1)/width)
			for i := low; i < high; i++ {
				copy(dst[(i-row)*stride+from-col:(i-row)*stride+to-col], strip[(i-low)*chunk+from-first*width:])
			}
			low = high
		}
		from = to
	}
}

// Identity is that of the statistic and the instructions that compute it. The points
// are digested as they are gathered, so that neither the columns nor the matrix need
// to be part of it; the centre is, because it moves the last bits.
func (s statistics) Identity() (kernel.Identity, bool) {
	seen := *s.stat
	seen.Columns, seen.Matrix, seen.Power = nil, nil, 0
	text := fmt.Sprintf("%s of %d coordinates by %s %s", seen, s.field.cols.d, runtime.GOARCH, simd.Best())
	if s.byNorms {
		text += fmt.Sprintf(" around %x", digest(len(s.centre), s.centre))
	}
	if s.inBytes() {
		text += fmt.Sprintf(" in bytes up to %g", s.cols.bytes.values[mostBytes])
	}
	if s.mixed() {
		text += fmt.Sprintf(" cut into coordinates %v and categories %v", s.mixture.numbers, s.mixture.codes)
	}
	identity := kernel.Identity{Text: text, Rows: s.field.rows.digest, Symmetric: true}
	if s.field.rows != s.field.cols {
		identity.Cols = s.field.cols.digest
	}
	return identity, true
}

// digest returns the SHA-256 of the points from ≤ i < to, as rows or, where these are
// not needed any more, as panels. A range that begins inside of a panel takes in the
// points before it.
func (p *points) digest(from, to int) [sha256.Size]byte {
	content := p.rows
	if content != nil {
		content = content[from*p.d : to*p.d]
	} else {
		const width = simd.PanelWidth
		content = p.panels[from/width*width*p.d : (to+width-1)/width*width*p.d]
	}
	return digest(to-from, content)
}

// digest returns the SHA-256 of a count and the numbers in question.
func digest(count int, content []float64) [sha256.Size]byte {
	const piece = 1 << 10 // numbers, so that the copy stays in the first-level cache
	sum, buffer := sha256.New(), make([]byte, 0, 8*piece)
	sum.Write(binary.LittleEndian.AppendUint64(buffer, uint64(count)))
	for len(content) > 0 {
		part := content[:min(piece, len(content))]
		content = content[len(part):]
		buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, part) // cannot fail on numbers
		sum.Write(buffer)
	}
	return [sha256.Size]byte(sum.Sum(nil))
}

// cachedField reads a statistic from a cache.
type cachedField struct {
	of    *field
	tiles kernel.Pairs
}

func (k *cachedField) norms() (rows, cols []float64) { return k.of.norms() }

func (k *cachedField) fill(dst []float64, stride, low, high, from, to int) {
	first := from * simd.PanelWidth
	cols := min(to*simd.PanelWidth, k.of.cols.n) - first
	k.tiles.Tile(kernel.Tile{Rows: high - low, Cols: cols, Stride: stride, Data: dst}, low, first)
}
