package png

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // image.Decode reads these formats
	_ "image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/mercer/data"
)

// Options say what is kept of an image.
type Options struct {
	// Pixels keeps the pixels themselves, and no histogram of their colours.
	Pixels bool
	// Resize scales every image, and Crop then takes its middle; zero: not.
	Resize, Crop Size
	// Grey makes one channel of three, their brightness 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601);
	// only for Pixels.
	Grey bool
	// Bins is the number of bins for each of the three colours, from 1 to 32; 0 means 4.
	Bins int
	// Budget is the memory that reading may take; nil: any.
	Budget *data.Budget
}

// MostBins is the largest number of bins.
const MostBins = 32

// pixelLimit bounds the pixels of one file, before it is decoded.
const pixelLimit = 1 << 26

// pixelBytes is what a pixel takes at most while an image is decoded: four numbers of 16 bits.
const pixelBytes = 8

// Is reports whether a folder holds images.
func Is(folder string) bool {
	f, err := list(folder)
	return err == nil && len(f.images) > 0
}

// endings are those of the names of images.
var endings = []string{".png", ".jpg", ".jpeg"}

// files are what a folder holds.
type files struct {
	images []string // sorted
	labels []string // candidates
}

func list(folder string) (files, error) {
	var f files
	entries, err := os.ReadDir(folder)
	if err != nil {
		return f, &data.Error{Source: folder, Reason: "cannot be read as a folder", Err: err}
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		switch {
		case e.IsDir():
		case slices.Contains(endings, filepath.Ext(name)):
			f.images = append(f.images, e.Name())
		case strings.HasSuffix(name, ".txt") && strings.Contains(name, "labels"):
			f.labels = append(f.labels, e.Name())
		}
	}
	return f, nil
}

// Read returns the table of a folder: image, the name of the file (of a row of a sheet, file:row
// from 1), which is the id; label, the target, where the folder has labels; and the shares or the
// pixels.
// Errors are *data.Error that name the file, except that of ctx. Time is linear in the pixels.
func Read(ctx context.Context, folder string, o Options) (*data.Table, error) {
	r, err := newReading(ctx, folder, o)
	if err != nil {
		return nil, err
	}
	if r.found, err = list(folder); err != nil {
		return nil, err
	}
	switch found := r.found; {
	case len(found.images) == 0:
		return nil, &data.Error{Source: folder, Reason: "holds no images", Fix: "give a folder with files that end in .png, .jpg or .jpeg"}
	case len(found.labels) > 1:
		return nil, &data.Error{Source: folder, Reason: "holds more than one file of labels, " + strings.Join(found.labels, " and "), Fix: "keep one of them"}
	}
	if err := r.labelled(); err != nil {
		return nil, err
	}
	if r.sheets && r.fitting != (fitting{}) {
		return nil, &data.Error{Source: folder, Reason: "holds sheets, on which every row of pixels is an image", Fix: "leave out --resize and --crop, or give images in files of their own"}
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	for _, name := range r.found.images {
		if err := r.image(name); err != nil {
			return nil, err
		}
	}
	return r.table(), nil
}

// newReading begins a table of images in a folder, or named relative to it.
func newReading(ctx context.Context, folder string, o Options) (*reading, error) {
	bins := o.Bins
	if bins == 0 {
		bins = defaultBins
	}
	if bins < 1 || bins > MostBins {
		return nil, &data.Error{Source: folder, Reason: fmt.Sprintf("cannot be counted in %d bins for each colour", bins), Fix: fmt.Sprintf("give a number from 1 to %d", MostBins)}
	}
	if o.Grey && !o.Pixels {
		return nil, &data.Error{Source: folder, Reason: "is read as histograms of colours, and grey images have none", Fix: "keep the pixels (--format pixels), or leave out --grey"}
	}
	return &reading{ctx: ctx, folder: folder, content: counts{bins: bins}, pixels: o.Pixels, grey: o.Grey, fitting: fitting{o.Resize, o.Crop}, budget: o.Budget}, nil
}

// begin finds the size of the images where their pixels are kept.
func (r *reading) begin() (err error) {
	if r.pixels {
		r.content, err = r.sized()
	}
	return err
}

// reading collects the rows of a table.
type reading struct {
	ctx    context.Context
	folder string
	found  files
	sheets bool
	pixels bool // and not histograms
	grey   bool // one channel of three
	fitting
	content
	labels []string // nil: there are none
	names  []string
	values [][]float64 // of every image
	budget *data.Budget
}

// labelled reads the labels, if there are any, and finds out by their number what a file is.
func (r *reading) labelled() error {
	if len(r.found.labels) == 0 {
		return nil
	}
	path := filepath.Join(r.folder, r.found.labels[0])
	f, err := os.Open(path)
	if err != nil {
		return &data.Error{Source: path, Reason: "cannot be read", Err: err}
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		label := strings.TrimSpace(lines.Text())
		if err := r.budget.Take(int64(16+len(label)), path, len(r.labels)+1); err != nil {
			return err
		}
		if label == "" {
			return &data.Error{Source: path, Line: len(r.labels) + 1, Reason: "is empty", Fix: "give one label a line"}
		}
		r.labels = append(r.labels, label)
	}
	if err := lines.Err(); err != nil {
		return &data.Error{Source: path, Reason: "cannot be read", Err: err}
	}
	if len(r.labels) == len(r.found.images) {
		return nil
	}
	rows := 0
	for _, name := range r.found.images {
		c, err := r.config(name)
		if err != nil {
			return err
		}
		rows += c.Height
	}
	if r.sheets = len(r.labels) == rows; !r.sheets {
		return &data.Error{Source: path, Reason: fmt.Sprintf("has %d labels for %d images with %d rows of pixels", len(r.labels), len(r.found.images), rows),
			Fix: "give one label for each file or, where every row of pixels is one image, for each row"}
	}
	return nil
}

// path is that of an image by its name.
func (r *reading) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.folder, name)
}

