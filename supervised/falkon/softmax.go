package falkon

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/model"
)

// The joint loss of one label among C is −ln p_y, p_c = e^(η_c)/Σ e^η. Row i pulls with
// −∂ℓᵢ/∂η = wᵢ(e_y − p) and has the curvature Wᵢ = wᵢ(diag p − ppᵀ), a matrix, so that the
// outputs are one system. Beside K_nm it takes what rows with outputs of their own take.

// share stores the probabilities of a row in p and returns −ln p_y.
func (r *rows) share(p []float64, i int, eta []float64) float64 {
	copy(p, eta)
	return loss.Softmax(p) - eta[r.class[i]]
}

// shown is the number that stands for Wᵢ in the preconditioner: its eigenvalue where two
// labels share the probability, and at least half of the largest elsewhere.
func shown(p []float64) float64 {
	sum := 0.0
	for _, v := range p {
		sum += v * (1 - v) / 2
	}
	return sum
}

// labelled reads the classes that rows of −1 with one 1 stand for.
func labelled(y *mat.Dense) []int {
	n, _ := y.Dims()
	out := make([]int, n)
	for i := range out {
		for c, v := range y.RawRowView(i) {
			if v == 1 {
				out[i] = c
			}
		}
	}
	return out
}

// shares stores the logarithms of those of the labels, less their mean.
func (r *rows) shares(bias []float64) {
	for i, c := range r.class {
		bias[c] += model.Weight(r.w, i) / r.total
	}
	mean := 0.0
	for c, v := range bias {
		bias[c] = math.Log(v)
		mean += bias[c] / float64(len(bias))
	}
	for c := range bias {
		bias[c] -= mean
	}
}

// accumulateJoint is [rows.examine] for one row of the joint loss.
func (r *rows) accumulateJoint(sum *laneSums, pt *point, i int, out []float64, majorized bool) {
	eta, w := pt.eta.RawRowView(i), model.Weight(r.w, i)
	if w == 0 {
		return
	}
	p := out[:len(eta)] // the pulls take its place
	sum.value += w * r.share(p, i, eta)
	v := 0.5 * w
	if !majorized {
		v = w * shown(p)
	}
	for c := range p {
		out[c] *= -w
	}
	out[r.class[i]] += w
	for c, g := range p {
		sum.slopes[c] += g
	}
	sum.mass[0] += v
	if r.intercept {
		out[len(p)] = v
	}
}

// jointHessian is that of P for the joint loss in γ (m×C) and in constants s with the sum 0
// (C), one below the other in a column: with ηᵢ = (kᵢ − K̄)ᵀβ + s, β = L⁻ᵀγ,
//
//	(L⁻¹ Σ (kᵢ − K̄)(Wᵢηᵢ)ᵀ + R·γ, Σ Wᵢηᵢ).
//
// Less the mean K̄ of the values of the rows, functions and constants hardly touch each other.
type jointHessian struct {
	hessian
	p      *mat.Dense    // probabilities, n×C
	factor *mat.Cholesky // for the constants, once it is needed
}

// newJointHessian computes the probabilities at a function.
func newJointHessian(h hessian) *jointHessian {
	n, classes := h.at.eta.Dims()
	out := &jointHessian{hessian: h, p: mat.NewDense(n, classes, nil)}
	for i := range n {
		h.share(out.p.RawRowView(i), i, h.at.eta.RawRowView(i))
	}
	return out
}

// curve stores Wᵢη in g; majorized w(I − 11ᵀ/C)η/2, which is nowhere below it (Böhning,
// Multinomial logistic regression algorithm, 1992).
func (h *jointHessian) curve(g []float64, i int, eta []float64) {
	w, p, mean := model.Weight(h.w, i), h.p.RawRowView(i), 0.0
	if h.majorized {
		for _, v := range eta {
			mean += v / float64(len(eta))
		}
		for c, v := range eta {
			g[c] = w / 2 * (v - mean)
		}
		return
	}
	for c, v := range eta {
		mean += p[c] * v
	}
	for c, v := range eta {
		g[c] = w * p[c] * (v - mean)
	}
}

// parts returns the two parts of a column.
func (h *jointHessian) parts(x *mat.Dense) (gamma *mat.Dense, s []float64) {
	_, classes := h.p.Dims()
	all := x.RawMatrix().Data
	m := h.s.l.Dim()
	return mat.NewDense(m, classes, all[:m*classes]), all[m*classes:]
}

