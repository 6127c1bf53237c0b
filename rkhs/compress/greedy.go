package compress

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// resolution is the part of k(x, x) below which what other points leave of it is lost in
// rounding: such a point is not kept.
const resolution = 1e-12

// block is the number of points that one piece of work updates.
const block = 512

// firstCapacity is the number of points that the basis can hold at first, where only a
// tolerance limits how many are kept; it doubles when it is full.
const firstCapacity = 64

// selection is the choice in progress, in the Newton basis v₁, v₂, … that the Gram–Schmidt
// process makes of the sections of the points kept: row i of basis holds v_s(xᵢ), a row of
// the pivoted Cholesky factor of K, and f = Σ_s c_s v_s + residual.
type selection struct {
	k        *gram.Stream
	o        *Options
	diag     []float64  // k(xᵢ, xᵢ)
	rest     []float64  // P(xᵢ)², what the points kept leave of it; 0 where it is lost
	residual *mat.Dense // n×p: r(xᵢ)
	norm2    []float64  // ‖f‖², p
	left2    []float64  // ‖r‖², p
	most     int        // points that may be kept
	basis    *mat.Dense // n×room
	newton   *mat.Dense // n×p: c_s
	kept     []int
	why      string // the choice ended above the tolerance
}

// start computes the values of the functions at their points.
func start(ctx context.Context, k *gram.Stream, coef *mat.Dense, o *Options) (*selection, error) {
	n, p := coef.Dims()
	s := &selection{k: k, o: o, most: n, diag: make([]float64, n), residual: mat.NewDense(n, p, nil), norm2: make([]float64, p), newton: mat.NewDense(n, p, nil)}
	first := firstCapacity
	if o.Points > 0 {
		s.most = min(n, o.Points)
		first = s.most
	}
	if err := s.grow(min(n, first)); err != nil {
		return nil, err
	}
	kernel.Diag(k.Pairs(), s.diag)
	s.rest = append([]float64(nil), s.diag...)
	if err := k.Mul(ctx, s.residual, coef); err != nil {
		return nil, err
	}
	for j := range p {
		s.norm2[j] = mat.Dot(coef.ColView(j), s.residual.ColView(j))
		if !(s.norm2[j] > 0) || math.IsInf(s.norm2[j], 1) {
			return nil, fmt.Errorf("compress: output %d has the squared norm %v in the space of the kernel; it must be positive and finite: there is nothing to compress in a constant, and no norm without a positive definite kernel", j+1, s.norm2[j])
		}
	}
	s.left2 = append([]float64(nil), s.norm2...)
	return s, nil
}

// grow enlarges the basis for more points, up to a number of them.
func (s *selection) grow(columns int) error {
	n, most := len(s.diag), s.o.Compute.MaxMemory
	if need := 8 * int64(n) * int64(columns); most > 0 && need > most {
		return &compute.TooLarge{What: fmt.Sprintf("the choice of up to %d among %d points", columns, n), Need: need, Limit: most}
	}
	wider := mat.NewDense(n, columns, nil)
	if s.basis != nil {
		wider.Copy(s.basis)
	}
	s.basis = wider
	return nil
}

// remaining returns the largest ‖r‖/‖f‖ of an output.
func (s *selection) remaining() float64 {
	worst := 0.0
	for j, v := range s.left2 {
		worst = math.Max(worst, math.Sqrt(math.Max(0, v)/s.norm2[j]))
	}
	return worst
}

// choose keeps one point after another.
func (s *selection) choose(ctx context.Context) error {
	told := s.o.Compute.Meter("points", int64(s.most))
	defer told.End(ctx)
	column := mat.NewDense(1, len(s.rest), nil)
	for len(s.kept) < s.most && (s.o.Tolerance == 0 || s.remaining() > s.o.Tolerance) {
		at := s.best()
		if at < 0 {
			s.why = "what the other points add is lost in rounding"
			return nil
		}
		if _, room := s.basis.Dims(); len(s.kept) == room {
			if err := s.grow(min(2*room, s.most)); err != nil {
				return err
			}
		}
		if err := s.k.Rows(ctx, column, []int{at}); err != nil {
			return err
		}
		if err := s.keep(ctx, at, column.RawRowView(0)); err != nil {
			return err
		}
		told.Reach(int64(len(s.kept)))
	}
	s.why = "allow more points"
	return nil
}

