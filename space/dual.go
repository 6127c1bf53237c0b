package space

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
)

// Dual is the space of f = Σ θᵢ k(·, xᵢ). A covector ρ stands for Σ ρᵢ k(·, xᵢ).
type Dual struct {
	k      *mat.SymDense // K where it is held; factors are written below its diagonal
	op     gram.Operator // products with K in double precision
	n      int
	o      Options
	choice Choice
	held   gram.Operator        // the triangle that conjugate gradients keep, once it is made
	packed *linalg.Packed       // storage of one factor after the other
	narrow *linalg.PackedSingle // the same in single precision
	run    model.Run            // of what came before the first factor
}

var (
	_ Spanned = (*Dual)(nil)
	_ Gramian = (*Dual)(nil)
)

// NewDual returns the space of functions in the span of the rows with the Gram matrix k. It takes
// the matrix over: its values stay, but factors are written below its diagonal (see
// [gram.CopyDense]).
func NewDual(k *mat.SymDense, o linalg.Options) *Dual {
	how := compute.Options{Workers: o.Workers, Progress: o.Progress}
	return &Dual{k: k, op: stored(k, o.Workers), n: k.SymmetricDim(),
		o: Options{Solver: Cholesky, Compute: how}, choice: Choice{Solver: Cholesky, Why: "as asked"}}
}

// DualOf returns the space of functions in the span of the rows for the symmetric operator k = K,
// n×n. Only the dense solver computes the matrix now, 8n² bytes; a [gram.FromMatrix] operator is
// copied, never written.
func DualOf(ctx context.Context, k gram.Operator, o Options) (*Dual, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, fmt.Errorf("space: the Gram matrix is %d×%d: coefficients of the rows need a square one", n, cols)
	}
	s := &Dual{op: k, n: n, o: o, choice: Choice{Solver: o.Solver, Why: "as asked"}}
	if stream, ok := k.(*gram.Stream); ok {
		s.op = gram.Of(stream.Pairs(), o.double()) // residuals are computed through it
	}
	switch o.Solver {
	case Auto, "":
		s.choice = s.automatic()
	case Features:
		return nil, fmt.Errorf("space: solver %q needs the feature map of a kernel, and a Gram matrix has none: use solver %q", Features, Cholesky)
	case Cholesky, Packed, CG:
	default:
		return nil, fmt.Errorf("space: solver %q is not known; one of %q is", o.Solver, []Solver{Auto, Cholesky, Packed, CG, Features})
	}
	if o.Compute.Precision == compute.Single && s.choice.Solver == Cholesky {
		s.choice.Solver = Packed
	}
	if s.choice.Solver != Cholesky {
		return s, nil
	}
	watch := model.NewStopwatch()
	var err error
	if s.k, err = gram.CopyDense(ctx, k, o.Compute); err != nil {
		return nil, err
	}
	s.op = stored(s.k, o.Compute.Workers)
	watch.Lap(&s.run, "gram")
	return s, nil
}

// stored is the operator of a matrix, of which it reads the upper triangle.
func stored(k *mat.SymDense, workers int) gram.Operator {
	return gram.Of(gram.FromMatrix(k).Pairs(), compute.Options{Workers: workers})
}

// automatic chooses between the two storages of a Gram matrix.
func (s *Dual) automatic() Choice {
	if s.o.Unsolved {
		return Choice{Solver: Packed, Why: "auto: products with the matrix are enough"}
	}
	if pairs, err := s.pairs(); err == nil && Direct(pairs) == Packed && !s.o.Repeated {
		return Choice{Solver: Packed, Why: "auto: exact; half of a symmetric matrix is enough, because its elements are cheap to have again"}
	}
	if s.o.Repeated {
		return Choice{Solver: Cholesky, Why: "auto: no feature map of fewer dimensions than rows"}
	}
	return Choice{Solver: Cholesky, Why: "auto: exact; the matrix is kept beside its factor, because its elements are evaluated pair by pair"}
}

// pairs returns the kernel values behind the operator.
func (s *Dual) pairs() (kernel.Pairs, error) {
	if k, ok := s.op.(interface{ Pairs() kernel.Pairs }); ok {
		return k.Pairs(), nil
	}
	return nil, fmt.Errorf("space: solver %q in %s precision needs single elements of the Gram matrix, and this operator has products only: use solver %q, or %q in double precision",
		s.choice.Solver, s.o.Compute.Precision, Cholesky, CG)
}

// Choice returns the solver.
func (s *Dual) Choice() Choice { return s.choice }

// Operator returns products with K in double precision.
func (s *Dual) Operator() gram.Operator { return s.op }

// Ran returns what was done before the first factor.
func (s *Dual) Ran() *model.Run { return &s.run }

// Dims returns n twice.
func (s *Dual) Dims() (rows, coordinates int) { return s.n, s.n }

// Centre does nothing: the constants are no features.
func (s *Dual) Centre(context.Context, []float64, compute.Options) error { return nil }

// Constants returns bias.
func (s *Dual) Constants(_ *mat.Dense, bias []float64) []float64 { return slices.Clone(bias) }

