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

// weightedCurvature returns what stands for wℓ″: the curvature, or that of the parabola above the
// loss.
func (r *rows) weightedCurvature(i, j int, eta float64, majorized bool) float64 {
	w := model.Weight(r.w, i)
	if w == 0 || r.quadratic {
		return w
	}
	if majorized {
		return w * r.loss.(loss.Majorant).Majorize(r.y.At(i, j), eta)
	}
	return w * r.loss.Curvature(r.y.At(i, j), eta)
}

// curvatureColumns is the number of columns of curvatures.
func (r *rows) curvatureColumns() int {
	if r.quadratic || r.class != nil {
		return 1
	}
	_, p := r.y.Dims()
	return p
}

// meanCurvature is what stands for the curvature of a row in the preconditioner, on the average of
// its outputs.
func (r *rows) meanCurvature(pt *point, i int) float64 {
	_, p := r.y.Dims()
	switch {
	case pt.eta == nil:
		return r.weightedCurvature(i, 0, 0, false)
	case r.class != nil:
		q := make([]float64, p)
		r.share(q, i, pt.eta.RawRowView(i))
		return model.Weight(r.w, i) * shown(q)
	}
	sum := 0.0
	for c, eta := range pt.eta.RawRowView(i) {
		sum += r.weightedCurvature(i, c, eta, false) / float64(p)
	}
	return sum
}

// pass makes a pass over k at a function and fills in what it finds. For the squared loss the same
// pass may look at f = 0 as well, with the constants of origin; nil: it does not.
//
//  1. K_nm and its transpose are multiplied in one sweep, block by block: predictors, slopes and
//     curvatures of a block, and their sums over the rows ([gram.TallSkinny.Fold]).
//  2. The sums give K̄, and the pull of the rows on f where b follows.
//
// The sweep is a step of the checkpoint.
func (r *rows) pass(ctx context.Context, s *landmarkSpace, k *gram.TallSkinny, pt, origin *point, majorized bool) error {
	n, p := r.y.Dims()
	beta, err := s.beta(ctx, pt.gamma)
	if err != nil {
		return err
	}
	if mat.Norm(pt.gamma, 1) == 0 {
		beta = nil // f = 0 without a product
	}
	q := p
	if r.intercept {
		q += r.curvatureColumns()
	}
	if !r.quadratic && pt.eta == nil {
		pt.eta = mat.NewDense(n, p, nil)
	}
	at := sweep{rows: r, points: []*point{pt}, columns: []int{0, q}, origin: origin, majorized: majorized}
	if origin != nil { // its curvatures are those of pt
		at.points, at.columns = append(at.points, origin), append(at.columns, q+p)
	}
	if err := at.run(ctx, s, k, beta); err != nil {
		return err
	}
	_, m := k.Dims()
	if r.intercept {
		pt.mean = means(at.found.Slice(0, m, p, q), pt.mass)
	}
	for i, to := range at.points {
		to.mean, to.precise = pt.mean, k.Precision() == compute.Double
		pull := mat.DenseCopyOf(at.found.Slice(0, m, at.columns[i], at.columns[i]+p))
		if r.intercept {
			pull.Apply(func(a, j int, v float64) float64 {
				return v - to.mean.At(a, min(j, r.curvatureColumns()-1))*to.slopes[j]
			}, pull)
		}
		if to.pull, err = s.covector(ctx, pull); err != nil {
			return err
		}
	}
	return nil
}

// sweep is a pass at one or two functions.
type sweep struct {
	*rows
	points    []*point
	columns   []int // of found, where those of each function begin, and their number
	origin    *point
	majorized bool
	found     *mat.Dense // K_nmᵀ times slopes and curvatures
}

// run goes over the rows, β being the coefficients of the first function; nil: it is zero.
func (w *sweep) run(ctx context.Context, s *landmarkSpace, k *gram.TallSkinny, beta *mat.Dense) error {
	_, p := w.y.Dims()
	_, m := k.Dims()
	all := w.columns[len(w.points)]
	value := make([]float64, len(w.points))
	w.found = mat.NewDense(m, all, nil)
	results := [][]float64{w.found.RawMatrix().Data, value}
	for _, at := range w.points {
		at.slopes, at.mass = make([]float64, p), make([]float64, w.curvatureColumns())
		results = append(results, at.slopes, at.mass)
	}
	if eta := w.points[0].eta; eta != nil {
		results = append(results, eta.RawMatrix().Data)
	}
	err := s.compute.Step(ctx, "pass", results, func() error {
		sums := make([][]laneSums, len(w.points))
		for i := range sums {
			sums[i] = newLaneSums(k.Lanes(all), p, w.curvatureColumns())
		}
		err := k.Fold(ctx, w.found, beta, func(lane, row int, u, g blas64.General) {
			for i, at := range w.points {
				if at == w.origin {
					u.Cols = 0
				}
				part := blas64.General{Rows: g.Rows, Cols: w.columns[i+1] - w.columns[i], Stride: g.Stride, Data: g.Data[w.columns[i]:]}
				w.accumulate(&sums[i][lane], at, row, u, part, w.majorized)
			}
		})
		for i, at := range w.points {
			for _, lane := range sums[i] {
				value[i] += lane.value
				floats.Add(at.slopes, lane.slopes)
				floats.Add(at.mass, lane.mass)
			}
		}
		return err
	})
	for i, at := range w.points {
		at.value = value[i]
	}
	return err
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

// accumulate is one block of [rows.pass]: slopes, and curvatures where g has places for them.
func (r *rows) accumulate(sum *laneSums, pt *point, row int, u, g blas64.General, majorized bool) {
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
			v := r.weightedCurvature(row+h, j, eta, majorized)
			sum.mass[j] += v
			if len(out) > p {
				out[p+j] = v
			}
		}
		if r.class != nil {
			r.accumulateJoint(sum, pt, row+h, out, majorized)
		}
	}
}

// hessian is that of P at a function, where b follows f: with W = diag(v),
//
//	L⁻¹ K_nmᵀ W (K_nm − 1K̄ᵀ) L⁻ᵀ + R·I.
type hessian struct {
	*rows
	s         *landmarkSpace
	k         *gram.TallSkinny
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
		return h.k.Normal(ctx, found, beta, shift, func(row, j int) float64 {
			eta := 0.0
			if h.at.eta != nil {
				eta = h.at.eta.At(row, j)
			}
			return h.weightedCurvature(row, j, eta, h.majorized)
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

// negativeGradient returns −∇P at a ridge: the pull less Rγ.
func (pt *point) negativeGradient(ridge float64) *mat.Dense {
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
