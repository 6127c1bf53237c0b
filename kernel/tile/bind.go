package tile

import (
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Bind binds a plan to points. rows and cols may be the same set, which is then packed once. The
// result computes tiles in single precision, too ([kernel.Single]), keeps what is worth it
// ([kernel.Composite]) and knows its price ([kernel.Costed]).
func Bind(plan *Plan, rows, cols data.Set[[]float64]) kernel.Pairs {
	same := data.SameSlices(rows, cols)
	sources := make([]source[float64], len(plan.Statistics))
	for i := range plan.Statistics {
		sources[i] = bindStatistic(&plan.Statistics[i], rows, cols, same)
	}
	return newPairs(plan, sources, rows.Len(), cols.Len())
}

// pairs is a plan bound to points.
type pairs struct {
	rows, cols int
	double     *engine[float64]
	// single returns the same plan in single precision, made when it is first asked for,
	// or nil where a part of it needs double precision.
	single func() *engine[float32]
}

func newPairs(plan *Plan, sources []source[float64], rows, cols int) *pairs {
	p := &pairs{rows: rows, cols: cols, double: newEngine(plan, sources)}
	p.bound()
	return p
}

// bound makes anew what depends on the rows, after they were bound.
func (p *pairs) bound() {
	p.double.whole = nil
	if sources := p.double.sources; len(sources) == 1 {
		if p.double.whole = expDistancesOf(p.double.plan, sources[0]); p.double.whole == nil {
			p.double.whole = newCounted(p.double, sources[0])
		}
	}
	p.single = sync.OnceValue(func() *engine[float32] { return singleEngine(p.double.plan, p.double.sources) })
}

func (p *pairs) Dims() (rows, cols int) { return p.rows, p.cols }

// Tile computes a tile in double precision. It does not allocate.
func (p *pairs) Tile(dst kernel.Tile, row, col int) {
	p.double.tile(dst.Data, dst.Stride, dst.Rows, dst.Cols, row, col)
}

// Tile32 computes a tile in single precision, see [singleEngine]. It does not allocate
// after the first call.
func (p *pairs) Tile32(dst kernel.Tile32, row, col int) {
	e := p.single()
	if e == nil {
		kernel.Fill32(doubleOnly{p}, dst, row, col)
		return
	}
	e.tile(dst.Data, dst.Stride, dst.Rows, dst.Cols, row, col)
}

// doubleOnly hides the ability to compute in single precision.
type doubleOnly struct{ kernel.Pairs }
