package png

import (
	"fmt"
	"image"
	"image/color"

	"example.org/mercer/data"
)

// pixels are the numbers of the pixels themselves, from 0 to 255: row by row, the channels of a
// pixel side by side.
type pixels struct {
	first                   string // the image with the size of all
	width, height, channels int
}

func (p pixels) size() int { return p.width * p.height * p.channels }

// name returns the column of a number, p1, p2, … as in package idx.
func (p pixels) name(j int) string { return fmt.Sprintf("p%d", j+1) }

func (p pixels) fits(path string, part image.Rectangle) error {
	if part.Dx() == p.width && part.Dy() == p.height {
		return nil
	}
	return &data.Error{Source: path, Reason: fmt.Sprintf("has %d × %d pixels, and %s %d × %d", part.Dx(), part.Dy(), p.first, p.width, p.height),
		Fix: "scale all images to one size (--resize) or take the middle of each (--crop), or count their colours (--format png)"}
}

// row stores the pixels of one row of an image; what is transparent is seen on black. One channel
// is the brightness of the colours, which of grey is the grey itself.
func (p pixels) row(values []float64, picture image.Image, y int, part image.Rectangle) {
	at := (y - part.Min.Y) * p.width * p.channels
	for x := part.Min.X; x < part.Max.X; x++ {
		if p.channels == 1 {
			values[at] = float64(color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y)
			at++
			continue
		}
		r, g, b, _ := picture.At(x, y).RGBA()
		for o, v := range []uint32{r, g, b} {
			values[at+o] = float64(v >> 8)
		}
		at += p.channels
	}
}
