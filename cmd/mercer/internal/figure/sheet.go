package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sheet is a grid of panels of the same size, filled row by row. What the layers of a
// panel are named stands in a key below it; panels that name the same share one.
type Sheet struct {
	Panels        []Panel
	Columns       int     // 0 means all panels in one row
	Width, Height float64 // of a panel, cm; 0 means 10 and 9
	Small         bool    // smaller letters, for many panels
}

// Panel is a pair of axes with what is drawn in it, layer over layer.
type Panel struct {
	Title, X, Y string
	Layers      []Layer
	// Bounds are those of the axes; nil means a little more than what is drawn.
	Bounds *Bounds
	Equal  bool // a unit is as long upwards as sideways
	Bare   bool // without axes
	// Logarithmic axes. A long name of a logarithmic Y belongs into the title: space for
	// it would be made at the wrong place.
	LogX, LogY bool
}

// Bounds are the ends of two axes.
type Bounds struct{ X0, X1, Y0, Y1 float64 }

// Layer is one thing that a panel shows.
type Layer interface{ add(p *panel) error }

// panel is a plot with the entries of its key.
type panel struct {
	*plot.Plot
	key   []entry
	sizes sizes
	title heading
}

// entry is a name in a key, with what it names.
type entry struct {
	name string
	icon plot.Thumbnailer
}

// name puts an entry into the key, once.
func (p *panel) name(name string, icon plot.Thumbnailer) {
	if name != "" && !slices.ContainsFunc(p.key, func(e entry) bool { return e.name == name }) {
		p.key = append(p.key, entry{name, icon})
	}
}

// PNG draws the picture as PNG.
func (s Sheet) PNG() ([]byte, error) {
	l, err := s.layout()
	if err != nil {
		return nil, err
	}
	return rasterize(l.width, l.height, l.draw)
}

// SVG draws the picture as SVG.
func (s Sheet) SVG() ([]byte, error) {
	l, err := s.layout()
	if err != nil {
		return nil, err
	}
	return vectorize(l.width, l.height, l.draw)
}

// asPNG draws the sheet of a picture, unless it cannot be laid out.
func asPNG(s Sheet, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return s.PNG()
}

// asSVG is asPNG for the other format.
func asSVG(s Sheet, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return s.SVG()
}

// layout is a sheet whose panels are plots.
type layout struct {
	Sheet
	grid          [][]*plot.Plot
	panels        []*panel
	shared        []entry // one key for all panels
	strip         vg.Length
	width, height vg.Length
}

func (s Sheet) layout() (*layout, error) {
	if len(s.Panels) == 0 {
		return nil, fmt.Errorf("figure: a sheet without panels")
	}
	if s.Columns == 0 {
		s.Columns = len(s.Panels)
	}
	if s.Width == 0 {
		s.Width, s.Height = 10, 9
	}
	l := &layout{Sheet: s}
	for i, described := range s.Panels {
		p, err := described.plot(s.Small)
		if err != nil {
			return nil, fmt.Errorf("panel %d: %w", i+1, err)
		}
		l.panels = append(l.panels, p)
		if i%s.Columns == 0 {
			l.grid = append(l.grid, make([]*plot.Plot, s.Columns))
		}
		l.grid[i/s.Columns][i%s.Columns] = p.Plot
	}
	l.share()
	for _, p := range l.panels {
		l.strip = max(l.strip, keyHeight(p.key, l.panelWidth()))
	}
	rows := vg.Length(len(l.grid))
	l.width = vg.Length(s.Columns)*(l.panelWidth()+gap) + gap
	l.height = rows*(vg.Length(s.Height)*vg.Centimeter+gap+l.strip) + gap
	l.height += keyHeight(l.shared, l.width-2*gap)
	return l, nil
}

// gap is the white space between panels.
const gap = 4 * vg.Millimeter

func (l *layout) panelWidth() vg.Length { return vg.Length(l.Width) * vg.Centimeter }

// share makes the longest key that of all panels that name nothing else.
func (l *layout) share() {
	var longest []entry
	for _, p := range l.panels {
		if len(p.key) > len(longest) {
			longest = p.key
		}
	}
	var within []*panel
	for _, p := range l.panels {
		foreign := slices.ContainsFunc(p.key, func(e entry) bool {
			return !slices.ContainsFunc(longest, func(f entry) bool { return e.name == f.name })
		})
		if len(p.key) > 0 && !foreign {
			within = append(within, p)
		}
	}
	if len(within) < 2 {
		return
	}
	l.shared = longest
	for _, p := range within {
		p.key = nil
	}
}

