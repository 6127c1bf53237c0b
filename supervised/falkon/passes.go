package falkon

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/loss"
	"example.org/mercer/model"
)

// rows are the data: what a pass over K_nm needs beside it.
type rows struct {
	y         *mat.Dense
	w         []float64 // nil: ones
	total     float64   // N = Σ wᵢ
	loss      loss.Loss
	quadratic bool // the loss is the squared one, whose curvature is 1 everywhere
	intercept bool
	class     []int // the labels of the joint loss; nil: each output has a loss of its own
}

// lossAt returns that of a row, summed over its outputs.
func (r *rows) lossAt(i int, eta []float64) float64 {
	if r.class != nil {
		return r.share(make([]float64, len(eta)), i, eta)
	}
	sum := 0.0
	for c, v := range eta {
		sum += r.loss.Value(r.y.At(i, c), v)
	}
	return sum
}

// point is a function γ, b and what a pass has found there.
type point struct {
	gamma *mat.Dense // m×p
	bias  []float64
	eta   *mat.Dense // f(xᵢ) + b, n×p; nil for the squared loss
	// With gᵢ = −wᵢℓ′ and vᵢ = wᵢℓ″: the sums of wᵢℓᵢ, of gᵢ and of vᵢ for each target,
	// K̄ = K_nmᵀv/Σv (m×1 for the squared loss; nil without an intercept), and
	// L⁻¹(K_nmᵀg − K̄·Σg): the pull of the rows on f where b follows.
	value        float64
	slopes, mass []float64
	mean, pull   *mat.Dense
	precise      bool // in double precision
}

// origin returns f = 0 with the constants that are best for it, as far as the squared
// loss knows: the mean of the targets, 0 for the losses of labels, and for the joint loss the
// logarithms of their shares.
func (r *rows) origin(m int) *point {
	n, p := r.y.Dims()
	pt := &point{gamma: mat.NewDense(m, p, nil), bias: make([]float64, p)}
	if r.class != nil && r.intercept {
		r.shares(pt.bias)
		return pt
	}
	if _, labels := r.loss.(loss.Logistic); labels || !r.intercept {
		return pt
	}
	for i := range n {
		w := model.Weight(r.w, i)
		for j, y := range r.y.RawRowView(i) {
			pt.bias[j] += w / r.total * y
		}
	}
	return pt
}

// slope returns −wℓ′ of row i and target j at η.
func (r *rows) slope(i, j int, eta float64) float64 {
	return -model.Weight(r.w, i) * r.loss.Gradient(r.y.At(i, j), eta)
}

// curve returns what stands for wℓ″: the curvature, or that of the parabola above the loss.
func (r *rows) curve(i, j int, eta float64, majorized bool) float64 {
	w := model.Weight(r.w, i)
	if w == 0 || r.quadratic {
		return w
	}
	if majorized {
		return w * r.loss.(loss.Majorant).Majorize(r.y.At(i, j), eta)
	}
	return w * r.loss.Curvature(r.y.At(i, j), eta)
}

// curves is the number of columns of curvatures.
func (r *rows) curves() int {
	if r.quadratic || r.class != nil {
		return 1
	}
	_, p := r.y.Dims()
	return p
}

// seen is what stands for the curvature of a row in the preconditioner, on the average of its
// outputs.
func (r *rows) seen(pt *point, i int) float64 {
	_, p := r.y.Dims()
	switch {
	case pt.eta == nil:
		return r.curve(i, 0, 0, false)
	case r.class != nil:
		q := make([]float64, p)
		r.share(q, i, pt.eta.RawRowView(i))
		return model.Weight(r.w, i) * shown(q)
	}
	sum := 0.0
	for c, eta := range pt.eta.RawRowView(i) {
		sum += r.curve(i, c, eta, false) / float64(p)
	}
	return sum
}

