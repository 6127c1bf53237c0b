package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Logo describes the symbols that stand in each place of a motif: a stack of letters, the highest
// on top, as high together as the place is certain, log₂ s − H(f) bits of s symbols with the
// frequencies f (T. D. Schneider and R. M. Stephens, Sequence logos, Nucleic Acids Research 18,
// 1990).
type Logo struct {
	Title       string
	Symbols     []string
	Frequencies [][]float64 // of the symbols in each place
}

// Logos is a picture of several motifs.
type Logos []Logo

// PNG draws the picture as PNG.
func (l Logos) PNG() ([]byte, error) { return asPNG(l.sheet()) }

// SVG draws the picture as SVG.
func (l Logos) SVG() ([]byte, error) { return asSVG(l.sheet()) }

func (l Logos) sheet() (Sheet, error) {
	out := Sheet{Columns: min(len(l), 3), Height: 4.2, Small: true}
	for _, logo := range l {
		p, err := logo.panel()
		if err != nil {
			return Sheet{}, err
		}
		out.Width = max(out.Width, 3+0.55*float64(len(logo.Frequencies)), 7)
		out.Panels = append(out.Panels, p)
	}
	if len(out.Panels) == 0 {
		return Sheet{}, fmt.Errorf("figure: there are no motifs to draw")
	}
	return out, nil
}

func (l Logo) panel() (Panel, error) {
	most := math.Log2(float64(len(l.Symbols)))
	p := Panel{Title: l.Title, Y: "bits", Bounds: &Bounds{X0: 0.4, X1: float64(len(l.Frequencies)) + 0.6, Y0: 0, Y1: most}}
	var stacks letterStacks
	for i, place := range l.Frequencies {
		if len(place) != len(l.Symbols) {
			return Panel{}, fmt.Errorf("figure: %d frequencies of %d symbols", len(place), len(l.Symbols))
		}
		stacks = append(stacks, l.stack(i, place, most)...)
	}
	p.Layers = append(p.Layers, layer(func(p *panel) error {
		p.Add(stacks)
		p.X.Tick.Marker = wholeNumbers{}
		return nil
	}))
	return p, nil
}

// stack returns the letters of a place, the least frequent at the bottom.
func (l Logo) stack(place int, frequencies []float64, most float64) []stackedLetter {
	bits, order := most, make([]int, len(frequencies))
	for j, f := range frequencies {
		order[j] = j
		if f > 0 {
			bits += f * math.Log2(f)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(frequencies[a], frequencies[b]) })
	var out []stackedLetter
	at := 0.0
	for _, j := range order {
		height := frequencies[j] * bits
		if height > most/200 { // a lower one would not be seen
			out = append(out, stackedLetter{text: l.Symbols[j], ink: Ink(j % len(inks)), x: float64(place + 1), from: at, to: at + height})
		}
		at += height
	}
	return out
}

// stackedLetter is a symbol that is stretched to a height.
type stackedLetter struct {
	text     string
	ink      Ink
	x        float64
	from, to float64
}

type letterStacks []stackedLetter

// Plot draws the letters.
func (s letterStacks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, l := range s {
		box := vg.Rectangle{Min: vg.Point{X: x(l.x - 0.45), Y: y(l.from)}, Max: vg.Point{X: x(l.x + 0.45), Y: y(l.to)}}
		c.SetColor(l.ink.color())
		for _, path := range stretched(l.text, box) {
			c.Fill(path)
		}
	}
}

// stretched returns the outlines of a text that fill a box, side by side.
func stretched(text string, box vg.Rectangle) (out []vg.Path) {
	letters := []rune(text)
	wide := (box.Max.X - box.Min.X) / vg.Length(max(1, len(letters)))
	for i, letter := range letters {
		own := box
		own.Min.X += vg.Length(i) * wide
		own.Max.X = own.Min.X + wide
		if path := letterOutline(letter, own); path != nil {
			out = append(out, path)
		}
	}
	return out
}

// letterOutline returns the outline of a letter, stretched to a box; nil where the font has none.
func letterOutline(letter rune, box vg.Rectangle) vg.Path {
	face := plotfont.DefaultCache.Lookup(Sans(12), 12).Face
	var buffer sfnt.Buffer
	index, err := face.GlyphIndex(&buffer, letter)
	if err != nil || index == 0 {
		return nil
	}
	units := fixed.Int26_6(face.UnitsPerEm())
	bounds, _, err := face.GlyphBounds(&buffer, index, units, font.HintingNone)
	if err != nil || bounds.Empty() {
		return nil
	}
	segments, err := face.LoadGlyph(&buffer, index, units, nil)
	if err != nil {
		return nil
	}
	width := vg.Length(bounds.Max.X - bounds.Min.X)
	if narrow := vg.Length(units) / 4; width < narrow { // I stays a stroke
		middle := (box.Min.X + box.Max.X) / 2
		half := (box.Max.X - box.Min.X) / 2 * width / narrow / 2
		box.Min.X, box.Max.X = middle-half, middle+half
	}
	at := func(q fixed.Point26_6) vg.Point { // y of glyphs points down
		return vg.Point{
			X: box.Min.X + (box.Max.X-box.Min.X)*vg.Length(q.X-bounds.Min.X)/width,
			Y: box.Min.Y + (box.Max.Y-box.Min.Y)*vg.Length(bounds.Max.Y-q.Y)/vg.Length(bounds.Max.Y-bounds.Min.Y),
		}
	}
	var path vg.Path
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	path.Close()
	return path
}
