package filters

import (
	"math"

	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel/ckn"
)

// stage is one layer: it takes h×w×c numbers of an image to rows×cols×m.
type stage struct {
	ckn.Layer
	h, w, c, m int
	centred    bool
	mean       []float32 // of centred patches, and their whitening; nil: none
	whitening  []float32
	filters    []float32 // m×d, of length 1
	inverse    []float32 // (κ(ZᵀZ) + εI)^(−1/2), m×m
	rows, cols []run
}

// run is a [ckn.Run] in single precision.
type run struct {
	from    int
	weights []float32
}

// stages lays out the layers of a kernel for so many filters, without them.
func stages(k ckn.Kernel, filters []int) []stage {
	h, w, c := k.MapShape()
	out := make([]stage, len(filters))
	for i, l := range k.Layers() {
		s := stage{Layer: l, h: h, w: w, c: c, m: filters[i], rows: runs(h, l.Pool), cols: runs(w, l.Pool)}
		s.centred = i == 0 && (k.Input() == ckn.Centred || k.Input() == ckn.Whitened)
		out[i] = s
		h, w, c = len(s.rows), len(s.cols), s.m
	}
	return out
}

func runs(n, s int) []run {
	var out []run
	for _, r := range ckn.Pooling(n, s) {
		weights := make([]float32, len(r.Weights))
		for i, v := range r.Weights {
			weights[i] = float32(v)
		}
		out = append(out, run{r.From, weights})
	}
	return out
}

func (s *stage) positions() int { return s.h * s.w }
func (s *stage) pooled() int    { return len(s.rows) * len(s.cols) }
func (s *stage) dim() int       { return s.Patch * s.Patch * s.c }

// scratch is what a goroutine needs for a group of images.
type scratch struct {
	wide           []float64 // a map in double precision, and what that needs
	from, to       []float32 // maps
	patches, other []float32
	norms, energy  []float32
	values, pooled []float32
}

// grown returns a slice of so many numbers, whose content is anything.
func grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

// cut writes the patches of a group of maps side by side, each divided by its norm, which is kept;
// patches of norm 0 are zeros.
func (s *stage) cut(b *scratch, maps []float32, count int) {
	n, d := s.positions(), s.dim()
	b.patches, b.norms = grown(b.patches, count*n*d), grown(b.norms, count*n)
	if s.centred {
		s.cutCentred(b, maps, count)
		return
	}
	for i := range count {
		from := maps[i*n*s.c : (i+1)*n*s.c]
		s.measure(b, from, b.norms[i*n:(i+1)*n])
		for p := range n {
			by := float32(0)
			if norm := b.norms[i*n+p]; norm > 0 {
				by = 1 / norm
			}
			s.patch(b.patches[(i*n+p)*d:(i*n+p+1)*d], from, p, by)
		}
	}
}

// patch stores that of a position, times a number.
func (s *stage) patch(dst, from []float32, p int, by float32) {
	e, c := s.Patch, s.c
	i0, j0 := p/s.w-ckn.Before(e), p%s.w-ckn.Before(e)
	left, right := max(0, -j0), min(e, s.w-j0) // columns of the patch that lie in the map
	for t := range e {
		row := dst[t*e*c : (t+1)*e*c]
		if i := i0 + t; i < 0 || i >= s.h || left >= right {
			clear(row)
			continue
		}
		clear(row[:left*c])
		clear(row[right*c:])
		at := ((i0+t)*s.w + j0 + left) * c
		simd.Affine(row[left*c:right*c], from[at:at+(right-left)*c], by, 0)
	}
}