func (l *layout) draw(dc draw.Canvas) {
	below := keyHeight(l.shared, l.width-2*gap)
	drawKey(draw.Crop(dc, gap, -gap, gap/2, below+gap/2-(dc.Max.Y-dc.Min.Y)), l.shared)
	dc = draw.Crop(dc, 0, 0, below, 0)
	tiles := draw.Tiles{Rows: len(l.grid), Cols: l.Columns, PadX: gap, PadY: gap + l.strip,
		PadTop: gap / 2, PadBottom: gap/2 + l.strip, PadLeft: gap, PadRight: gap}
	canvases := plot.Align(l.grid, tiles, dc)
	for i, p := range l.panels {
		c := &canvases[i/l.Columns][i%l.Columns]
		if l.Panels[i].Equal {
			*c = equalUnits(p.Plot, *c)
		}
		p.Draw(*c)
		tile := tiles.At(dc, i%l.Columns, i/l.Columns)
		tile.Max.Y, tile.Min.Y = tile.Min.Y, tile.Min.Y-l.strip
		drawKey(tile, p.key)
	}
	l.titles(canvases)
}

// titles writes the titles of every row on one line, above the highest axes.
func (l *layout) titles(canvases [][]draw.Canvas) {
	for row := range l.grid {
		panels := l.panels[row*l.Columns : min((row+1)*l.Columns, len(l.panels))]
		top := vg.Length(math.Inf(-1))
		for col, p := range panels {
			top = max(top, p.DataCanvas(canvases[row][col]).Max.Y)
		}
		for col, p := range panels {
			axes := p.DataCanvas(canvases[row][col])
			axes.Max.Y = top
			left := gap + vg.Length(col)*(l.panelWidth()+gap)
			p.title.draw(axes, left, left+l.panelWidth())
		}
	}
}

// equalUnits crops the canvas of a plot until its units are as long in both directions.
func equalUnits(p *plot.Plot, c draw.Canvas) draw.Canvas {
	inside := p.DataCanvas(c)
	w, h := float64(inside.Max.X-inside.Min.X), float64(inside.Max.Y-inside.Min.Y)
	unit := min(w/(p.X.Max-p.X.Min), h/(p.Y.Max-p.Y.Min))
	right := vg.Length(w - unit*(p.X.Max-p.X.Min))
	top := vg.Length(h - unit*(p.Y.Max-p.Y.Min))
	return draw.Crop(c, right/2, -right/2, top/2, -top/2)
}

// plot draws the layers of a panel.
func (d Panel) plot(small bool) (*panel, error) {
	p := &panel{Plot: plot.New()}
	p.X.Label.Text, p.Y.Label.Text = d.X, d.Y
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	p.sizes = usualSizes
	if small {
		p.sizes = smallSizes
	}
	p.sizes.set(p.Plot)
	p.title = heading{text: d.Title, letters: letters(p.sizes.title)}
	p.Add(p.title)
	for _, layer := range d.Layers {
		if err := layer.add(p); err != nil {
			return nil, fmt.Errorf("figure: %q: %w", d.Title, err)
		}
	}
	if b := d.Bounds; b != nil {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = b.X0, b.X1, b.Y0, b.Y1
	} else {
		widen(&p.X, d.LogX)
		widen(&p.Y, d.LogY)
	}
	if !(p.X.Min < p.X.Max && p.Y.Min < p.Y.Max) || math.IsInf(p.X.Max-p.X.Min, 0) || math.IsInf(p.Y.Max-p.Y.Min, 0) {
		return nil, fmt.Errorf("figure: %q: axes from %g to %g and from %g to %g cannot be drawn", d.Title, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	if d.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	}
	if d.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
	}
	if d.Bare {
		p.HideAxes()
	}
	return p, nil
}

// widen leaves white space at both ends of an axis.
func widen(a *plot.Axis, log bool) {
	switch room := 0.04 * (a.Max - a.Min); {
	case log && a.Min > 0:
		factor := math.Pow(a.Max/a.Min, 0.04)
		a.Min, a.Max = a.Min/factor, a.Max*factor
	case room > 0:
		a.Min, a.Max = a.Min-room, a.Max+room
	default:
		a.Min, a.Max = a.Min-0.5, a.Max+0.5
	}
}
