package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Cloud is points without classes: dots where they are few, else hexagons, the darker the more
// points lie in them.
type Cloud struct{ X, Y []float64 }

const (
	// binnedPoints is the number of points that are counted in hexagons.
	binnedPoints = 2500
	// hexagonsAcross is the number of hexagons in a row.
	hexagonsAcross = 42
)

func (c Cloud) add(p *panel) error {
	if len(c.X) != len(c.Y) {
		return fmt.Errorf("a cloud has %d abscissae and %d ordinates", len(c.X), len(c.Y))
	}
	if len(c.X) < binnedPoints {
		return Dots{X: c.X, Y: c.Y, Ink: 1, Size: 1.9}.add(p)
	}
	h := binned(c.X, c.Y)
	p.Add(h)
	if h.most > 1 {
		p.Add(colourBar{Name: "points", Edges: []float64{1, float64(h.most)}, Log: true, Of: h.tones()})
	}
	return nil
}

// hexagons count points in a honeycomb over the rectangle that they fill.
type hexagons struct {
	bounds Bounds
	bins   []bin
	most   int
}

// bin is a hexagon with its points: those that are nearer to its centre than to others.
type bin struct {
	column, row int // rows of odd numbers are half a hexagon to the right
	points      int
}

// rowHeight is the distance of rows of hexagons that are 1 wide, √3/2.
var rowHeight = math.Sqrt(3) / 2

// binned counts points, after Carr and others (1987).
func binned(x, y []float64) hexagons {
	var h hexagons
	h.bounds.X0, h.bounds.X1 = extent(x)
	h.bounds.Y0, h.bounds.Y1 = extent(y)
	count := map[[2]int]int{}
	for i := range x {
		u, v := h.unit(x[i], y[i])
		v /= rowHeight
		nearest, at := math.Inf(1), [2]int{}
		for row := int(math.Floor(v)); row <= int(math.Floor(v))+1; row++ {
			shift := float64(row&1) / 2
			column := int(math.Round(u - shift))
			du, dv := u-shift-float64(column), (v-float64(row))*rowHeight
			if d := du*du + dv*dv; d < nearest {
				nearest, at = d, [2]int{column, row}
			}
		}
		count[at]++
	}
	for at, n := range count {
		h.bins, h.most = append(h.bins, bin{at[0], at[1], n}), max(h.most, n)
	}
	slices.SortFunc(h.bins, func(a, b bin) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column)) })
	return h
}

// unit returns a place in widths of hexagons.
func (h hexagons) unit(x, y float64) (u, v float64) {
	share := func(v, low, high float64) float64 {
		if low == high {
			return 0.5
		}
		return (v - low) / (high - low)
	}
	return hexagonsAcross * share(x, h.bounds.X0, h.bounds.X1), hexagonsAcross * share(y, h.bounds.Y0, h.bounds.Y1)
}

// tone is the colour of a number of points.
func (h hexagons) tone(points float64) color.RGBA {
	if h.most < 2 {
		return sequential(0.5)
	}
	return sequential(0.18 + 0.8*math.Log(points)/math.Log(float64(h.most)))
}

// tones are the colours of the bar.
func (h hexagons) tones() []color.RGBA {
	const bands = 64
	out := make([]color.RGBA, bands)
	for k := range out {
		out[k] = h.tone(math.Pow(float64(h.most), (float64(k)+0.5)/bands))
	}
	return out
}

// DataRange returns the rectangle of the points.
func (h hexagons) DataRange() (x0, x1, y0, y1 float64) {
	return h.bounds.X0, h.bounds.X1, h.bounds.Y0, h.bounds.Y1
}

// Plot draws the hexagons.
func (h hexagons) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	wide, high := (h.bounds.X1-h.bounds.X0)/hexagonsAcross, (h.bounds.Y1-h.bounds.Y0)/hexagonsAcross
	corners := regular(6, math.Pi/6)
	radius := 1 / math.Sqrt(3)
	for _, b := range h.bins {
		u, v := float64(b.column)+float64(b.row&1)/2, float64(b.row)*rowHeight
		var around []vg.Point
		for _, q := range corners {
			around = append(around, vg.Point{X: toX(h.bounds.X0 + wide*(u+radius*q[0])), Y: toY(h.bounds.Y0 + high*(v+radius*q[1]))})
		}
		c.FillPolygon(h.tone(float64(b.points)), around)
	}
}