// Mul stores H·x in dst: one pass.
func (h *jointHessian) Mul(ctx context.Context, dst, x *mat.Dense) error {
	gamma, s := h.parts(x)
	beta, err := h.s.beta(ctx, gamma)
	if err != nil {
		return err
	}
	m, classes := gamma.Dims()
	shift := h.shift(h.at, beta)
	for c, v := range s {
		shift[c] -= v
	}
	found, sums := mat.NewDense(m, classes, nil), make([]float64, classes)
	lanes := make([][]float64, h.k.Lanes(classes))
	err = h.s.compute.Step(ctx, "product", [][]float64{found.RawMatrix().Data, sums}, func() error {
		for i := range lanes {
			lanes[i] = make([]float64, classes)
		}
		err := h.k.Fold(ctx, found, beta, func(lane, row int, u, g blas64.General) {
			for i := range u.Rows {
				eta, out := u.Data[i*u.Stride:][:classes], g.Data[i*g.Stride:][:classes]
				for c := range eta {
					eta[c] -= shift[c]
				}
				h.curve(out, row+i, eta)
				for c, v := range out {
					lanes[lane][c] += v
				}
			}
		})
		for _, lane := range lanes {
			for c, v := range lane {
				sums[c] += v
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	if h.intercept {
		found.Apply(func(a, c int, v float64) float64 { return v - h.at.mean.At(a, 0)*sums[c] }, found)
	}
	if found, err = h.s.covector(ctx, found); err != nil {
		return err
	}
	out, constants := h.parts(dst)
	out.Apply(func(a, c int, v float64) float64 { return v + h.ridge*gamma.At(a, c) }, found)
	clear(constants)
	if h.intercept {
		copy(constants, sums)
	}
	return nil
}

// constants are s at which the slopes of the constants vanish where f does not move: B⁺g with
// B = ΣWᵢ, whose null space are equal numbers.
func (h *jointHessian) constants(slopes []float64) []float64 {
	_, classes := h.p.Dims()
	if h.factor == nil {
		h.factor = h.blocks()
	}
	out := mat.NewVecDense(classes, nil)
	if h.factor.SolveVecTo(out, mat.NewVecDense(classes, slopes)) != nil {
		return make([]float64, classes) // labels without curvature: none moves
	}
	mean := mat.Sum(out) / float64(classes)
	for c := range classes {
		out.SetVec(c, out.AtVec(c)-mean)
	}
	return out.RawVector().Data
}

// blocks returns the factor of B + 11ᵀ·tr(B)/C².
func (h *jointHessian) blocks() *mat.Cholesky {
	n, classes := h.p.Dims()
	b, row := mat.NewSymDense(classes, nil), make([]float64, classes)
	unit := make([]float64, classes)
	for i := range n {
		if model.Weight(h.w, i) == 0 {
			continue
		}
		for c := range classes {
			unit[c] = 1
			h.curve(row, i, unit)
			unit[c] = 0
			for d := c; d < classes; d++ {
				b.SetSym(c, d, b.At(c, d)+row[d])
			}
		}
	}
	scale := mat.Trace(b) / float64(classes)
	for c := range classes {
		for d := c; d < classes; d++ {
			v := b.At(c, d) + scale/float64(classes)
			if c == d {
				v += 1e-12 * scale // labels that the function excludes have no curvature
			}
			b.SetSym(c, d, v)
		}
	}
	factor := new(mat.Cholesky)
	factor.Factorize(b) // SolveVecTo reports where that failed
	return factor
}

// jointInverse is the preconditioner of a [jointHessian]: that of one output for every one of
// them, and B⁺ for the constants.
type jointInverse struct {
	h    *jointHessian
	each linalg.Operator
}

// Mul stores the product in dst.
func (p jointInverse) Mul(ctx context.Context, dst, x *mat.Dense) error {
	from, slopes := p.h.parts(x)
	to, constants := p.h.parts(dst)
	if err := p.each.Mul(ctx, to, from); err != nil {
		return err
	}
	clear(constants)
	if p.h.intercept {
		copy(constants, p.h.constants(slopes))
	}
	return nil
}