// Values is Kθ: 2n²m flops.
func (s *Dual) Values(ctx context.Context, dst, theta *mat.Dense) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.k == nil {
		return s.op.Mul(ctx, dst, theta)
	}
	a, x, y := s.k.RawSymmetric(), theta.RawMatrix(), dst.RawMatrix()
	if x.Cols == 1 {
		blas64.Symv(1, a, blas64.Vector{N: x.Rows, Inc: x.Stride, Data: x.Data}, 0, blas64.Vector{N: y.Rows, Inc: y.Stride, Data: y.Data})
		return nil
	}
	level3.Implementation{Workers: s.o.Compute.Workers}.Dsymm(blas.Left, a.Uplo, x.Rows, x.Cols, 1, a.Data, a.Stride, x.Data, x.Stride, 0, y.Data, y.Stride)
	return nil
}

// Adjoint adds g.
func (s *Dual) Adjoint(ctx context.Context, dst, g *mat.Dense) error {
	dst.Add(dst, g)
	return ctx.Err()
}

// Inner is Σ ρᵢ f(xᵢ).
func (s *Dual) Inner(covector, _, values *mat.Dense) float64 { return elementwise(covector, values) }

// Norm2 is ρᵀKρ.
func (s *Dual) Norm2(ctx context.Context, covector *mat.Dense) (float64, error) {
	values := mat.NewDense(covector.RawMatrix().Rows, covector.RawMatrix().Cols, nil)
	err := s.Values(ctx, values, covector)
	return max(0, elementwise(covector, values)), err
}

// Coefficients returns theta.
func (s *Dual) Coefficients(theta *mat.Dense) *mat.Dense { return theta }

// Gram returns the matrix itself, which is computed where it is not held.
func (s *Dual) Gram(ctx context.Context) (*mat.SymDense, error) {
	if s.k != nil {
		return s.k, nil
	}
	return gram.CopyDense(ctx, s.op, s.o.double())
}

// columns returns the columns from … to−1 of K, and the diagonal there.
func (s *Dual) columns(ctx context.Context, from, to int) (columns *mat.Dense, diag []float64, err error) {
	columns, diag = mat.NewDense(s.n, to-from, nil), make([]float64, to-from)
	pairs, unknown := s.pairs()
	switch {
	case s.k != nil:
		for i := range s.n {
			row := columns.RawRowView(i)
			for c := range row {
				row[c] = s.k.At(i, from+c)
			}
		}
	case unknown == nil:
		index, rows := make([]int, to-from), mat.NewDense(to-from, s.n, nil)
		for c := range index {
			index[c] = from + c
		}
		err = gram.Of(pairs, s.o.double()).Rows(ctx, rows, index)
		columns.Copy(rows.T())
	default:
		units := mat.NewDense(s.n, to-from, nil)
		for c := range diag {
			units.Set(from+c, c, 1)
		}
		err = s.op.Mul(ctx, columns, units)
	}
	for c := range diag {
		diag[c] = columns.At(from+c, c)
	}
	return columns, diag, err
}

// Weigh prepares M = V^½KV^½ + R·I: n³/3 multiplications with a direct solver, a preconditioner
// with [CG]. Rows of weight zero, whose row of M is otherwise empty, get 1 where R = 0.
func (s *Dual) Weigh(ctx context.Context, v []float64, ridge float64, constant bool, g *mat.Dense) (Factor, *mat.Dense, error) {
	if err := checkWeights(s, v); err != nil {
		return nil, nil, err
	}
	covector, err := covectorOf(ctx, s, g)
	if err != nil {
		return nil, nil, err
	}
	f := &dualFactor{matrix: s.matrix(v, ridge), constant: constant}
	f.quality.Precision = s.o.Compute.Precision.String()
	return f, covector, f.factor(ctx)
}

// matrix returns M for weights and a ridge.
func (s *Dual) matrix(v []float64, ridge float64) *matrix {
	m := &matrix{space: s, scale: make([]float64, s.n), shift: make([]float64, s.n), ridge: ridge}
	least := smallestWeight * slices.Max(v)
	for i, w := range v {
		if w <= least {
			w = 0
		}
		m.scale[i], m.shift[i] = math.Sqrt(w), ridge
		if ridge == 0 && w == 0 {
			m.shift[i] = 1
		}
	}
	return m
}

// smallestWeight, relative to the largest, is what counts as zero.
const smallestWeight = 1e-100

// matrix is M = diag(scale)·K·diag(scale) + diag(shift).
type matrix struct {
	space *Dual
	scale []float64 // √v
	shift []float64
	ridge float64
}

// unweighted reports whether M is K + diag(shift).
func (m *matrix) unweighted() bool {
	return !slices.ContainsFunc(m.scale, func(s float64) bool { return s != 1 })
}

// on is M with the products of some operator of K.
func (m *matrix) on(k linalg.Operator, shift []float64) gram.Shifted {
	return gram.Shifted{K: k, Scale: m.scale, Shift: shift}
}