// look makes a pass over k at a function and fills in what it finds. For the squared loss the same
// pass may look at f = 0 as well, with the constants of origin; nil: it does not.
func (r *rows) look(ctx context.Context, s *space, k *gram.Tall, pt, origin *point, majorized bool) error {
	n, p := r.y.Dims()
	_, m := k.Dims()
	beta, err := s.beta(ctx, pt.gamma)
	if err != nil {
		return err
	}
	if mat.Norm(pt.gamma, 1) == 0 {
		beta = nil // f = 0 without a product
	}
	q := p
	if r.intercept {
		q += r.curves()
	}
	if !r.quadratic && pt.eta == nil {
		pt.eta = mat.NewDense(n, p, nil)
	}
	seen, columns := []*point{pt}, []int{0, q}
	if origin != nil { // its curvatures are those of pt
		seen, columns = append(seen, origin), append(columns, q+p)
	}
	all := columns[len(seen)]
	found, value := mat.NewDense(m, all, nil), make([]float64, len(seen))
	results := [][]float64{found.RawMatrix().Data, value}
	for _, at := range seen {
		at.slopes, at.mass = make([]float64, p), make([]float64, r.curves())
		results = append(results, at.slopes, at.mass)
	}
	if pt.eta != nil {
		results = append(results, pt.eta.RawMatrix().Data)
	}
	err = s.compute.Step(ctx, "pass", results, func() error {
		sums := make([][]laneSums, len(seen))
		for i := range sums {
			sums[i] = newLaneSums(k.Lanes(all), p, r.curves())
		}
		err := k.Fold(ctx, found, beta, func(lane, row int, u, g blas64.General) {
			for i, at := range seen {
				if at == origin {
					u.Cols = 0
				}
				part := blas64.General{Rows: g.Rows, Cols: columns[i+1] - columns[i], Stride: g.Stride, Data: g.Data[columns[i]:]}
				r.examine(&sums[i][lane], at, row, u, part, majorized)
			}
		})
		for i, at := range seen {
			for _, lane := range sums[i] {
				value[i] += lane.value
				floats.Add(at.slopes, lane.slopes)
				floats.Add(at.mass, lane.mass)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	if r.intercept {
		pt.mean = means(found.Slice(0, m, p, q), pt.mass)
	}
	for i, at := range seen {
		at.value, at.mean, at.precise = value[i], pt.mean, k.Precision() == compute.Double
		pull := mat.DenseCopyOf(found.Slice(0, m, columns[i], columns[i]+p))
		if r.intercept {
			pull.Apply(func(a, j int, v float64) float64 {
				return v - at.mean.At(a, min(j, r.curves()-1))*at.slopes[j]
			}, pull)
		}
		if at.pull, err = s.covector(ctx, pull); err != nil {
			return err
		}
	}
	return nil
}

// means returns the columns of sums over their masses, 0 where that is 0.
func means(sums mat.Matrix, mass []float64) *mat.Dense {
	out := mat.DenseCopyOf(sums)
	out.Apply(func(_, j int, v float64) float64 {
		if mass[j] == 0 {
			return 0
		}
		return v / mass[j]
	}, out)
	return out
}

// laneSums are the sums of one lane.
type laneSums struct {
	value        float64
	slopes, mass []float64
}

func newLaneSums(lanes, targets, curves int) []laneSums {
	out := make([]laneSums, lanes)
	for i := range out {
		out[i] = laneSums{slopes: make([]float64, targets), mass: make([]float64, curves)}
	}
	return out
}

// examine is one block of [rows.look]: slopes, and curvatures where g has places for them.
func (r *rows) examine(sum *laneSums, pt *point, row int, u, g blas64.General, majorized bool) {
	p := len(pt.bias)
	for h := range g.Rows {
		out := g.Data[h*g.Stride:][:g.Cols]
		for j, b := range pt.bias {
			eta := b
			if u.Cols > 0 {
				eta += u.Data[h*u.Stride+j]
			}
			if pt.eta != nil {
				pt.eta.Set(row+h, j, eta)
			}
			w := model.Weight(r.w, row+h)
			if w == 0 || r.class != nil {
				continue
			}
			out[j] = r.slope(row+h, j, eta)
			sum.slopes[j] += out[j]
			sum.value += w * r.loss.Value(r.y.At(row+h, j), eta)
			if r.quadratic && j > 0 {
				continue
			}
			v := r.curve(row+h, j, eta, majorized)
			sum.mass[j] += v
			if len(out) > p {
				out[p+j] = v
			}
		}
		if r.class != nil {
			r.examineJoint(sum, pt, row+h, out, majorized)
		}
	}
}

// hessian is that of P at a function, where b follows f: with W = diag(v),
//
//	L⁻¹ K_nmᵀ W (K_nm − 1K̄ᵀ) L⁻ᵀ + R·I.
type hessian struct {
	*rows
	s         *space
	k         *gram.Tall
	at        *point
	ridge     float64
	majorized bool
}

// shift returns K̄ᵀβ for each target.
func (r *rows) shift(at *point, beta *mat.Dense) []float64 {
	_, p := beta.Dims()
	out := make([]float64, p)
	if !r.intercept {
		return out
	}
	m, curves := at.mean.Dims()
	for a := range m {
		for j, v := range beta.RawRowView(a) {
			out[j] += at.mean.At(a, min(j, curves-1)) * v
		}
	}
	return out
}

// Mul stores H·x in dst: one pass.
func (h *hessian) Mul(ctx context.Context, dst, x *mat.Dense) error {
	beta, err := h.s.beta(ctx, x)
	if err != nil {
		return err
	}
	shift := h.shift(h.at, beta)
	m, p := x.Dims()
	found := mat.NewDense(m, p, nil)
	err = h.s.compute.Step(ctx, "product", [][]float64{found.RawMatrix().Data}, func() error {
		return h.k.Fold(ctx, found, beta, func(_, row int, u, g blas64.General) {
			for i := range u.Rows {
				for j, c := range shift {
					eta := 0.0
					if h.at.eta != nil {
						eta = h.at.eta.At(row+i, j)
					}
					g.Data[i*g.Stride+j] = h.curve(row+i, j, eta, h.majorized) * (u.Data[i*u.Stride+j] - c)
				}
			}
		})
	})
	if err != nil {
		return err
	}
	found, err = h.s.covector(ctx, found)
	if err != nil {
		return err
	}
	found.Apply(func(a, j int, v float64) float64 { return v + h.ridge*x.At(a, j) }, found)
	dst.Copy(found)
	return nil
}

// rest returns −∇P at a ridge: the pull less Rγ.
func (pt *point) rest(ridge float64) *mat.Dense {
	out := mat.DenseCopyOf(pt.pull)
	out.Apply(func(a, j int, v float64) float64 { return v - ridge*pt.gamma.At(a, j) }, out)
	return out
}

// objective returns P = Σ wℓ + (R/2)‖γ‖².
func (pt *point) objective(ridge float64) float64 {
	norm := mat.Norm(pt.gamma, 2)
	return pt.value + ridge/2*norm*norm
}

// lengths returns the norms of the columns.
func lengths(a *mat.Dense) []float64 {
	rows, cols := a.Dims()
	out := make([]float64, cols)
	for i := range rows {
		for j, v := range a.RawRowView(i) {
			out[j] += v * v
		}
	}
	for j, v := range out {
		out[j] = math.Sqrt(v)
	}
	return out
}
