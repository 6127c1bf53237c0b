package tile

import (
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// cacheSingle returns a statistic in single precision with its tiles in the cache, if it costs more
// than reading them and depends on nothing but the points in question. That holds for those whose
// panels are rounded from the panels in double precision.
func cacheSingle(s source[float32], k kernel.TileCache) source[float32] {
	f, ok := s.(*singleField)
	if !ok || !f.of.worthCaching() || f.loop != f.of.loop || f.of.stat.Kind == Manhattan {
		return s
	}
	own := singleStatistics{statistics: statistics{f.of}, single: f}
	if tiles, ok := k.Cached(own).(kernel.Single); ok && tiles != kernel.Single(own) {
		return &cachedSingle{of: f, tiles: tiles}
	}
	return s
}

// singleStatistics presents a statistic in single precision as bound pairs.
type singleStatistics struct {
	statistics
	single *singleField
}

// Tile32 computes the statistic of the pairs of a tile, a group of rows at a time.
func (s singleStatistics) Tile32(dst kernel.Tile32, row, col int) {
	collect(s.single.fill, dst.Data, dst.Stride, dst.Rows, dst.Cols, row, col)
}

// Identity is that of the statistic in double precision.
func (s singleStatistics) Identity() (kernel.Identity, bool) {
	identity, ok := s.statistics.Identity()
	identity.Single = true
	return identity, ok
}

// cachedSingle is a [cachedField] in single precision.
type cachedSingle struct {
	of    *singleField
	tiles kernel.Single
}

func (k *cachedSingle) norms() (rows, cols []float32) { return k.of.norms() }

func (k *cachedSingle) fill(dst []float32, stride, low, high, from, to int) {
	first := from * simd.PanelWidth32
	cols := min(to*simd.PanelWidth32, k.of.of.cols.n) - first
	k.tiles.Tile32(kernel.Tile32{Rows: high - low, Cols: cols, Stride: stride, Data: dst}, low, first)
}
