package png_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	stdpng "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/data/png"
	"example.org/mercer/internal/testkit"
)

// picture is red above and blue below: 2 × height pixels.
func picture(t testing.TB, height int) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, 2, height))
	for y := range height {
		for x := range 2 {
			p.Set(x, y, color.RGBA{R: 255, A: 255})
			if y >= height/2 {
				p.Set(x, y, color.RGBA{B: 255, G: 64, A: 255})
			}
		}
	}
	var b bytes.Buffer
	if err := stdpng.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// One image a file, one image a row, and no labels; bins counted by hand.
func TestRead(t *testing.T) {
	images := map[string][]byte{"b.png": picture(t, 4), "a.png": picture(t, 2), "notes.md": nil}
	for _, c := range []struct {
		labels, target, ids string
		red                 []float64
	}{
		{"", "", "[a.png b.png]", []float64{0.5, 0.5}},
		{"cat\ndog\n", "label", "[a.png b.png]", []float64{0.5, 0.5}},
		{"1\n2\n1\n1\n2\n2", "label", "[a.png:1 a.png:2 b.png:1 b.png:2 b.png:3 b.png:4]", []float64{1, 0, 1, 1, 0, 0}},
	} {
		delete(images, "labels.txt")
		if c.labels != "" {
			images["labels.txt"] = []byte(c.labels)
		}
		got, err := png.Read(t.Context(), folder(t, images), png.Options{})
		if err != nil {
			t.Fatal(err)
		}
		red, _ := got.Column("h3_0_0")
		blue, _ := got.Column("h0_1_3") // green 64 of 255 lies in the second quarter
		if got.Target != c.target || fmt.Sprint(got.Columns[0].Strings) != c.ids || fmt.Sprint(red.Numbers) != fmt.Sprint(c.red) {
			t.Errorf("%q: target %q, %v, %v", c.labels, got.Target, got.Columns[0].Strings, red.Numbers)
		}
		for i := range red.Numbers {
			if red.Numbers[i]+blue.Numbers[i] != 1 {
				t.Errorf("%q: row %d has %v and %v", c.labels, i, red.Numbers[i], blue.Numbers[i])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	good := picture(t, 4)
	for _, c := range []struct {
		files map[string][]byte
		bins  int
		want  string
	}{
		{map[string][]byte{"x.csv": nil}, 0, "holds no images; give a folder"},
		{map[string][]byte{"a.png": good}, 33, "33 bins for each colour; give a number from 1 to 32"},
		{map[string][]byte{"a.png": good, "labels.txt": []byte("1\n2\n3")}, 0, "has 3 labels for 1 images with 4 rows of pixels; give one label for each file"},
		{map[string][]byte{"a.png": good, "labels.txt": []byte("1\n\n3")}, 0, "labels.txt: line 2: is empty"},
		{map[string][]byte{"a.png": good, "labels.txt": nil, "y_labels.txt": nil}, 0, "more than one file of labels, labels.txt and y_labels.txt"},
		{map[string][]byte{"a.png": good[:len(good)/2]}, 0, "a.png: is no complete PNG or JPEG image"},
		{map[string][]byte{"a.png": []byte("GIF89a")}, 0, "a.png: is no complete PNG or JPEG image"},
	} {
		_, err := png.Read(t.Context(), folder(t, c.files), png.Options{Bins: c.bins})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := png.Read(ctx, folder(t, map[string][]byte{"a.png": good}), png.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// jpegOf is a grey JPEG image of one brightness.
func jpegOf(t testing.TB, w, h int, grey uint8) []byte {
	p := image.NewGray(image.Rect(0, 0, w, h))
	for i := range p.Pix {
		p.Pix[i] = grey
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestPixels(t *testing.T) {
	p := image.NewRGBA(image.Rect(0, 0, 2, 2))
	p.Set(1, 0, color.RGBA{10, 20, 30, 255})
	p.Set(0, 1, color.RGBA{255, 0, 7, 255})
	var out bytes.Buffer
	if err := stdpng.Encode(&out, p); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files map[string][]byte
		want  []float64 // of the second image
		size  int
	}{
		{map[string][]byte{"a.jpg": jpegOf(t, 2, 2, 128), "b.png": out.Bytes()}, []float64{0, 0, 0, 10, 20, 30, 255, 0, 7, 0, 0, 0}, 12},
		{map[string][]byte{"a.jpg": jpegOf(t, 3, 2, 128), "b.jpeg": jpegOf(t, 3, 2, 64)}, []float64{64, 64, 64, 64, 64, 64}, 6},
	} {
		got, err := png.Read(t.Context(), folder(t, c.files), png.Options{Pixels: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Columns) != 1+c.size || got.Columns[1].Name != "p1" {
			t.Fatalf("%d columns, the second %s", len(got.Columns), got.Columns[1].Name)
		}
		for j, want := range c.want {
			if v := got.Columns[1+j].Numbers[1]; v != want {
				t.Errorf("pixel %d is %v, want %v", j, v, want)
			}
		}
	}
	_, err := png.Read(t.Context(), folder(t, map[string][]byte{"a.jpg": jpegOf(t, 3, 2, 1), "b.png": out.Bytes()}), png.Options{Pixels: true})
	if err == nil || !strings.Contains(err.Error(), "b.png: has 2 × 2 pixels, and a.jpg 3 × 2; scale all images to one size (--resize)") {
		t.Error(err)
	}
}

// A file cut at any byte is a whole image or an error that names it.
func TestCut(t *testing.T) {
	whole := picture(t, 4)
	for n := range len(whole) {
		if _, err := png.Read(t.Context(), folder(t, map[string][]byte{"a.png": whole[:n]}), png.Options{}); err != nil && !strings.Contains(err.Error(), "a.png") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestShared(t *testing.T) {
	got, err := png.Read(t.Context(), filepath.Dir(testkit.Shared(t, "images/cifar10_batch_0.png")), png.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows() != 2000 || len(got.Columns) != 2+64 || got.Columns[1].Strings[0] != "6" {
		t.Errorf("%d rows, %d columns", got.Rows(), len(got.Columns))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(picture(f, 4))
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<12 {
			return
		}
		got, err := png.Read(t.Context(), folder(t, map[string][]byte{"a.png": content}), png.Options{Bins: 2})
		if (err == nil) != (got != nil) || err != nil && !strings.Contains(err.Error(), "a.png") {
			t.Fatalf("%v, %v", got, err)
		}
	})
}

func ExampleRead() {
	dir, err := os.MkdirTemp("", "images")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	f, err := os.Create(filepath.Join(dir, "green.png"))
	if err != nil {
		panic(err)
	}
	p := image.NewGray(image.Rect(0, 0, 3, 1)) // black, black, white
	p.SetGray(2, 0, color.Gray{Y: 255})
	if err := errors.Join(stdpng.Encode(f, p), f.Close()); err != nil {
		panic(err)
	}
	t, err := png.Read(context.Background(), dir, png.Options{Bins: 2})
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"h0_0_0of2", "h1_1_1of2"} {
		c, _ := t.Column(name)
		fmt.Printf("%s %.3f\n", name, c.Numbers)
	}
	// Output:
	// h0_0_0of2 [0.667]
	// h1_1_1of2 [0.333]
}
