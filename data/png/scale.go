package png

import (
	"errors"
	"fmt"
	"image"
	"strconv"
	"strings"

	"golang.org/x/image/draw"

	"example.org/mercer/data"
)

// Size is a width and a height in pixels; zero: that of the image.
type Size struct{ Width, Height int }

// MostSide is the longest side of a [Size].
const MostSide = 1 << 12

// ParseSize reads a size such as 32x24, or 32 for a square of 32 by 32; "" is none.
func ParseSize(text string) (Size, error) {
	if text == "" {
		return Size{}, nil
	}
	width, height, two := strings.Cut(strings.ToLower(text), "x")
	if !two {
		height = width
	}
	w, err := strconv.Atoi(width)
	h, other := strconv.Atoi(height)
	if err := errors.Join(err, other); err != nil || w < 1 || h < 1 || w > MostSide || h > MostSide {
		return Size{}, fmt.Errorf("the size %s is no width and height from 1 to %d: write 32x24, or 32 for a square", data.Quote(text), MostSide)
	}
	return Size{w, h}, nil
}

// String writes a size as [ParseSize] reads it.
func (s Size) String() string {
	if s == (Size{}) {
		return ""
	}
	return fmt.Sprintf("%dx%d", s.Width, s.Height)
}

// fitting makes all images of one size: first they are scaled, and then their middle is taken.
type fitting struct{ resize, crop Size }

// config returns the size that an image will have.
func (f fitting) config(width, height int) (int, int) {
	for _, s := range []Size{f.resize, f.crop} {
		if s != (Size{}) {
			width, height = s.Width, s.Height
		}
	}
	return width, height
}

// fit scales an image and returns the part of it that is taken.
func (f fitting) fit(path string, picture image.Image) (image.Image, image.Rectangle, error) {
	if f.resize != (Size{}) {
		picture = scaled(picture, f.resize)
	}
	all := picture.Bounds()
	if f.crop == (Size{}) {
		return picture, all, nil
	}
	left, above := all.Dx()-f.crop.Width, all.Dy()-f.crop.Height
	if left < 0 || above < 0 {
		return nil, all, &data.Error{Source: path, Reason: fmt.Sprintf("has %d × %d pixels, and %v of them are to be taken", all.Dx(), all.Dy(), f.crop), Fix: "take fewer (--crop), or scale all images to one size first (--resize)"}
	}
	corner := all.Min.Add(image.Pt(left/2, above/2))
	return picture, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(f.crop.Width, f.crop.Height))}, nil
}

// scaled draws an image in another size by Catmull and Rom's cubic, which where the image shrinks
// takes means over all pixels that fall into one. Grey images stay grey; what is transparent is
// seen on black.
func scaled(picture image.Image, to Size) image.Image {
	bounds := image.Rect(0, 0, to.Width, to.Height)
	var out draw.Image = image.NewRGBA(bounds)
	if isGrey(picture.ColorModel()) {
		out = image.NewGray(bounds)
	}
	draw.CatmullRom.Scale(out, bounds, picture, picture.Bounds(), draw.Src, nil)
	return out
}
