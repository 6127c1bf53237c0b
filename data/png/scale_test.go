package png_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	stdpng "image/png"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/png"
)

// grey is an image whose pixel (x, y) is 10y + x.
func grey(t testing.TB, width, height int) []byte {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p.SetGray(x, y, color.Gray{Y: uint8(10*y + x)})
		}
	}
	var b bytes.Buffer
	if err := stdpng.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// numbers are the pixels of a row of a table.
func numbers(t *data.Table, row int) (out []float64) {
	for _, c := range t.Columns {
		if strings.HasPrefix(c.Name, "p") && c.Kind == data.Numeric {
			out = append(out, c.Numbers[row])
		}
	}
	return out
}

// TestCropTakesTheMiddle: of images of several sizes the middles have one.
func TestCropTakesTheMiddle(t *testing.T) {
	dir := folder(t, map[string][]byte{"a.png": grey(t, 4, 4), "b.png": grey(t, 5, 7)})
	got, err := png.Read(t.Context(), dir, png.Options{Pixels: true, Crop: png.Size{Width: 2, Height: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []string{"[1 2 11 12 21 22]", "[21 22 31 32 41 42]"} {
		if pixels := fmt.Sprint(numbers(got, row)); pixels != want {
			t.Errorf("image %d is %s, want %s", row, pixels, want)
		}
	}
	_, err = png.Read(t.Context(), dir, png.Options{Pixels: true, Crop: png.Size{Width: 2, Height: 6}})
	wantError(t, err, "a.png", "has 4 × 4 pixels, and 2x6 of them are to be taken", "--resize")
}

// TestResize: an image of one colour keeps it, halves are means of what falls into a pixel, and
// what is cropped is the image that was scaled.
func TestResize(t *testing.T) {
	flat := image.NewGray(image.Rect(0, 0, 3, 5))
	for i := range flat.Pix {
		flat.Pix[i] = 77
	}
	var b bytes.Buffer
	if err := stdpng.Encode(&b, flat); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string][]byte{"a.png": b.Bytes(), "b.png": grey(t, 8, 8)})
	got, err := png.Read(t.Context(), dir, png.Options{Pixels: true, Resize: png.Size{Width: 4, Height: 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range numbers(got, 0) {
		if v != 77 {
			t.Errorf("the colour 77 becomes %v", numbers(got, 0))
			break
		}
	}
	// Pixel (1, 1) of 4 × 4 stands for the pixels 2 and 3 of both directions, whose mean is 27.5.
	// Beyond the border are no pixels, so that inner ones alone are exact.
	small := numbers(got, 1)
	if len(small) != 16 || small[5] < 27 || small[5] > 28 {
		t.Errorf("the image of half the size is %v", small)
	}
	part, err := png.Read(t.Context(), dir, png.Options{Pixels: true, Resize: png.Size{Width: 4, Height: 4}, Crop: png.Size{Width: 2, Height: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprint([]float64{small[5], small[6], small[9], small[10]}); fmt.Sprint(numbers(part, 1)) != want {
		t.Errorf("the middle of it is %v, want %s", numbers(part, 1), want)
	}
	sheet := folder(t, map[string][]byte{"a.png": grey(t, 4, 2), "labels.txt": []byte("1\n2\n")})
	_, err = png.Read(t.Context(), sheet, png.Options{Pixels: true, Resize: png.Size{Width: 4, Height: 4}})
	wantError(t, err, "sheets", "--resize")
}

// TestListed: a table of names and labels gets the pixels, and errors name image and line.
func TestListed(t *testing.T) {
	dir := folder(t, map[string][]byte{"a.png": grey(t, 2, 2), "b.PNG": grey(t, 2, 2), "c.png": []byte("nothing")})
	list := func(files ...string) *data.Table {
		l := &data.Table{Source: "list.csv", Headed: true, Columns: []data.Column{{Name: "kind", Kind: data.Categorical}, {Name: "file", Kind: data.Text, Strings: files}}}
		for i := range files {
			l.Lines = append(l.Lines, i+2)
			l.Columns[0].Strings = append(l.Columns[0].Strings, "k")
		}
		return l
	}
	got, err := png.ReadListed(t.Context(), list("b.PNG", "a.png"), dir, png.Options{Pixels: true})
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != "file" || got.Rows() != 2 || fmt.Sprint(numbers(got, 1)) != "[0 1 10 11]" || got.Columns[0].Name != "kind" {
		t.Errorf("the table is %+v", got)
	}
	_, err = png.ReadListed(t.Context(), list("a.png", "c.png"), dir, png.Options{})
	wantError(t, err, "c.png", "no complete PNG", "list.csv: line 3")
	_, err = png.ReadListed(t.Context(), list("a.png", "d.png"), dir, png.Options{})
	wantError(t, err, "d.png", "cannot be read", "line 3")
	_, err = png.ReadListed(t.Context(), list("a.gif", "a.png"), dir, png.Options{})
	wantError(t, err, "list.csv", "no column of which every cell names an image")
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]png.Size{"": {}, "32": {Width: 32, Height: 32}, "32x24": {Width: 32, Height: 24}, "8X9": {Width: 8, Height: 9}} {
		if got, err := png.ParseSize(text); err != nil || got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"0", "3x", "x", "-4", "5000x2", "3x4x5", "big"} {
		if got, err := png.ParseSize(text); err == nil || !strings.Contains(err.Error(), "write 32x24") {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}

// wantError looks for all parts of an error.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error %v does not say %q", err, part)
		}
	}
}

// TestGrey: of three channels one is left, 0.299 R + 0.587 G + 0.114 B to a whole number, also of
// what was scaled; grey images stay what they are, and there are no histograms of one colour.
func TestGrey(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 2, 1))
	picture.Set(0, 0, color.RGBA{200, 100, 50, 255})
	picture.Set(1, 0, color.RGBA{255, 255, 255, 255})
	var b bytes.Buffer
	if err := stdpng.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string][]byte{"a.png": b.Bytes(), "b.png": grey(t, 2, 1)})
	got, err := png.Read(t.Context(), dir, png.Options{Pixels: true, Grey: true})
	if err != nil {
		t.Fatal(err)
	}
	// 0.299·200 + 0.587·100 + 0.114·50 = 124.2
	for row, want := range []string{"[124 255]", "[0 1]"} {
		if pixels := fmt.Sprint(numbers(got, row)); pixels != want {
			t.Errorf("image %d is %s, want %s", row, pixels, want)
		}
	}
	if got, err = png.Read(t.Context(), dir, png.Options{Pixels: true, Grey: true, Resize: png.Size{Width: 4, Height: 4}}); err != nil || len(numbers(got, 0)) != 16 {
		t.Errorf("scaled to 4×4: %d numbers, %v", len(numbers(got, 0)), err)
	}
	_, err = png.Read(t.Context(), dir, png.Options{Grey: true})
	wantError(t, err, dir, "histograms of colours", "--format pixels")
}
