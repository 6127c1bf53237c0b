package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// inks are the colours of Okabe and Ito (2008), which are told apart by every kind of
// colour vision.
var inks = []color.RGBA{
	{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff},
}

// Picture is what can be drawn in both formats.
type Picture interface {
	PNG() ([]byte, error)
	SVG() ([]byte, error)
}

// rasterize returns a drawing of the given size as PNG.
func rasterize(width, height vg.Length, paint func(draw.Canvas)) ([]byte, error) {
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(width, height)}
	paint(draw.New(canvas))
	return written(canvas)
}

// vectorize returns a drawing of the given size as SVG.
func vectorize(width, height vg.Length, paint func(draw.Canvas)) ([]byte, error) {
	canvas := vgsvg.New(width, height)
	paint(draw.New(canvas))
	return written(canvas)
}

func written(canvas io.WriterTo) ([]byte, error) {
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	return out.Bytes(), nil
}
