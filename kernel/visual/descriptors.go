package visual

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/kernel/ckn"
)

// Descriptors are the dense local descriptors of an image. A patch of Patch×Patch positions of what
// [ckn.Kernel.Map] makes of the image lies at every Step-th position where it is whole, and its
// numbers x, row by row, are scaled to
//
//	x/√(‖x‖² + ε²),   ε² = a hundredth of the mean ‖x‖² of the image,
//
// so that contrast does not count and patches without any stay near 0. With patches of 4×4 of 8
// orientations they are like those of SIFT (Lowe 2004) in a fixed direction.
type Descriptors struct {
	image       ckn.Kernel
	rows, cols  []int // where patches begin
	height      int
	width       int
	channels    int
	patch, step int
}

// inputs are those that need nothing learned.
var inputs = []ckn.Input{ckn.Gradient, ckn.Centred, ckn.Raw}

// Dense says which descriptors an image has.
type Dense struct {
	Shape        [3]int    // rows, columns and channels
	Input        ckn.Input // "": gradient
	Orientations int       // of the gradient; 0: 8
	Reduce       int       // pools the map before patches are cut; 0: 2
	Patch        int       // side of the patches; 0: 4
	Step         int       // between patches; 0: 1
}

// orDefault returns the options with numbers in place of zeros.
func (o Dense) orDefault() Dense {
	if o.Input == "" {
		o.Input = ckn.Gradient
	}
	for _, f := range []struct {
		value    *int
		fallback int
	}{{&o.Orientations, 8}, {&o.Reduce, 2}, {&o.Patch, 4}, {&o.Step, 1}} {
		if *f.value == 0 {
			*f.value = f.fallback
		}
	}
	return o
}

// New returns the descriptors. The error joins all that is wrong with the options.
func (o Dense) New() (*Descriptors, error) {
	o = o.orDefault()
	net := ckn.Options{Shape: o.Shape, Input: o.Input, Orientations: o.Orientations, Reduce: o.Reduce, Layers: []ckn.Layer{{Patch: o.Patch, Pool: 1, Sigma: 1}}}
	problems := net.Problems()
	switch {
	case problems != nil:
		return nil, errors.Join(problems...)
	case !slices.Contains(inputs, o.Input):
		return nil, fmt.Errorf("input %q needs something learned from images before the descriptors: there are %q", o.Input, inputs)
	case o.Step < 1:
		return nil, fmt.Errorf("step = %d: patches are at least 1 position apart", o.Step)
	}
	image, err := ckn.New(net)
	if err != nil {
		return nil, err
	}
	d := &Descriptors{image: image, patch: o.Patch, step: o.Step}
	d.height, d.width, d.channels = image.MapShape()
	d.rows, d.cols = d.places(d.height), d.places(d.width)
	if len(d.rows) == 0 || len(d.cols) == 0 {
		return nil, fmt.Errorf("patches of %d×%d do not fit in the map of %d×%d positions that is left of the image after reduce = %d", o.Patch, o.Patch, d.height, d.width, o.Reduce)
	}
	return d, nil
}

// places returns where patches begin along a side of n positions, in the middle of what is left
// over.
func (d *Descriptors) places(n int) (all []int) {
	free := n - d.patch
	if free < 0 {
		return nil
	}
	for at := free % d.step / 2; at <= free; at += d.step {
		all = append(all, at)
	}
	return all
}

// Count returns the number of descriptors of an image, Dim the numbers of one.
func (d *Descriptors) Count() int { return len(d.rows) * len(d.cols) }

// Dim returns the numbers of a descriptor.
func (d *Descriptors) Dim() int { return d.patch * d.patch * d.channels }

// Grid returns how many rows and columns of descriptors there are.
func (d *Descriptors) Grid() (rows, cols int) { return len(d.rows), len(d.cols) }

// Scratch returns how many numbers [Descriptors.Of] needs beside its result.
func (d *Descriptors) Scratch() int { return d.height*d.width*d.channels + d.image.MapScratch() }

// Of stores the descriptors of an image in dst, Count×Dim, in the order in which one reads.
func (d *Descriptors) Of(dst, scratch, x []float64) {
	seen := scratch[:d.height*d.width*d.channels]
	d.image.Map(seen, scratch[len(seen):], x)
	dim, at, squares := d.Dim(), 0, 0.0
	for _, i := range d.rows {
		for _, j := range d.cols {
			row := dst[at : at+dim]
			d.cut(row, seen, i, j)
			for _, v := range row {
				squares += v * v
			}
			at += dim
		}
	}
	soft := squares / float64(d.Count()) / 100
	for ; at > 0; at -= dim {
		scaleSoftly(dst[at-dim:at], soft)
	}
}

// cut stores the patch that begins at a position, less the mean of each channel where the input
// says so.
func (d *Descriptors) cut(row, seen []float64, i, j int) {
	span := d.patch * d.channels
	for r := range d.patch {
		from := ((i+r)*d.width + j) * d.channels
		copy(row[r*span:(r+1)*span], seen[from:from+span])
	}
	if d.image.Input() != ckn.Centred {
		return
	}
	for c := range d.channels {
		mean := 0.0
		for t := c; t < len(row); t += d.channels {
			mean += row[t]
		}
		mean /= float64(d.patch * d.patch)
		for t := c; t < len(row); t += d.channels {
			row[t] -= mean
		}
	}
}

// scaleSoftly divides a vector by √(‖x‖² + soft); zeros stay.
func scaleSoftly(x []float64, soft float64) {
	square := soft
	for _, v := range x {
		square += v * v
	}
	if square == 0 {
		return
	}
	length := math.Sqrt(square)
	for i := range x {
		x[i] /= length
	}
}
