package gallery_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// affine is the map (x, y) → (a·x + c·y + e, b·x + d·y + f).
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) at(x, y float64) (float64, float64) { return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f }

// after returns x → m(n(x)).
func (m affine) after(n affine) affine {
	e, f := m.at(n.e, n.f)
	return affine{m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d, e, f}
}

var step = regexp.MustCompile(`(\w+)\(([^)]*)\)`)

// parse reads a transform attribute of SVG.
func parse(text string) (affine, error) {
	m := affine{a: 1, d: 1}
	for _, part := range step.FindAllStringSubmatch(text, -1) {
		var v []float64
		for _, s := range strings.FieldsFunc(part[2], func(r rune) bool { return r == ',' || r == ' ' }) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return m, err
			}
			v = append(v, x)
		}
		switch part[1] {
		case "scale":
			m = m.after(affine{a: v[0], d: v[len(v)-1]})
		case "translate":
			m = m.after(affine{a: 1, d: 1, e: v[0], f: v[1]})
		case "rotate":
			sin, cos := math.Sincos(v[0] * math.Pi / 180)
			m = m.after(affine{a: cos, b: sin, c: -sin, d: cos})
		default:
			return m, fmt.Errorf("unknown transform %s", part[0])
		}
	}
	return m, nil
}

// label is a text of an SVG picture with the box that its letters fill.
type label struct {
	text           string
	size           float64
	x0, x1, y0, y1 float64
}

// labels returns all texts of an SVG picture, and its size. The letters are measured in
// the font that the picture names; a letter that the font lacks is an error.
func labels(svg []byte) (out []label, width, height float64, err error) {
	d := xml.NewDecoder(bytes.NewReader(svg))
	stack := []affine{{a: 1, d: 1}}
	var at *label
	var place affine
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out, width, height, nil
		}
		if err != nil {
			return nil, 0, 0, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			attr := map[string]string{}
			for _, a := range token.Attr {
				attr[a.Name.Local] = a.Value
			}
			if token.Name.Local == "svg" {
				if _, err := fmt.Sscanf(attr["viewBox"], "0 0 %f %f", &width, &height); err != nil {
					return nil, 0, 0, err
				}
			}
			m, err := parse(attr["transform"])
			if err != nil {
				return nil, 0, 0, err
			}
			place = stack[len(stack)-1].after(m)
			stack = append(stack, place)
			if token.Name.Local == "text" {
				at = &label{}
				at.x0, _ = strconv.ParseFloat(attr["x"], 64)
				at.y0, _ = strconv.ParseFloat(attr["y"], 64)
				_, size, _ := strings.Cut(attr["style"], "font-size:")
				size, _, _ = strings.Cut(size, "px")
				at.size, _ = strconv.ParseFloat(size, 64)
			}
		case xml.CharData:
			if at != nil {
				at.text += string(token)
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
			if token.Name.Local == "text" {
				if err := at.measure(place); err != nil {
					return nil, 0, 0, err
				}
				out, at = append(out, *at), nil
			}
		}
	}
}

// measure turns the place of the first letter into the box of all.
func (l *label) measure(m affine) error {
	face := font.DefaultCache.Lookup(figure.Sans(1), font.Length(l.size))
	for _, r := range l.text {
		if i, err := face.Face.GlyphIndex(nil, r); err != nil || i == 0 {
			return fmt.Errorf("%q has the letter %q, which the font lacks", l.text, r)
		}
	}
	width := face.Width(l.text).Points()
	x, y := l.x0, l.y0
	l.x0, l.x1, l.y0, l.y1 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, corner := range [][2]float64{{x, y + 0.22*l.size}, {x + width, y - 0.7*l.size}} {
		u, v := m.at(corner[0], corner[1])
		l.x0, l.x1, l.y0, l.y1 = min(l.x0, u), max(l.x1, u), min(l.y0, v), max(l.y1, v)
	}
	return nil
}

// checkText finds texts that the canvas cuts, that cover one another, and that are too
// small to be read.
func checkText(t *testing.T, name string, svg []byte) {
	t.Helper()
	all, width, height, err := labels(svg)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	const slack = 0.5 // points
	for i, l := range all {
		if l.x0 < -slack || l.y0 < -slack || l.x1 > width+slack || l.y1 > height+slack {
			t.Errorf("%s: %q, at x %.1f … %.1f and y %.1f … %.1f, is cut by a canvas of %.1f × %.1f", name, l.text, l.x0, l.x1, l.y0, l.y1, width, height)
		}
		if l.size < 9 {
			t.Errorf("%s: %q has letters of %g points", name, l.text, l.size)
		}
		for _, m := range all[:i] {
			const overlap = 1 // points, in both directions
			if min(l.x1, m.x1)-max(l.x0, m.x0) > overlap && min(l.y1, m.y1)-max(l.y0, m.y0) > overlap {
				t.Errorf("%s: %q and %q cover one another", name, l.text, m.text)
			}
		}
	}
}

// TestLabels checks the texts of every figure.
func TestLabels(t *testing.T) {
	g := drawn(t)
	for _, f := range g.Figures {
		checkText(t, f.Name, read(t, g, f.SVG))
	}
}

// TestLabelsBite sees that the check finds what it looks for.
func TestLabelsBite(t *testing.T) {
	const head = `<svg viewBox="0 0 100 50"><g transform="scale(1, -1) translate(0, -50)">`
	text := func(x, y float64, s string) string {
		return fmt.Sprintf(`<text x="%g" y="%g" transform="scale(1, -1)" style="font-size:12px">%s</text>`, x, -y, s)
	}
	// The baseline is 40 above the bottom, 10 below the top.
	all, width, height, err := labels([]byte(head + text(5, 40, "x") + `</g></svg>`))
	if err != nil || len(all) != 1 || width != 100 || height != 50 {
		t.Fatalf("%v, %g × %g, %v", all, width, height, err)
	}
	if l := all[0]; l.x0 != 5 || l.x1 < 10 || l.x1 > 12 || math.Abs(l.y0-1.6) > 1e-9 || math.Abs(l.y1-12.64) > 1e-9 {
		t.Errorf("the box of a letter of 12 points at (5, 10) is %+v", l)
	}
	if all, _, _, _ := labels([]byte(head + text(95, 20, "long label") + `</g></svg>`)); all[0].x1 < 120 {
		t.Errorf("a label that is cut ends at %.1f of 100", all[0].x1)
	}
	if _, _, _, err := labels([]byte(head + text(5, 5, "⟨x, y⟩") + `</g></svg>`)); err == nil {
		t.Error("letters that the font lacks were not found")
	}
	turned, _, _, err := labels([]byte(head + `<g transform="rotate(90)">` + text(5, -10, "up") + `</g></g></svg>`))
	if err != nil || turned[0].y1-turned[0].y0 < turned[0].x1-turned[0].x0 {
		t.Errorf("a turned label is %+v (%v)", turned, err)
	}
}
