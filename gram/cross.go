package gram

import (
	"context"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// A rectangular product is summed as a tree that depends on the number of columns
// alone: each strip of tileSide columns by [simd.DotRows], strips in ascending order to
// segments, segments in ascending order to the result. So an element has the same bits
// whatever other rows are asked for and whoever computes its segments.
const (
	// crossSegment is the number of columns of a segment, a multiple of tileSide.
	crossSegment = 2 * tileSide
	// crossHeight is the number of rows in a block.
	crossHeight = 64
	// crossBand is the number of rows whose segments are held at the same time.
	crossBand = 8 * crossHeight
	// crossGroup is the number of rows that are multiplied while they are in the first
	// level cache.
	crossGroup = 8
)

// fanOut is about the time that waking a goroutine on another core takes: sharing less
// work than that among workers makes it slower.
const fanOut = 10 * time.Microsecond

// crossSpace is the working memory of a rectangular product, kept between products:
// those of one row are so short that making it would be half of the work.
type crossSpace struct {
	tiles  [][]float64   // per worker: a tile, and the products of a group of rows
	spaces []singleSpace // the same in single precision
	sums   []float64     // of the segments of a band, see [crossProduct.sum]
}

var crossSpaces = sync.Pool{New: func() any { return new(crossSpace) }}

// crossProduct is a product in progress.
type crossProduct struct {
	*crossSpace
	pairs    kernel.Pairs
	xt       blas64.General
	wide     blocks // segments
	progress *compute.Meter
	sides    *rightSides[float32] // for a product in single precision, or nil
}

// mulCross goes through the rows in bands. The units of a band, blocks of rows by
// segments of columns, are shared among the workers.
func (s *Stream) mulCross(ctx context.Context, dst *mat.Dense, xt blas64.General) error {
	rows, cols := s.Dims()
	p := crossProduct{crossSpace: crossSpaces.Get().(*crossSpace), pairs: s.pairs, xt: xt, wide: blocks{cols, crossSegment},
		progress: s.options.Meter("product", int64(blocks{rows, crossHeight}.count())*int64(blocks{cols, crossSegment}.count()))}
	defer crossSpaces.Put(p.crossSpace)
	if s.options.Precision == compute.Single {
		sides := roundRightSides(xt)
		p.sides = &sides
	}
	workers := s.options.WorkerCount()
	for len(p.tiles) < workers {
		p.tiles = append(p.tiles, make([]float64, crossHeight*tileSide+crossGroup))
	}
	if p.sides != nil && len(p.spaces) < workers {
		p.spaces = make([]singleSpace, workers)
	}
	bands := blocks{rows, crossBand}
	p.sums = slices.Grow(p.sums[:0], p.wide.count()*xt.Rows*min(rows, crossBand))
	for b := range bands.count() {
		at, n := bands.at(b)
		if err := p.band(ctx, workers, at, n); err != nil {
			return err
		}
		p.store(dst.RawMatrix(), at, n)
	}
	return ctx.Err()
}

// band computes the segments of n rows. The first unit is computed before the others
// are shared, if its time says that this pays.
func (p *crossProduct) band(ctx context.Context, workers, at, n int) error {
	p.sums = p.sums[:p.wide.count()*p.xt.Rows*n]
	clear(p.sums)
	high := blocks{n, crossHeight}
	units := high.count() * p.wide.count()
	unit := func(worker, u int) {
		first, height := high.at(u % high.count())
		if p.sides != nil {
			p.unitSingle(ctx, &p.spaces[worker], at, n, first, height, u/high.count())
		} else {
			p.unit(ctx, p.tiles[worker], at, n, first, height, u/high.count())
		}
		p.progress.Add(1)
	}
	if units == 0 {
		return ctx.Err()
	}
	start := time.Now()
	unit(0, 0)
	if time.Since(start)*time.Duration(units-1) < 2*fanOut {
		workers = 1
	}
	return parallel.Each(ctx, workers, units-1, func(worker, u int) { unit(worker, u+1) })
}

// sum returns the sums of segment seg for right-hand side j and the n rows of a band.
func (p *crossProduct) sum(seg, j, n int) []float64 {
	from := (seg*p.xt.Rows + j) * n
	return p.sums[from : from+n]
}

// unit adds up segment seg for the rows first, …, first+height−1 of the band of n rows
// that begins at row at.
func (p *crossProduct) unit(ctx context.Context, buffer []float64, at, n, first, height, seg int) {
	from, length := p.wide.at(seg)
	buffer, products := buffer[:crossHeight*tileSide], buffer[crossHeight*tileSide:]
	width := tileSide
	if height*crossSegment <= len(buffer) {
		width = crossSegment // few rows: fewer and wider tiles
	}
	for col := from; col < from+length && ctx.Err() == nil; col += width {
		cols := min(width, from+length-col)
		tile := kernel.Tile{Rows: height, Cols: cols, Stride: cols, Data: buffer[:height*cols]}
		p.pairs.Tile(tile, at+first, col)
		for r := 0; r < height; r += crossGroup {
			rows := min(crossGroup, height-r)
			for j := range p.xt.Rows {
				x := p.xt.Data[j*p.xt.Stride+col:][:cols]
				multiplyGroup(p.sum(seg, j, n)[first+r:][:rows], products[:rows], tile.Data[r*cols:], cols, x)
			}
		}
	}
}

// unitSingle is [crossProduct.unit] in single precision: a segment is one tile wide.
func (p *crossProduct) unitSingle(ctx context.Context, w *singleSpace, at, n, first, height, seg int) {
	col, cols := p.wide.at(seg)
	for r := 0; r < height && ctx.Err() == nil; r += singleGroup {
		rows := min(singleGroup, height-r)
		t := kernel.Tile32{Rows: rows, Cols: cols, Stride: cols, Data: w.tile[:rows*cols]}
		kernel.Fill32(p.pairs, t, at+first+r, col)
		for j, x := range p.sides.rows {
			simd.DotRows32(w.dots[:rows], t.Data, cols, x[col:col+cols])
			addTo(p.sum(seg, j, n)[first+r:], w.dots[:rows])
		}
	}
}

// multiplyGroup adds the products of a few rows of a tile with x to sums, one strip of
// tileSide columns after the other. It overwrites products, as long as sums.
func multiplyGroup(sums, products, rows []float64, stride int, x []float64) {
	for c := 0; c < len(x); c += tileSide {
		simd.DotRows(products, rows[c:], stride, x[c:min(c+tileSide, len(x))])
		for r, v := range products {
			sums[r] += v
		}
	}
}

// store adds up the segments of n rows and stores the results from row at on.
func (p *crossProduct) store(dst blas64.General, at, n int) {
	for r := range n {
		out := dst.Data[(at+r)*dst.Stride:][:dst.Cols]
		for j := range out {
			out[j] = 0
			for seg := range p.wide.count() {
				out[j] += p.sum(seg, j, n)[r]
			}
			if p.sides != nil {
				out[j] *= p.sides.scale[j]
			}
		}
	}
}
