package png

import (
	"fmt"
	"image"
)

// counts are the bins of a histogram of colours.
type counts struct{ bins int }

func (c counts) size() int { return c.bins * c.bins * c.bins }

// defaultBins is the number of bins where none is given.
const defaultBins = 4

// name returns the column of a bin: h2_0_3 for red 2, green 0 and blue 3. With another number
// of bins than the default it is h2_0_3of8, so that a model finds no columns that mean
// other colours.
func (c counts) name(j int) string {
	name := fmt.Sprintf("h%d_%d_%d", j/(c.bins*c.bins), j/c.bins%c.bins, j%c.bins)
	if c.bins != defaultBins {
		name += fmt.Sprintf("of%d", c.bins)
	}
	return name
}

func (c counts) fits(string, image.Rectangle) error { return nil }

// row counts the pixels of one row of an image, and after the last row makes shares of the counts.
func (c counts) row(sums []float64, picture image.Image, y int, part image.Rectangle) {
	for x := part.Min.X; x < part.Max.X; x++ {
		r, g, b, _ := picture.At(x, y).RGBA()
		sums[(c.bin(r)*c.bins+c.bin(g))*c.bins+c.bin(b)]++
	}
	if y < part.Max.Y-1 {
		return
	}
	for j := range sums {
		sums[j] /= float64(part.Dx() * part.Dy())
	}
}

// bin is ⌊v·bins/2¹⁶⌋ of a colour of 16 bits.
func (c counts) bin(v uint32) int { return int(v) * c.bins >> 16 }
