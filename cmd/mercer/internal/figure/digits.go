package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Digits is a panel of small images in grey: a row for each thing done to them, a column
// for each image.
type Digits struct {
	Title         string
	Width, Height int     // of an image, in pixels
	White, Black  float64 // values drawn so; what is beyond is cut off
	Rows          []DigitRow
}

// DigitRow is a row of images, each with its pixels in rows.
type DigitRow struct {
	Name   string
	Images [][]float64
}

const (
	digitLeast = 14 * vg.Millimeter // the longer side of an image
	digitMost  = 40 * vg.Millimeter
	digitGap   = 1.5 * vg.Millimeter
	digitZoom  = 12 // dots of a pixel, so that its edges stay sharp
	// namedShare is the part of the width that the names of rows may take.
	namedShare = 0.1
)

// PNG draws the panel as PNG.
func (d Digits) PNG() ([]byte, error) { return d.with(rasterize) }

// SVG draws the panel as SVG.
func (d Digits) SVG() ([]byte, error) { return d.with(vectorize) }

// with draws the panel in a format.
func (d Digits) with(format func(width, height vg.Length, paint func(draw.Canvas)) ([]byte, error)) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	s := d.strip()
	return format(s.width, s.height, func(c draw.Canvas) { d.paint(c, s) })
}

func (d Digits) check() error {
	if d.Width < 1 || d.Height < 1 || len(d.Rows) == 0 || len(d.Rows[0].Images) == 0 {
		return fmt.Errorf("figure: a panel needs images of at least one pixel: %d rows of images of %d × %d", len(d.Rows), d.Width, d.Height)
	}
	if !(d.White != d.Black) {
		return fmt.Errorf("figure: white and black are both %g: all pixels are the same", d.White)
	}
	for _, r := range d.Rows {
		if len(r.Images) != len(d.Rows[0].Images) {
			return fmt.Errorf("figure: row %q has %d images, the first row %d", r.Name, len(r.Images), len(d.Rows[0].Images))
		}
		for i, pixels := range r.Images {
			if len(pixels) != d.Width*d.Height {
				return fmt.Errorf("figure: image %d of row %q has %d pixels, not %d × %d", i, r.Name, len(pixels), d.Width, d.Height)
			}
		}
	}
	return nil
}

// strip is the arrangement of a panel.
type strip struct {
	w, h          vg.Length // of an image
	names         [][]string
	named, top    vg.Length // spaces for names and title
	width, height vg.Length
}

const (
	digitMargin  = 3 * vg.Millimeter
	digitLetters = vg.Length(9.5)
	digitLine    = vg.Length(12)
	digitNamed   = 20 * vg.Millimeter // names are not broken into shorter lines
)

// strip makes images as large as they must be for the names of the rows, broken into lines,
// to take a tenth of the width; there is an end to that for a few images.
func (d Digits) strip() strip {
	var s strip
	longer := vg.Length(max(d.Width, d.Height))
	count := vg.Length(len(d.Rows[0].Images))
	style := letters(digitLetters)
	for size := digitLeast; ; size += vg.Millimeter {
		s.w, s.h = size*vg.Length(d.Width)/longer, size*vg.Length(d.Height)/longer
		images := count * (s.w + digitGap)
		s.names, s.named = nil, 0
		for _, r := range d.Rows {
			lines := broken(style, r.Name, max(0.9*namedShare*images, digitNamed))
			s.names = append(s.names, lines)
			for _, l := range lines {
				s.named = max(s.named, style.Width(l))
			}
		}
		s.width = 3*digitMargin + s.named + images
		if s.named <= namedShare*s.width && s.tallest() <= s.h || size >= digitMost {
			break
		}
	}
	s.top = digitMargin
	if d.Title != "" {
		s.top += letters(usualSizes.title).Height(d.Title) + digitMargin
	}
	s.height = s.top + vg.Length(len(d.Rows))*(max(s.h, s.tallest())+digitGap) + digitMargin
	return s
}

// tallest is the height of the name with the most lines.
func (s strip) tallest() (height vg.Length) {
	for _, lines := range s.names {
		height = max(height, digitLine*vg.Length(len(lines)))
	}
	return height
}

// broken breaks a name into lines between words, each as long as fits.
func broken(style text.Style, name string, width vg.Length) []string {
	var out []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == ',' || r == ':' }) {
		line := ""
		for _, word := range strings.Fields(part) {
			if line != "" && style.Width(line+" "+word) > width {
				out, line = append(out, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		out = append(out, line)
	}
	return out
}

// paint draws title, names and images.
func (d Digits) paint(c draw.Canvas, s strip) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	left := c.Min.X + 2*digitMargin + s.named
	if d.Title != "" {
		title, text := fitted(letters(usualSizes.title), d.Title, s.width-2*digitMargin)
		title.XAlign = draw.XCenter
		c.FillText(title, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Max.Y - digitMargin - title.Height(text)/2}, text)
	}
	style := letters(digitLetters)
	step := max(s.h, s.tallest()) + digitGap
	for i, r := range d.Rows {
		middle := c.Max.Y - s.top - vg.Length(i)*step - (step-digitGap)/2
		for k, line := range s.names[i] {
			c.FillText(style, vg.Point{X: c.Min.X + digitMargin, Y: middle + digitLine*(vg.Length(len(s.names[i])-1)/2-vg.Length(k))}, line)
		}
		for j, pixels := range r.Images {
			x := left + vg.Length(j)*(s.w+digitGap)
			c.DrawImage(vg.Rectangle{Min: vg.Point{X: x, Y: middle - s.h/2}, Max: vg.Point{X: x + s.w, Y: middle + s.h/2}}, d.grey(pixels))
		}
	}
}

// grey returns the image of some pixels.
func (d Digits) grey(pixels []float64) image.Image {
	img := image.NewGray(image.Rect(0, 0, d.Width*digitZoom, d.Height*digitZoom))
	for y := range d.Height * digitZoom {
		for x := range d.Width * digitZoom {
			v := (pixels[y/digitZoom*d.Width+x/digitZoom] - d.White) / (d.Black - d.White)
			img.SetGray(x, y, color.Gray{Y: uint8(math.Round(255 * (1 - min(max(v, 0), 1))))})
		}
	}
	return img
}