// config reads the header of an image.
func (r *reading) config(name string) (image.Config, error) {
	path := r.path(name)
	f, err := os.Open(path)
	if err != nil {
		return image.Config{}, &data.Error{Source: path, Reason: "cannot be read", Err: err}
	}
	defer f.Close()
	c, _, err := image.DecodeConfig(f)
	if err != nil {
		return c, broken(path, err)
	}
	if c.Width > pixelLimit/c.Height {
		return c, &data.Error{Source: path, Reason: fmt.Sprintf("has %d × %d pixels, more than the %d that are read", c.Width, c.Height, pixelLimit), Fix: "make it smaller, or divide it"}
	}
	return c, nil
}

func broken(path string, err error) error {
	return &data.Error{Source: path, Reason: "is no complete PNG or JPEG image", Err: err, Fix: "write or copy it again"}
}

// image adds the rows of one file.
func (r *reading) image(name string) error {
	c, err := r.config(name)
	if err != nil {
		return err
	}
	path := r.path(name)
	pixels := pixelBytes * (int64(c.Width)*int64(c.Height) + int64(r.resize.Width)*int64(r.resize.Height))
	if err := r.budget.Take(pixels, path, 0); err != nil {
		return err
	}
	defer r.budget.Give(pixels)
	f, err := os.Open(path)
	if err != nil {
		return &data.Error{Source: path, Reason: "cannot be read", Err: err}
	}
	defer f.Close()
	picture, _, err := image.Decode(bufio.NewReader(f))
	if err != nil {
		return broken(path, err)
	}
	picture, all, err := r.fit(path, picture)
	if err != nil {
		return err
	}
	if !r.sheets {
		r.names = append(r.names, name)
		return r.add(path, picture, all)
	}
	for y := all.Min.Y; y < all.Max.Y; y++ {
		r.names = append(r.names, fmt.Sprintf("%s:%d", name, y-all.Min.Y+1))
		if err := r.add(path, picture, image.Rect(all.Min.X, y, all.Max.X, y+1)); err != nil {
			return err
		}
	}
	return nil
}

// add appends the values of an image.
func (r *reading) add(path string, picture image.Image, part image.Rectangle) error {
	// The values stand in the rows, and in the columns at the end.
	if err := r.budget.Take(int64(2*8*r.size()+len(path)), path, 0); err != nil {
		return err
	}
	if err := r.fits(path, part); err != nil {
		return err
	}
	values := make([]float64, r.size())
	for y := part.Min.Y; y < part.Max.Y; y++ {
		if r.ctx.Err() != nil {
			return fmt.Errorf("%s: reading: %w", path, context.Cause(r.ctx))
		}
		r.row(values, picture, y, part)
	}
	r.values = append(r.values, values)
	return nil
}

// table turns the rows to columns.
func (r *reading) table() *data.Table {
	t := &data.Table{Source: r.folder, Headed: true, ID: "image"}
	t.Columns = append(t.Columns, data.Column{Name: "image", Kind: data.Text, Strings: r.names})
	if r.labels != nil {
		t.Target = "label"
		t.Columns = append(t.Columns, data.Column{Name: "label", Kind: data.Categorical, Strings: r.labels})
	}
	t.Columns = append(t.Columns, r.columns()...)
	return t
}

// columns are the numbers of all images.
func (r *reading) columns() []data.Column {
	columns := make([]data.Column, r.size())
	for j := range columns {
		columns[j] = data.Column{Name: r.name(j), Kind: data.Numeric, Numbers: make([]float64, len(r.values))}
		for i, values := range r.values {
			columns[j].Numbers[i] = values[j]
		}
	}
	return columns
}

// content is what is kept of an image: so many numbers with names.
type content interface {
	size() int
	name(j int) string
	// fits refuses a part of a picture that has another size than the first.
	fits(path string, part image.Rectangle) error
	// row adds one row of a picture.
	row(values []float64, picture image.Image, y int, part image.Rectangle)
}

// sized makes the content of pixels of the first image; all have one channel if all are grey.
func (r *reading) sized() (content, error) {
	p := pixels{channels: 1}
	for i, name := range r.found.images {
		c, err := r.config(name)
		if err != nil {
			return p, err
		}
		if !isGrey(c.ColorModel) && !r.grey {
			p.channels = 3
		}
		if i == 0 {
			p.first = name
			p.width, p.height = r.fitting.config(c.Width, c.Height)
		}
	}
	if r.sheets {
		p.height = 1
	}
	return p, nil
}

// isGrey reports whether images of a model have one channel.
func isGrey(m color.Model) bool { return m == color.GrayModel || m == color.Gray16Model }
