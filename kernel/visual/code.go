package visual

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"
)

// Options say how the code of an image is made, but for the dictionary.
type Options struct {
	Dense
	// Components are the principal components that descriptors are reduced to; 0: all numbers are
	// kept as they are.
	Components int
	Pyramid    Pyramid // nil: the whole image
	Coding     Coding
}

// Code takes images to vectors, see the package. [Options.New] makes one.
type Code struct {
	Options
	descriptors *Descriptors
	// numbers are the dictionary: the mean of the descriptors and the directions of the principal
	// components, where there are some, and what the coding needs; nil: it is still to be learned.
	numbers []float64
	members [][]int
	weights []float64 // of the levels
	free    *sync.Pool
}

// New returns the code by a dictionary, nil where that is still to be learned. The errors are those
// of the options, and of numbers that are no dictionary for them.
func (o Options) New(dictionary []float64) (*Code, error) {
	o.Dense = o.orDefault()
	if o.Pyramid == nil {
		o.Pyramid = Pyramid{1}
	}
	d, err := o.Dense.New()
	if err != nil {
		return nil, err
	}
	rows, cols := d.Grid()
	c := &Code{Options: o, descriptors: d, numbers: dictionary, weights: o.Pyramid.Weights()}
	if err := o.Pyramid.check(rows, cols); err != nil {
		return nil, err
	}
	c.members = o.Pyramid.members(rows, cols)
	switch {
	case o.Components < 0 || o.Components > d.Dim():
		return nil, fmt.Errorf("pca = %d: descriptors have %d numbers, and from 1 to as many principal components", o.Components, d.Dim())
	case o.Coding.Size() < 1 || o.Coding.Size() > MostWords:
		return nil, fmt.Errorf("%s = %d: give from 1 to %d", o.Coding.argument(), o.Coding.Size(), MostWords)
	case dictionary == nil:
		return c, nil
	}
	if want := c.DictionarySize(); len(dictionary) != want {
		return nil, fmt.Errorf("the dictionary has %d numbers, and %d for descriptors of %d: leave it out, so that it is learned", len(dictionary), want, d.Dim())
	}
	if err := checkFinite(dictionary); err != nil {
		return nil, err
	}
	if err := o.Coding.check(dictionary[c.reduction():], c.dim()); err != nil {
		return nil, err
	}
	c.free = &sync.Pool{New: func() any { return c.scratch() }}
	return c, nil
}

// MostWords bounds a dictionary.
const MostWords = 1 << 14

// Descriptors returns those of the images.
func (c *Code) Descriptors() *Descriptors { return c.descriptors }

// CheckImage returns an error for a point that is no image of the shape.
func (c *Code) CheckImage(x []float64) error {
	if err := c.descriptors.image.CheckImage(x); err != nil {
		return fmt.Errorf("%s: %w", c.Coding.Name(), err)
	}
	return nil
}

// Learned reports whether there is a dictionary.
func (c *Code) Learned() bool { return c.numbers != nil }

// Dictionary returns the numbers of the dictionary, nil before it is learned.
func (c *Code) Dictionary() []float64 { return slices.Clone(c.numbers) }

// dim returns the numbers of a descriptor after the reduction to principal components.
func (c *Code) dim() int {
	if c.Components > 0 {
		return c.Components
	}
	return c.descriptors.Dim()
}

// reduction returns how many numbers of the dictionary are those of the principal components.
func (c *Code) reduction() int {
	if c.Components == 0 {
		return 0
	}
	return (1 + c.Components) * c.descriptors.Dim()
}

// DictionarySize returns the numbers of a dictionary.
func (c *Code) DictionarySize() int { return c.reduction() + c.Coding.Numbers(c.dim()) }

// Features returns the length of a code.
func (c *Code) Features() int { return len(c.members) * c.Coding.Features(c.dim()) }

// scratch is what the code of an image needs beside itself.
type scratch struct {
	coder              coder
	x, reduced, others []float64
}

func (c *Code) scratch() *scratch {
	return &scratch{
		coder:   c.Coding.of(c.numbers[c.reduction():], c.dim()),
		x:       make([]float64, c.descriptors.Count()*c.descriptors.Dim()),
		reduced: make([]float64, c.descriptors.Count()*c.Components),
		others:  make([]float64, c.descriptors.Scratch()),
	}
}

// Of stores the code of an image in dst.
func (c *Code) Of(dst, image []float64) {
	s := c.free.Get().(*scratch)
	defer c.free.Put(s)
	count := c.descriptors.Count()
	c.descriptors.Of(s.x, s.others, image)
	x := s.x
	if c.Components > 0 {
		x = s.reduced
		c.reduce(x, s.x)
	}
	s.coder.see(x, count)
	size, cell := c.Coding.Features(c.dim()), 0
	for level, g := range c.Pyramid {
		for range g * g {
			s.coder.pool(dst[cell*size:(cell+1)*size], c.members[cell], c.weights[level], len(c.members))
			cell++
		}
	}
}

// reduce stores the principal components of descriptors, which are centred in place.
func (c *Code) reduce(dst, x []float64) {
	d := c.descriptors.Dim()
	mean, directions := c.numbers[:d], c.numbers[d:c.reduction()]
	for t := 0; t < len(x); t += d {
		floats.Sub(x[t:t+d], mean)
	}
	products(false, len(x)/d, c.Components, d, x, directions, dst)
}

// arguments returns the options as the expression language writes them, after the kernel.
func (c *Code) arguments() string {
	text := fmt.Sprintf("shape=[%d, %d, %d], input=%s", c.Shape[0], c.Shape[1], c.Shape[2], c.Input)
	for _, a := range []struct {
		name  string
		value int
	}{{"orientations", c.Orientations}, {"reduce", c.Reduce}, {"patch", c.Patch}, {"step", c.Step}, {"pca", c.Components}} {
		if a.value != 0 {
			text += fmt.Sprintf(", %s=%d", a.name, a.value)
		}
	}
	if !slices.Equal(c.Pyramid, Pyramid{1}) {
		text += ", pyramid=[" + strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(c.Pyramid)), " ", ", "), "[]") + "]"
	}
	return text
}
