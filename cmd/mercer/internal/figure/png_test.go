package figure

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// TestResolution reads 200 dots per inch from the chunk pHYs of every kind of picture.
func TestResolution(t *testing.T) {
	for name, pic := range map[string]Picture{"sheet": everything(), "digits": digits(), "confusion": confused(3)} {
		file, err := pic.PNG()
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(file, []byte("pHYs"))
		if at != 37 || binary.BigEndian.Uint32(file[at-4:]) != 9 {
			t.Fatalf("%s: pHYs stands at byte %d", name, at)
		}
		x, y, unit := binary.BigEndian.Uint32(file[at+4:]), binary.BigEndian.Uint32(file[at+8:]), file[at+12]
		if x != 7874 || y != 7874 || unit != 1 {
			t.Errorf("%s: %d × %d dots per unit %d, want 7874 in a metre", name, x, y, unit)
		}
		if _, err := png.Decode(bytes.NewReader(file)); err != nil { // checks the sums of chunks
			t.Errorf("%s: %v", name, err)
		}
	}
}

// gradient is an image of n colours, most of them rare, with a white ground.
func gradient(n int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, n, 40))
	for x := range n {
		for y := range 40 {
			c := color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
			if y < 2 {
				c = color.RGBA{R: uint8(x), G: uint8(x * 7 >> 2), B: uint8(255 - x/3), A: 0xff}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

// TestPalette keeps up to 256 colours as they are, and moves the dots of more by little.
func TestPalette(t *testing.T) {
	for _, n := range []int{4, 200, 700} {
		img := gradient(n)
		out := paletted(img)
		if len(out.Palette) > 256 {
			t.Fatalf("%d colours in a palette", len(out.Palette))
		}
		worst := 0
		for i := range n * 40 {
			x, y := i%n, i/n
			a, b := img.RGBAAt(x, y), out.At(x, y).(color.RGBA)
			for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
				worst = max(worst, d, -d)
			}
		}
		if n <= 200 && worst != 0 || worst > 16 {
			t.Errorf("%d colours: a dot moved by %d of 255", n, worst)
		}
	}
}

// TestSameFile encodes the same image twice.
func TestSameFile(t *testing.T) {
	a, err := encodePNG(gradient(700))
	if err != nil {
		t.Fatal(err)
	}
	b, err := encodePNG(gradient(700))
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("two files of the same image differ (%v)", err)
	}
}
