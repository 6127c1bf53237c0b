package figure

import (
	"bytes"
	"fmt"
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// inks are the first six colours of Okabe and Ito (2008), and four more that keep the
// distances of those for every kind of colour vision.
var inks = []color.RGBA{
	{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff}, {0xe6, 0x9f, 0x00, 0xff},
	{0x56, 0xb4, 0xe9, 0xff}, {0x4b, 0x00, 0x82, 0xff}, {0x7a, 0x52, 0x30, 0xff}, {0x00, 0x3f, 0x5c, 0xff}, {0xb5, 0xa8, 0x4a, 0xff},
}

// Picture is what can be drawn in both formats.
type Picture interface {
	PNG() ([]byte, error)
	SVG() ([]byte, error)
}

// rasterize returns a drawing of the given size as PNG.
func rasterize(width, height vg.Length, paint func(draw.Canvas)) ([]byte, error) {
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	paint(draw.New(canvas))
	img, ok := canvas.Image().(*image.RGBA)
	if !ok {
		return nil, fmt.Errorf("figure: a canvas of %T", canvas.Image())
	}
	return encodePNG(img)
}

// vectorize returns a drawing of the given size as SVG.
func vectorize(width, height vg.Length, paint func(draw.Canvas)) ([]byte, error) {
	canvas := vgsvg.New(width, height)
	paint(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	return bytes.ReplaceAll(out.Bytes(), []byte("font-family:"+family), []byte("font-family:"+family+",Arial,Helvetica,sans-serif")), nil
}
