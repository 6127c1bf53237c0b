package filters

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel/ckn"
)

// Moving is a kernel whose filters move, with the derivatives of its features in them.
type Moving struct {
	*Kernel
	epsilon float64
	roots   []*root
}

// Move returns a copy of a kernel for filters that move. epsilon is ε of the options with which
// they were learned.
func (k *Kernel) Move(ctx context.Context, epsilon float64) (*Moving, error) {
	m := &Moving{epsilon: Options{Epsilon: epsilon}.Jitter(), roots: make([]*root, len(k.stages))}
	m.Kernel = assembled(k.of, slices.Clone(k.stages), k.workers)
	to := make([][]float64, len(k.stages))
	for l := range to {
		to[l] = make([]float64, len(k.stages[l].filters))
		for i, v := range k.stages[l].filters {
			to[l][i] = float64(v)
		}
		m.stages[l].filters = make([]float32, len(to[l]))
	}
	return m, m.Set(ctx, to)
}

// Set moves the filters of each layer, unit vectors one after another, and computes the inverse
// roots anew.
func (m *Moving) Set(ctx context.Context, layers [][]float64) (err error) {
	for l := range m.stages {
		s := &m.stages[l]
		simd.Narrow(s.filters, layers[l])
		if m.roots[l], err = decompose(ctx, s.filters, s.dim(), s.Sigma, m.epsilon); err != nil {
			return err
		}
		s.inverse = m.roots[l].narrowed()
	}
	return nil
}

// Still returns the kernel with the filters where they are now.
func (m *Moving) Still() (*Kernel, error) { return Restore(m.of, m.Layers(), m.workers) }

// PullFlops is about what [Moving.Pull] takes for one image, in products: those of the pass forward
// and, in each layer, those of the derivatives in its filters and in the layer below.
func (k *Kernel) PullFlops() float64 { return 3*k.Flops() - k.stages[0].flops() }

// Pull returns the derivatives of Σᵢ C(φ(xᵢ)) in the filters of each layer, as [Moving.Set] takes
// them, by one pass forward and one backward (back-propagation). slope stores ∂C/∂φ of image i in
// dst and must allow calls side by side. The bits do not depend on the number of workers. For a
// layer
//
//	y_q = A Σ_p w_qp‖x_p‖v_p,   v = κ(Zᵀx/‖x‖),   A = (κ(ZᵀZ) + εI)^(−1/2)
//
// and derivatives dy they are, with du_p = (‖x_p‖/σ²)·v_p∘A Σ_q w_qp dy_q,
//
//	dZ = Σ_p (x_p/‖x_p‖)du_pᵀ + what dA = Σ_q dy_q(Σ_p w_qp‖x_p‖v_p)ᵀ makes through A,
//	dx_p = (I − x̂x̂ᵀ)Z du_p/‖x_p‖ + x̂·⟨A Σ_q w_qp dy_q, v_p⟩,   x̂ = x_p/‖x_p‖
//
// (Mairal 2016, §3.2). Inverse roots count as they follow from the filters.
func (m *Moving) Pull(ctx context.Context, xs data.Set[[]float64], slope func(dst, phi []float64, i int)) ([][]float64, error) {
	groups := (xs.Len() + m.group - 1) / m.group
	sums := make([][]pulled, groups)
	err := parallel.Each(ctx, parallel.Workers(m.workers), groups, func(_, g int) {
		b := m.free.Get().(*scratch)
		defer m.free.Put(b)
		from := g * m.group
		sums[g] = m.pullGroup(b, xs, from, min(xs.Len()-from, m.group), slope)
	})
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(m.stages))
	for l := range m.stages {
		s := &m.stages[l]
		out[l] = make([]float64, s.m*s.dim())
		inverse := mat.NewDense(s.m, s.m, nil)
		for _, one := range sums {
			for i, v := range one[l].filters {
				out[l][i] += float64(v)
			}
			for i, v := range one[l].inverse {
				inverse.RawMatrix().Data[i] += float64(v)
			}
		}
		m.roots[l].pull(out[l], s.filters, s.dim(), s.Sigma, m.epsilon, symmetric(inverse))
	}
	return out, nil
}

// symmetric returns (G + Gᵀ)/2.
func symmetric(g *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Add(g, g.T())
	out.Scale(0.5, &out)
	return &out
}

// pulled are the derivatives in the filters of a layer and in its inverse root, of a group.
type pulled struct{ filters, inverse []float32 }

// tape is what the pass forward leaves of a layer for the pass backward.
type tape struct{ patches, norms, values, pooled []float32 }

// pullGroup passes a group of images forward and backward.
func (m *Moving) pullGroup(b *scratch, xs data.Set[[]float64], from, count int, slope func(dst, phi []float64, i int)) []pulled {
	m.through(b, xs, from, count, 0)
	tapes := make([]tape, len(m.stages))
	for l := range m.stages {
		s := &m.stages[l]
		b.to = grown(b.to, count*s.pooled()*s.m)
		s.forward(b.to, b.from, count, b)
		tapes[l] = tape{b.patches, b.norms, b.values, b.pooled}
		b.patches, b.norms, b.values, b.pooled = nil, nil, nil, nil
		b.from, b.to = b.to, b.from
	}
	back := make([]float32, len(b.from))
	phi, dphi := make([]float64, m.Dim()), make([]float64, m.Dim())
	for i := range count {
		row := b.from[i*len(phi) : (i+1)*len(phi)]
		for j, v := range row {
			phi[j] = float64(v)
		}
		length := 1.0
		if m.of.Normalized() {
			length = lengthOf(phi)
			normalize(phi)
		}
		slope(dphi, phi, from+i)
		if m.of.Normalized() {
			tangent(dphi, phi, length)
		}
		simd.Narrow(back[i*len(phi):(i+1)*len(phi)], dphi)
	}
	out := make([]pulled, len(m.stages))
	for l := len(m.stages) - 1; l >= 0; l-- {
		out[l], back = m.stages[l].backward(&tapes[l], back, count, b, l > 0)
	}
	return out
}