// measure stores the norms of all patches of a map: squares are summed over the channels, then over
// the columns and the rows of a patch.
func (s *stage) measure(b *scratch, from, norms []float32) {
	n, before := s.positions(), ckn.Before(s.Patch)
	b.energy = grown(b.energy, 2*n)
	one, along := b.energy[:n], b.energy[n:]
	for p := range one {
		sum := float32(0)
		for _, v := range from[p*s.c : (p+1)*s.c] {
			sum += v * v
		}
		one[p] = sum
	}
	for i := range s.h {
		for j := range s.w {
			sum := float32(0)
			for q := max(0, j-before); q < min(s.w, j-before+s.Patch); q++ {
				sum += one[i*s.w+q]
			}
			along[i*s.w+j] = sum
		}
	}
	for i := range s.h {
		for j := range s.w {
			sum := float32(0)
			for q := max(0, i-before); q < min(s.h, i-before+s.Patch); q++ {
				sum += along[q*s.w+j]
			}
			norms[i*s.w+j] = float32(math.Sqrt(float64(sum)))
		}
	}
}

// cutCentred is [stage.cut] of patches that are centred and perhaps whitened.
func (s *stage) cutCentred(b *scratch, maps []float32, count int) {
	n, d := s.positions(), s.dim()
	s.raw(b, maps, count)
	if s.whitening != nil {
		b.other = grown(b.other, count*n*d)
		multiply(false, n, count*n, d, d, b.patches, s.whitening, 0, b.other)
		b.patches, b.other = b.other, b.patches
	}
	for p := range count * n {
		row := b.patches[p*d : (p+1)*d]
		sum := float32(0)
		for _, v := range row {
			sum += v * v
		}
		b.norms[p] = float32(math.Sqrt(float64(sum)))
		if sum > 0 {
			simd.Affine(row, row, 1/b.norms[p], 0)
		}
	}
}

// raw writes centred patches side by side, less the mean that whitening takes.
func (s *stage) raw(b *scratch, maps []float32, count int) {
	n, d := s.positions(), s.dim()
	for i := range count {
		from := maps[i*n*s.c : (i+1)*n*s.c]
		for p := range n {
			row := b.patches[(i*n+p)*d : (i*n+p+1)*d]
			s.patch(row, from, p, 1)
			centre(row, s.c)
			for j, v := range s.mean {
				row[j] -= v
			}
		}
	}
}

// centre takes the mean of each of c channels.
func centre(patch []float32, c int) {
	for o := range c {
		mean := float32(0)
		for t := o; t < len(patch); t += c {
			mean += patch[t]
		}
		mean /= float32(len(patch) / c)
		for t := o; t < len(patch); t += c {
			patch[t] -= mean
		}
	}
}

// forward takes a group of maps to the next ones.
func (s *stage) forward(dst, maps []float32, count int, b *scratch) {
	n, d, m := s.positions(), s.dim(), s.m
	s.cut(b, maps, count)
	b.values = grown(b.values, count*n*m)
	minusOne(b.values)
	multiply(true, n, count*n, m, d, b.patches, s.filters, 1, b.values)
	simd.Exp32(b.values, b.values, float32(1/(s.Sigma*s.Sigma)))
	q := s.pooled()
	b.pooled = grown(b.pooled, count*q*m)
	for i := range count {
		s.pool(b.pooled[i*q*m:(i+1)*q*m], b.values[i*n*m:(i+1)*n*m], b.norms[i*n:(i+1)*n], b)
	}
	multiply(false, q, count*q, m, m, b.pooled, s.inverse, 0, dst)
}

// minusOne sets all numbers to −1.
func minusOne(s []float32) {
	s[0] = -1
	for done := 1; done < len(s); done *= 2 {
		copy(s[done:], s[:done])
	}
}

// pool stores Σ g·‖x‖·values, first along the rows of a map and then along its columns.
func (s *stage) pool(dst, values, norms []float32, b *scratch) {
	m, width := s.m, len(s.cols)*s.m
	b.other = grown(b.other, s.h*width)
	var weights [64]float32
	clear(b.other)
	for i := range s.h {
		for j, r := range s.cols {
			by := append(weights[:0], r.weights...)
			for t := range by {
				by[t] *= norms[i*s.w+r.from+t]
			}
			simd.AddRows32(b.other[i*width+j*m:i*width+(j+1)*m], values[(i*s.w+r.from)*m:], m, by)
		}
	}
	clear(dst)
	for i, r := range s.rows {
		simd.AddRows32(dst[i*width:(i+1)*width], b.other[r.from*width:], width, r.weights)
	}
}