// best returns the first point at which ‖f − g‖², relative to ‖f‖² and summed over the
// outputs, falls most; −1 where it falls nowhere.
func (s *selection) best() int {
	at, most := -1, 0.0
	for i, rest := range s.rest {
		if rest == 0 {
			continue
		}
		fall := 0.0
		for j, r := range s.residual.RawRowView(i) {
			fall += r * r / s.norm2[j]
		}
		if fall /= rest; fall > most {
			at, most = i, fall
		}
	}
	return at
}

// keep adds a point whose kernel values with all points are given:
//
//	v(xᵢ) = (k(xᵢ, x) − Σ_s v_s(xᵢ) v_s(x))/P(x),   c = r(x)/P(x),   P(xᵢ)² −= v(xᵢ)²,   r −= c·v.
func (s *selection) keep(ctx context.Context, at int, column []float64) error {
	t, root := len(s.kept), math.Sqrt(s.rest[at])
	pivot := append([]float64(nil), s.basis.RawRowView(at)[:t]...)
	c := s.newton.RawRowView(t)
	for j, r := range s.residual.RawRowView(at) {
		c[j] = r / root
		s.left2[j] -= c[j] * c[j]
	}
	n := len(column)
	err := parallel.Each(ctx, s.o.Compute.WorkerCount(), (n+block-1)/block, func(_, b int) {
		for i := b * block; i < min(n, (b+1)*block); i++ {
			row := s.basis.RawRowView(i)
			v := (column[i] - blas64.Dot(vector(row[:t]), vector(pivot))) / root
			row[t] = v
			if s.rest[i] -= v * v; !(s.rest[i] > resolution*s.diag[i]) {
				s.rest[i] = 0
			}
			r := s.residual.RawRowView(i)
			for j := range r {
				r[j] -= c[j] * v
			}
		}
	})
	s.rest[at] = 0
	s.kept = append(s.kept, at)
	return err
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// coefficients returns β with Lᵀβ = c: K_CC = LLᵀ for the rows L of the basis that were
// kept, and g has the values Lc there.
func (s *selection) coefficients() *mat.Dense {
	m, p := len(s.kept), len(s.norm2)
	beta := mat.DenseCopyOf(s.newton.Slice(0, m, 0, p))
	for t := m - 1; t >= 0; t-- {
		row := s.basis.RawRowView(s.kept[t])
		b := beta.RawRowView(t)
		for j := range b {
			b[j] /= row[t]
		}
		for u := range t {
			blas64.Axpy(-row[u], vector(b), vector(beta.RawRowView(u)))
		}
	}
	return beta
}

// certify computes what was lost from the coefficients alone.
func (s *selection) certify(ctx context.Context, r *Report, alpha, beta *mat.Dense) error {
	n, p := alpha.Dims()
	gamma, values := mat.DenseCopyOf(alpha), mat.NewDense(n, p, nil)
	for t, i := range s.kept {
		row := gamma.RawRowView(i)
		for j, b := range beta.RawRowView(t) {
			row[j] -= b
		}
	}
	if err := s.k.Mul(ctx, values, gamma); err != nil {
		return err
	}
	largest := 0.0
	for _, d := range s.diag {
		largest = math.Max(largest, d)
	}
	for j := range p {
		lost, change := math.Max(0, mat.Dot(gamma.ColView(j), values.ColView(j))), 0.0
		for i := range n {
			change = math.Max(change, math.Abs(values.At(i, j)))
		}
		r.Distance = append(r.Distance, math.Sqrt(lost/s.norm2[j]))
		r.Difference = append(r.Difference, change)
		r.Bound = append(r.Bound, math.Sqrt(lost*largest))
	}
	return nil
}
