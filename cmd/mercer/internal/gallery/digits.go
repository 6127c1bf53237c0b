package gallery

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	drawn "example.org/mercer/lab/digits"
)

// digitSide is the number of pixels of an image in each direction.
const digitSide = drawn.Side

// digits are images of the ten digits: to learn from, to choose the number of components
// on (with and without noise), and to show.
type digits struct {
	train            data.Vectors
	chosen, choosing data.Vectors
	clean, noisy     data.Vectors
}

// digits reads the USPS digits, or draws some.
func (s *figureContext) digits(ctx context.Context) (*digits, error) {
	r := s.random()
	var images [10][][]float64
	each := digitsTrained/10 + 2
	if s.Data == "" {
		s.note = "The digits are a generated stand-in: seven strokes, shifted, slanted, of several widths. `--data DIR` with usps-zip.train.gz draws the digits of the lecture."
		for digit := range images {
			for range each {
				images[digit] = append(images[digit], drawn.Draw(r, digit))
			}
		}
	} else if err := s.usps(ctx, each, &images); err != nil {
		return nil, err
	}
	d := &digits{}
	var train, chosen, clean [][]float64
	for _, of := range images {
		clean, chosen, train = append(clean, of[0]), append(chosen, of[1]), append(train, of[2:]...)
	}
	d.train, d.chosen, d.clean = vectors(train...), vectors(chosen...), vectors(clean...)
	noise := func(x data.Vectors) data.Vectors {
		out := vectors(chosen...)
		for i, v := range x.Raw() {
			out.Raw()[i] = v + digitNoise*r.NormFloat64()
		}
		return out
	}
	d.choosing, d.noisy = noise(d.chosen), noise(d.clean)
	return d, nil
}

// usps reads the first images of each digit.
func (s *figureContext) usps(ctx context.Context, each int, images *[10][][]float64) error {
	path, err := s.find("usps-zip.train.gz")
	if err != nil {
		return err
	}
	t, err := open.Read(ctx, path, open.Options{Budget: compute.ReadingBudget(0)})
	if err != nil {
		return err
	}
	if len(t.Columns) != digitSide*digitSide+1 {
		return fmt.Errorf("gallery: %s has %d columns; a digit and %d grey values are expected", path, len(t.Columns), digitSide*digitSide)
	}
	for i := range t.Rows() {
		digit := t.Columns[0].Numbers[i]
		if digit != math.Trunc(digit) || digit < 0 || digit > 9 {
			return fmt.Errorf("gallery: %s: the label is %g; it must be a digit", t.Where(i, 0), digit)
		}
		if of := &images[int(digit)]; len(*of) < each {
			image := make([]float64, digitSide*digitSide)
			for j := range image {
				image[j] = t.Columns[j+1].Numbers[i]
			}
			*of = append(*of, image)
		}
	}
	for digit, of := range images {
		if len(of) < each {
			return fmt.Errorf("gallery: %s has %d images of the digit %d; %d are needed", path, len(of), digit, each)
		}
	}
	return nil
}

// find returns the path of a public data set, in the folder or one of its folders.
func (s *figureContext) find(name string) (string, error) {
	for _, below := range []string{"", "small", "images"} {
		path := filepath.Join(s.Data, below, name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("gallery: %s, %s and %s hold no %s; leave --data out to draw a generated stand-in", s.Data,
		filepath.Join(s.Data, "small"), filepath.Join(s.Data, "images"), name)
}
