package figure

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
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
	digitSize = 14 * vg.Millimeter // the longer side of an image
	digitGap  = 1.5 * vg.Millimeter
	digitZoom = 12 // dots of a pixel, so that its edges stay sharp
)

// PNG draws the panel as PNG.
func (d Digits) PNG() ([]byte, error) {
	return d.draw(func(w, h vg.Length) (vg.CanvasSizer, func(io.Writer) (int64, error)) {
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(144))}
		return c, c.WriteTo
	})
}

// SVG draws the panel as SVG.
func (d Digits) SVG() ([]byte, error) {
	return d.draw(func(w, h vg.Length) (vg.CanvasSizer, func(io.Writer) (int64, error)) {
		c := vgsvg.New(w, h)
		return c, c.WriteTo
	})
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

func (d Digits) draw(open func(w, h vg.Length) (vg.CanvasSizer, func(io.Writer) (int64, error))) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	style := plot.New().Title.TextStyle
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	longer := vg.Length(max(d.Width, d.Height))
	w, h := digitSize*vg.Length(d.Width)/longer, digitSize*vg.Length(d.Height)/longer
	names := vg.Length(0)
	for _, r := range d.Rows {
		names = max(names, style.Width(r.Name))
	}
	const margin = 4 * vg.Millimeter
	left, top := 2*margin+names, 2*margin
	width := left + vg.Length(len(d.Rows[0].Images))*(w+digitGap) + margin
	if d.Title != "" {
		top += style.Height(d.Title)
		width = max(width, 2*margin+style.Width(d.Title))
	}
	canvas, write := open(width, top+vg.Length(len(d.Rows))*(h+digitGap)+margin)
	c := draw.New(canvas)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c.FillText(style, vg.Point{X: margin, Y: c.Max.Y - top/2}, d.Title)
	for i, r := range d.Rows {
		y := c.Max.Y - top - vg.Length(i)*(h+digitGap) - h
		c.FillText(style, vg.Point{X: margin, Y: y + h/2}, r.Name)
		for j, pixels := range r.Images {
			x := left + vg.Length(j)*(w+digitGap)
			c.DrawImage(vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + w, Y: y + h}}, d.grey(pixels))
		}
	}
	var out bytes.Buffer
	if _, err := write(&out); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	return out.Bytes(), nil
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
