package ckn

import (
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// image is a point as the recursion needs it.
type image struct {
	x     []float64   // the point
	v     []float64   // the map that is compared, or its patches themselves
	norms [][]float64 // √N of the patches in each layer
	self  float64     // what the kernel of the image with itself is before it is normalised
}

// Eval is the recursion of the package, written down.
func (k Kernel) Eval(x, y []float64) float64 { return k.cross(k.read(x), k.read(y)) }

// read makes an image of a point.
func (k Kernel) read(x []float64) *image {
	h, w, c := k.MapShape()
	of := &image{x: x, v: make([]float64, h*w*c)}
	k.Map(of.v, make([]float64, k.MapScratch()), x)
	if k.explicit() {
		of.v = k.patches(of.v)
	}
	of.self = trace(k.recur(of, of, func(p []float64, n int) ([]float64, []float64) {
		norms := make([]float64, n)
		for i := range norms {
			norms[i] = math.Sqrt(max(0, p[i*n+i]))
		}
		of.norms = append(of.norms, norms)
		return norms, norms
	}))
	return of
}

// cross is the kernel of two images. The lesser one comes first, as rounding depends on which does.
func (k Kernel) cross(x, y *image) float64 {
	if k.Unlearned() != nil {
		return math.NaN()
	}
	if slices.Compare(y.x, x.x) < 0 {
		x, y = y, x
	}
	layer := 0
	value := trace(k.recur(x, y, func([]float64, int) ([]float64, []float64) {
		layer++
		return x.norms[layer-1], y.norms[layer-1]
	}))
	if !k.normalized {
		return value
	}
	if x.self == 0 || y.self == 0 {
		return 0
	}
	return value / math.Sqrt(x.self) / math.Sqrt(y.self)
}

// trace sums the diagonal of a square matrix.
func trace(a []float64) (sum float64) {
	n := int(math.Round(math.Sqrt(float64(len(a)))))
	for i := range n {
		sum += a[i*n+i]
	}
	return sum
}

// explicit reports whether the patches of the first layer are changed one by one, so that they
// cannot be left implicit.
func (k Kernel) explicit() bool { return k.input == Centred || k.input == Whitened }

// recur goes through the layers and returns the last A. norms gives those of the patches on
// either side, from P of n×n.
func (k Kernel) recur(x, y *image, norms func(p []float64, n int) (nx, ny []float64)) []float64 {
	h, w, _ := k.MapShape()
	n := h * w
	a, c := make([]float64, n*n), len(x.v)/n
	for p := range n {
		for q := range n {
			sum := 0.0
			for o := range c {
				sum += x.v[p*c+o] * y.v[q*c+o]
			}
			a[p*n+q] = sum
		}
	}
	for i, l := range k.layers {
		if i > 0 || !k.explicit() {
			a = sumPatches(a, h, w, l.Patch)
		}
		nx, ny := norms(a, h*w)
		for p, u := range nx {
			row := a[p*h*w : (p+1)*h*w]
			for q, v := range ny {
				row[q] = compared(row[q], u, v, l.Sigma)
			}
		}
		a = poolBoth(a, h, w, l.Pool)
		h, w = Pooled(h, l.Pool), Pooled(w, l.Pool)
	}
	return a
}

// compared is u·v·exp((s/(uv) − 1)/σ²) of an inner product s and the norms u and v.
func compared(s, u, v, sigma float64) float64 {
	if u == 0 || v == 0 {
		return 0
	}
	return u * v * math.Exp((s/u/v-1)/(sigma*sigma))
}

// sumPatches returns P[p, q] = Σ_δ A[p+δ, q+δ] over the positions δ of a patch at which both lie
// in the map.
func sumPatches(a []float64, h, w, patch int) []float64 {
	n, out := h*w, make([]float64, len(a))
	for di := range patch {
		for dj := range patch {
			i0, j0 := di-Before(patch), dj-Before(patch)
			for p := range n {
				pi, pj := p/w+i0, p%w+j0
				if pi < 0 || pi >= h || pj < 0 || pj >= w {
					continue
				}
				row, from := out[p*n:(p+1)*n], a[(pi*w+pj)*n:]
				for qi := max(0, -i0); qi < min(h, h-i0); qi++ {
					for qj := max(0, -j0); qj < min(w, w-j0); qj++ {
						row[qi*w+qj] += from[(qi+i0)*w+qj+j0]
					}
				}
			}
		}
	}
	return out
}

// poolBoth returns G A Gᵀ.
func poolBoth(a []float64, h, w, s int) []float64 {
	if s == 1 {
		return a
	}
	n := h * w
	half := make([]float64, Pooled(h, s)*Pooled(w, s)*n) // A Gᵀ, transposed
	poolRows(half, a, h, w, s, func(p, q int) int { return q*n + p }, n)
	m := len(half) / n
	out := make([]float64, m*m)
	poolRows(out, half, h, w, s, func(p, q int) int { return q*n + p }, m)
	return out
}

// poolRows stores in dst, with columns for each of the other indices, the pooled first index of
// src, whose elements at tells.
func poolRows(dst, src []float64, h, w, s int, at func(p, q int) int, columns int) {
	rows, cols := Pooling(h, s), Pooling(w, s)
	for i, r := range rows {
		for j, c := range cols {
			for q := range columns {
				sum := 0.0
				for di, u := range r.Weights {
					for dj, v := range c.Weights {
						sum += u * v * src[at((r.From+di)*w+c.From+dj, q)]
					}
				}
				dst[(i*len(cols)+j)*columns+q] = sum
			}
		}
	}
}

// patches returns the centred or whitened patches of a map, one for each position.
func (k Kernel) patches(v []float64) []float64 {
	h, w, c := k.MapShape()
	e := k.layers[0].Patch
	d := e * e * c
	out := make([]float64, h*w*d)
	for p := range h * w {
		row := out[p*d : (p+1)*d]
		for t := range e * e {
			i, j := p/w+t/e-Before(e), p%w+t%e-Before(e)
			if 0 <= i && i < h && 0 <= j && j < w {
				copy(row[t*c:(t+1)*c], v[(i*w+j)*c:])
			}
		}
		centre(row, c)
		if k.whitening != nil {
			k.whitening.apply(row)
		}
	}
	return out
}

// centre takes the mean of each of c channels.
func centre(patch []float64, c int) {
	for o := range c {
		mean := 0.0
		for t := o; t < len(patch); t += c {
			mean += patch[t]
		}
		mean /= float64(len(patch) / c)
		for t := o; t < len(patch); t += c {
			patch[t] -= mean
		}
	}
}

// apply whitens a patch.
func (w *Whitening) apply(patch []float64) {
	d := len(patch)
	from := make([]float64, d)
	for j, v := range patch {
		from[j] = v - w.Mean[j]
	}
	for i := range patch {
		sum := 0.0
		for j, v := range from {
			sum += w.Matrix[i*d+j] * v
		}
		patch[i] = sum
	}
}

// Bind joins the kernel to its points, whose norms are computed once for each tile.
func (k Kernel) Bind(rows, cols data.Set[[]float64]) kernel.Pairs {
	return pairs{of: k, rows: rows, cols: cols}
}

type pairs struct {
	of         Kernel
	rows, cols data.Set[[]float64]
}

func (p pairs) Dims() (rows, cols int) { return p.rows.Len(), p.cols.Len() }

// Tile has the bits of Eval.
func (p pairs) Tile(dst kernel.Tile, row, col int) {
	y := make([]*image, dst.Cols)
	for j := range y {
		y[j] = p.of.read(p.cols.At(col + j))
	}
	for i := range dst.Rows {
		x, out := p.of.read(p.rows.At(row+i)), dst.Row(i)
		for j := range out {
			out[j] = p.of.cross(x, y[j])
		}
	}
}
