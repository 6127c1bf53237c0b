package count

import (
	"math"
	"sync"
)

// Columns are the column points of a kernel, transposed: what all of a model's
// predictions share.
type Columns struct {
	points  []Row
	squares []float64
	common  []int32 // of every feature its dense column, or −1
	dense   []float32
	width   int // of dense: a row for each point
	lists   *postings
	buffers sync.Pool
}

// exactSingle is where whole numbers in single precision end.
const exactSingle = 1 << 24

const (
	// commonShare: a feature is common if it is in one of this many points …
	commonShare = 12
	// … of at least leastPoints …
	leastPoints = 64
	// … and one of the mostCommon most frequent.
	mostCommon = 512
)

// Transpose prepares points for being columns.
func Transpose(points []Row) *Columns {
	dims, squares, largest := 0, make([]float64, len(points)), 0.0
	for i, x := range points {
		if n := len(x.Features); n > 0 {
			dims = max(dims, int(x.Features[n-1])+1)
		}
		squares[i] = float64(x.Square())
		largest = max(largest, squares[i])
	}
	c := &Columns{points: points, squares: squares, common: make([]int32, dims)}
	for f := range c.common {
		c.common[f] = -1
	}
	if largest < exactSingle && len(points) >= leastPoints {
		c.choose()
	}
	c.fill()
	c.lists = newPostings(points, c.common)
	c.buffers.New = func() any { return new(buffer) }
	return c
}

// choose numbers the common features.
func (c *Columns) choose() {
	frequency := make([]int32, len(c.common))
	for _, x := range c.points {
		for _, f := range x.Features {
			frequency[f]++
		}
	}
	least := int32(len(c.points)/commonShare + 1)
	for { // doubling the threshold until few enough are left
		n := 0
		for _, times := range frequency {
			if times >= least {
				n++
			}
		}
		if n <= mostCommon {
			break
		}
		least += least/4 + 1
	}
	for f, times := range frequency {
		if times >= least {
			c.common[f] = int32(c.width)
			c.width++
		}
	}
}

// fill stores the dense columns of the points.
func (c *Columns) fill() {
	c.dense = make([]float32, len(c.points)*c.width)
	for i, x := range c.points {
		c.spread(c.dense[i*c.width:(i+1)*c.width], x)
	}
}

// spread stores the common features of a point.
func (c *Columns) spread(dst []float32, x Row) {
	for i, f := range x.Features {
		if int(f) < len(c.common) && c.common[f] >= 0 {
			dst[c.common[f]] = float32(x.Times[i])
		}
	}
}

// Bind joins row points to the columns. Features that no column point has may have any
// number; they count for the norms of the rows alone.
func (c *Columns) Bind(rows []Row) *Pairs {
	p := &Pairs{rows: rows, cols: c, squares: make([]float64, len(rows))}
	largest := 0.0
	for i, x := range rows {
		p.squares[i] = float64(x.Square())
		largest = max(largest, p.squares[i])
	}
	for _, s := range c.squares {
		p.largest = max(p.largest, s)
	}
	p.largest = math.Sqrt(p.largest) * math.Sqrt(largest)
	if len(rows) > 0 && len(rows) == len(c.points) && &rows[0] == &c.points[0] {
		p.dense = c.dense
		return p
	}
	if c.width > 0 && p.largest < exactSingle {
		p.dense = make([]float32, len(rows)*c.width)
		for i, x := range rows {
			c.spread(p.dense[i*c.width:(i+1)*c.width], x)
		}
	}
	return p
}

// Bind is Transpose(cols).Bind(rows).
func Bind(rows, cols []Row) *Pairs { return Transpose(cols).Bind(rows) }