// backward takes derivatives in the maps that a layer makes to those in its filters, in its inverse
// root and, if below is set, in the maps that it takes.
func (s *stage) backward(t *tape, back []float32, count int, b *scratch, below bool) (pulled, []float32) {
	n, d, m, q := s.positions(), s.dim(), s.m, s.pooled()
	out := pulled{filters: make([]float32, m*d), inverse: make([]float32, m*m)}
	transposed(q, m, m, count*q, t.pooled, back, out.inverse)
	unrooted := grown(t.pooled, count*q*m) // A is symmetric
	multiply(false, q, count*q, m, m, back, s.inverse, 0, unrooted)
	du := make([]float32, count*n*m)
	for i := range count {
		s.unpool(du[i*n*m:(i+1)*n*m], unrooted[i*q*m:(i+1)*q*m], b)
	}
	lengths := make([]float32, count*n) // ∂/∂‖x_p‖
	by := float32(1 / (s.Sigma * s.Sigma))
	for p := range count * n {
		row, values := du[p*m:(p+1)*m], t.values[p*m:(p+1)*m]
		sum, scale := float32(0), by*t.norms[p]
		for j, v := range values {
			product := v * row[j]
			sum += product
			row[j] = scale * product
		}
		lengths[p] = sum
	}
	transposed(n, m, d, count*n, du, t.patches, out.filters)
	if !below {
		return out, nil
	}
	patches := make([]float32, count*n*d)
	multiply(false, n, count*n, d, m, du, s.filters, 0, patches)
	maps := make([]float32, count*n*s.c)
	for p := range count * n {
		s.spread(maps[p/n*n*s.c:(p/n+1)*n*s.c], patches[p*d:(p+1)*d], t.patches[p*d:(p+1)*d], p%n, t.norms[p], lengths[p])
	}
	return out, maps
}

// spread adds the derivatives in the patch of a position, which is norm times unit, to those in the
// map: slope are those in unit, length that in norm.
func (s *stage) spread(dst, slope, unit []float32, p int, norm, length float32) {
	if norm == 0 {
		return // ‖x‖κ(Zᵀx/‖x‖) has no derivative at 0, as |x| has none: that of no change is taken
	}
	along := float32(0)
	for j, v := range unit {
		along += v * slope[j]
	}
	for j, v := range unit {
		slope[j] = (slope[j]-along*v)/norm + length*v
	}
	e, c := s.Patch, s.c
	i0, j0 := p/s.w-ckn.Before(e), p%s.w-ckn.Before(e)
	left, right := max(0, -j0), min(e, s.w-j0)
	for t := range e {
		if i := i0 + t; i < 0 || i >= s.h || left >= right {
			continue
		}
		at := ((i0+t)*s.w + j0 + left) * c
		to := dst[at : at+(right-left)*c]
		simd.Add(to, to, slope[(t*e+left)*c:(t*e+right)*c])
	}
}

// unpool is the transpose of pooling, without the norms: it stores Σ_q w_qp·pooled_q.
func (s *stage) unpool(dst, pooled []float32, b *scratch) {
	m, width := s.m, len(s.cols)*s.m
	b.other = grown(b.other, s.h*width)
	clear(b.other)
	for i, r := range s.rows {
		for t, w := range r.weights {
			at := (r.from + t) * width
			simd.AddRows32(b.other[at:at+width], pooled[i*width:(i+1)*width], width, []float32{w})
		}
	}
	clear(dst)
	for i := range s.h {
		for j, r := range s.cols {
			from := b.other[i*width+j*m : i*width+(j+1)*m]
			for t, w := range r.weights {
				at := (i*s.w + r.from + t) * m
				simd.AddRows32(dst[at:at+m], from, m, []float32{w})
			}
		}
	}
}

// transposed stores AᵀB in C, m×n, for A of k×m and B of k×n numbers; one is their height for an
// image.
func transposed(one, m, n, k int, a, b, c []float32) {
	if !tiny(one, n, m) {
		single.Sgemm(blas.Trans, blas.NoTrans, m, n, k, 1, a, m, b, n, 0, c, n)
		return
	}
	clear(c)
	for p := range k {
		for i, v := range a[p*m : (p+1)*m] {
			for j, w := range b[p*n : (p+1)*n] {
				c[i*n+j] += v * w
			}
		}
	}
}

// tangent takes derivatives in φ/‖φ‖ to those in φ.
func tangent(slope, unit []float64, length float64) {
	along := 0.0
	for j, v := range unit {
		along += v * slope[j]
	}
	for j, v := range unit {
		if length == 0 {
			slope[j] = 0
			continue
		}
		slope[j] = (slope[j] - along*v) / length
	}
}
