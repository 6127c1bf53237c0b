package ckn

import (
	"fmt"
	"math"

	"example.org/mercer/internal/simd"
)

// Input says what the first layer sees of an image.
type Input string

const (
	// Raw are the numbers of the pixels.
	Raw Input = "raw"
	// Centred are patches less the mean of each of their channels.
	Centred Input = "centred"
	// Whitened are centred patches W(x − μ) whose coordinates have no covariance over the images
	// from which a [Whitening] was learned.
	Whitened Input = "whitened"
	// Gradient is a map of orientations: for the central differences z of the channel in which
	// they are longest, and the directions u_j = (cos 2πj/n, sin 2πj/n), j < n,
	//
	//	v_j = ‖z‖·exp(−‖z/‖z‖ − u_j‖²/ρ²),   ρ = ‖u_1 − u_0‖
	//
	// (the gradient map of Mairal et al. 2014).
	Gradient Input = "gradient"
)

// Inputs are all of them.
var Inputs = []Input{Raw, Centred, Whitened, Gradient}

// Whitening takes a centred patch x of the raw input to Matrix·(x − Mean).
type Whitening struct {
	Mean   []float64
	Matrix []float64 // symmetric, row after row
}

// WithWhitening returns the kernel with a whitening for its first layer, which its text does not
// show.
func (k Kernel) WithWhitening(w *Whitening) Kernel {
	k.whitening = w
	return k
}

// Unlearned says what must be learned from images before the kernel has values, which are NaN
// until then; nil: nothing.
func (k Kernel) Unlearned() error {
	if k.input != Whitened || k.whitening != nil {
		return nil
	}
	return fmt.Errorf("ckn: the whitening of patches is learned from images together with filters: give --filters, or another input than %s", Whitened)
}

// Learned returns the whitening; nil: there is none.
func (k Kernel) Learned() *Whitening { return k.whitening }

// MapShape returns the rows, columns and channels of the map from which the first layer takes its
// patches.
func (k Kernel) MapShape() (h, w, c int) {
	h, w, c = k.Shape()
	if k.input == Gradient {
		c = k.orientations
	}
	return Pooled(h, k.reduce), Pooled(w, k.reduce), c
}

// Map stores in dst the map from which the first layer takes its patches: that of orientations or
// the pixels themselves, pooled by reduce. scratch is of the size that [Kernel.MapScratch] says.
func (k Kernel) Map(dst, scratch, x []float64) {
	h, w, c := k.Shape()
	if k.input == Gradient {
		full := scratch[:h*w*k.orientations]
		k.orient(full, scratch[len(full):], x)
		x, c = full, k.orientations
	}
	if k.reduce == 1 {
		copy(dst, x)
		return
	}
	rows, columns := Pooling(h, k.reduce), Pooling(w, k.reduce)
	flat := scratch[len(scratch)-len(rows)*w*c:]
	clear(flat)
	for i, r := range rows {
		simd.AddRows(flat[i*w*c:(i+1)*w*c], x[r.From*w*c:], w*c, r.Weights)
	}
	clear(dst)
	for i := range rows {
		for j, r := range columns {
			at := (i*len(columns) + j) * c
			simd.AddRows(dst[at:at+c], flat[(i*w+r.From)*c:], c, r.Weights)
		}
	}
}

// MapScratch returns how many numbers [Kernel.Map] needs beside its result.
func (k Kernel) MapScratch() int {
	h, w, c := k.Shape()
	if k.input != Gradient {
		return Pooled(h, k.reduce) * w * c
	}
	return h*w*k.orientations + max(2*h*w, Pooled(h, k.reduce)*w*k.orientations)
}

// orient stores the map of orientations. scratch has 2·h·w numbers at least.
func (k Kernel) orient(dst, scratch, x []float64) {
	h, w, c := k.Shape()
	n := k.orientations
	dx, dy := scratch[:h*w], scratch[h*w:2*h*w]
	for i := range h {
		for j := range w {
			dx[i*w+j], dy[i*w+j] = steepest(x, i, j, h, w, c)
		}
	}
	ux, uy := make([]float64, n), make([]float64, n)
	for o := range n {
		uy[o], ux[o] = math.Sincos(2 * math.Pi * float64(o) / float64(n))
	}
	rate := 2 / (math.Pow(ux[1]-1, 2) + uy[1]*uy[1])
	for p := range dx {
		length := math.Hypot(dx[p], dy[p])
		row := dst[p*n : (p+1)*n]
		for o := range row {
			row[o] = -1 // ‖z/‖z‖ − u‖² = 2 − 2⟨z, u⟩/‖z‖
			if length > 0 {
				row[o] = (dx[p]*ux[o]+dy[p]*uy[o])/length - 1
			}
		}
	}
	simd.Exp(dst, dst, rate)
	for p := range dx {
		length := math.Hypot(dx[p], dy[p])
		row := dst[p*n : (p+1)*n]
		for o := range row {
			row[o] *= length
		}
	}
}

// steepest returns the central differences at a pixel, those of the channel with the longest;
// beyond the border pixels are as on it.
func steepest(x []float64, i, j, h, w, c int) (dx, dy float64) {
	longest := -1.0
	left, right, up, down := max(j-1, 0), min(j+1, w-1), max(i-1, 0), min(i+1, h-1)
	for o := range c {
		a, b := x[(i*w+right)*c+o]-x[(i*w+left)*c+o], x[(down*w+j)*c+o]-x[(up*w+j)*c+o]
		if length := a*a + b*b; length > longest {
			longest, dx, dy = length, a, b
		}
	}
	return dx, dy
}

// Patch is where the patches of positions lie: the one of position p begins at p − Before.
func Before(patch int) int { return (patch - 1) / 2 }
