package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scores describes a picture of a search over two parameters, the darker the better, with the
// best trial ringed: a heat map where the trials fill a grid, with contours where the scores
// are smooth, and a disc for every trial otherwise. Positive parameters that span more than
// a decade have a logarithmic axis.
type Scores struct {
	Title          string
	X, Y           string // names of the parameters
	LargerIsBetter bool
	Points         []Scored
}

// Scored is one trial.
type Scored struct{ X, Y, Score float64 }

// PNG draws the picture as PNG.
func (s Scores) PNG() ([]byte, error) { return asPNG(s.sheet()) }

// SVG draws the picture as SVG.
func (s Scores) SVG() ([]byte, error) { return asSVG(s.sheet()) }

func (s Scores) sheet() (Sheet, error) {
	if len(s.Points) == 0 {
		return Sheet{}, fmt.Errorf("figure: there are no scores to draw")
	}
	best := s.Points[0]
	var xs, ys, scores []float64
	for _, q := range s.Points {
		if s.LargerIsBetter && q.Score > best.Score || !s.LargerIsBetter && q.Score < best.Score {
			best = q
		}
		xs, ys, scores = append(xs, q.X), append(ys, q.Y), append(scores, q.Score)
	}
	p := Panel{Title: fmt.Sprintf("%s: best %.4g at %s = %.4g, %s = %.4g", s.Title, best.Score, s.X, best.X, s.Y, best.Y), X: s.X, Y: s.Y, Bounds: &Bounds{}}
	p.LogX, p.LogY = decade(xs), decade(ys)
	t := trials{name: s.Title, Points: s.Points, least: slices.Min(scores), most: slices.Max(scores), larger: s.LargerIsBetter, xs: distinct(xs), ys: distinct(ys)}
	t.edgesX, t.edgesY = edges(t.xs, p.LogX), edges(t.ys, p.LogY)
	if !t.grid() {
		t.edgesX, t.edgesY = margins(t.xs, p.LogX), margins(t.ys, p.LogY)
	}
	p.Bounds = &Bounds{X0: t.edgesX[0], X1: t.edgesX[len(t.edgesX)-1], Y0: t.edgesY[0], Y1: t.edgesY[len(t.edgesY)-1]}
	p.Layers = []Layer{t, Dots{Name: "the best", X: []float64{best.X}, Y: []float64{best.Y}, Ink: 0, Shape: Ring, Size: 8}}
	return Sheet{Panels: []Panel{p}, Width: 15, Height: 11.5}, nil
}

// decade reports values that are positive and span a decade.
func decade(values []float64) bool {
	low, high := extent(values)
	return low > 0 && high >= 10*low
}

// distinct returns the values in their order, each once.
func distinct(values []float64) []float64 {
	out := slices.Clone(values)
	slices.Sort(out)
	return slices.Compact(out)
}

// edges returns the borders of cells about values: half way to the neighbours, along the
// logarithm where the axis has one.
func edges(values []float64, logarithmic bool) []float64 {
	to, from := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if logarithmic {
		to, from = math.Log, math.Exp
	}
	n := len(values)
	if n == 1 {
		return []float64{values[0] - 0.5, values[0] + 0.5}
	}
	at := func(i int) float64 { return to(values[i]) }
	out := []float64{from(at(0) - (at(1)-at(0))/2)}
	for i := 1; i < n; i++ {
		out = append(out, from((at(i-1)+at(i))/2))
	}
	return append(out, from(at(n-1)+(at(n-1)-at(n-2))/2))
}

// margins returns the ends of an axis with space for discs.
func margins(values []float64, logarithmic bool) []float64 {
	low, high := extent(values)
	if logarithmic {
		room := math.Pow(high/low, 0.06)
		return []float64{low / room, high * room}
	}
	room := 0.06 * (high - low)
	if room == 0 {
		room = 0.5
	}
	return []float64{low - room, high + room}
}

// trials are the scores of a search as colours.
type trials struct {
	name           string
	Points         []Scored
	least, most    float64
	larger         bool
	xs, ys         []float64 // the values that occur
	edgesX, edgesY []float64 // of the cells
}

// grid reports trials that fill at least half of a grid of two or more values each way.
func (t trials) grid() bool {
	return len(t.xs) > 1 && len(t.ys) > 1 && 2*len(t.Points) >= len(t.xs)*len(t.ys)
}

// table returns the scores of the cells [y][x], the better of two in one place; NaN where
// there was no trial.
func (t trials) table() [][]float64 {
	out := make([][]float64, len(t.ys))
	for j := range out {
		out[j] = slices.Repeat([]float64{math.NaN()}, len(t.xs))
	}
	for _, q := range t.Points {
		i, _ := slices.BinarySearch(t.xs, q.X)
		j, _ := slices.BinarySearch(t.ys, q.Y)
		if v := out[j][i]; math.IsNaN(v) || t.larger == (q.Score > v) {
			out[j][i] = q.Score
		}
	}
	return out
}

func (t trials) add(p *panel) error {
	p.Add(t, evenBar(t.name, t.least, max(t.most, t.least+1e-12*max(1, math.Abs(t.least))), t.shade))
	return nil
}

// shade is the colour of a score.
func (t trials) shade(score float64) color.RGBA {
	share := 1.0
	if t.most > t.least {
		share = (score - t.least) / (t.most - t.least)
		if !t.larger {
			share = 1 - share
		}
	}
	return sequential(0.04 + 0.88*share)
}

// Plot paints the cells of a grid, or a disc for every trial.
func (t trials) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	if !t.grid() {
		for _, q := range t.Points {
			at := vg.Point{X: toX(q.X), Y: toY(q.Y)}
			disc := circle.path(at, 5)
			c.SetColor(t.shade(q.Score))
			c.Fill(disc)
			c.SetLineStyle(draw.LineStyle{Color: Grey.color(), Width: 0.5})
			c.Stroke(disc)
		}
		return
	}
	table := t.table()
	for j, row := range table {
		for i, v := range row {
			if math.IsNaN(v) {
				continue
			}
			x0, x1, y0, y1 := toX(t.edgesX[i]), toX(t.edgesX[i+1]), toY(t.edgesY[j]), toY(t.edgesY[j+1])
			// A hair more than the cell: no white lines between neighbours.
			x1, y1 = min(x1+0.3, c.Max.X), min(y1+0.3, c.Max.Y)
			c.FillPolygon(t.shade(v), []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		}
	}
	if smooth(table) {
		t.contours(c, table, toX, toY)
	}
}

// smooth reports a full table of at least 5 × 5 scores that differ little from the means of
// their neighbours: four fifths of them by less than a twentieth of the range. There are no
// contours along the steps where a parameter begins to matter.
func smooth(table [][]float64) bool {
	if len(table) < 5 || len(table[0]) < 5 {
		return false
	}
	low, high := extent(table...)
	if !(low < high) { // also for NaN
		return false
	}
	var bends []float64
	for j := 1; j+1 < len(table); j++ {
		for i := 1; i+1 < len(table[0]); i++ {
			around := table[j-1][i] + table[j+1][i] + table[j][i-1] + table[j][i+1]
			bends = append(bends, math.Abs(table[j][i]-around/4))
		}
	}
	slices.Sort(bends)
	return bends[len(bends)*4/5] < (high-low)/20
}

// contours draws the lines at the scores that the bar labels.
func (t trials) contours(c draw.Canvas, table [][]float64, toX, toY func(float64) vg.Length) {
	level := colourBar{Edges: []float64{t.least, t.most}}
	xs, ys := canvasCoordinates(t.xs, toX), canvasCoordinates(t.ys, toY)
	grid := Bounds{X0: xs[0], X1: xs[len(xs)-1], Y0: ys[0], Y1: ys[len(ys)-1]}
	for _, tick := range level.marks() {
		style := draw.LineStyle{Color: on(t.shade(tick.Value)), Width: 0.7}
		for _, r := range rings(xs, ys, table, tick.Value) {
			strokeInside(c, style, r, grid)
		}
	}
}

// canvasCoordinates returns where values stand on an axis of a canvas.
func canvasCoordinates(values []float64, to func(float64) vg.Length) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(to(v))
	}
	return out
}

// strokeInside draws a closed line without the parts along the border of its grid, where it
// is closed only because the grid ends.
func strokeInside(c draw.Canvas, style draw.LineStyle, r ring, grid Bounds) {
	var run []vg.Point
	for i := range len(r) + 1 {
		a, b := r[i%len(r)], r[(i+1)%len(r)]
		run = append(run, vg.Point{X: vg.Length(a.X), Y: vg.Length(a.Y)})
		if a.X == b.X && (a.X == grid.X0 || a.X == grid.X1) || a.Y == b.Y && (a.Y == grid.Y0 || a.Y == grid.Y1) {
			if len(run) > 1 {
				c.StrokeLines(style, run)
			}
			run = nil
		}
	}
	if len(run) > 1 {
		c.StrokeLines(style, run)
	}
}
