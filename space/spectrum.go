package space

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// Spectrum is the eigendecomposition VΛVᵀ of the system of a space without its ridge. The inverse
// of the system at a ridge R is then V(Λ + R)⁻¹Vᵀ, for many ridges side by side.
//
//   - In the span of the rows it is that of W^½KW^½. A row of the data is one of V, and the
//     right-hand sides are √w, where a constant is free, and √w∘y.
//   - In features it is that of ΦᵀWΦ. A row of the data is Vᵀφ(xᵢ), and the right-hand side
//     ΦᵀW(y − ȳ). Where a constant is free the features are centred, and ȳ is the weighted mean of
//     the targets; else it is 0.
type Spectrum struct {
	Values  []float64  // Λ, ascending
	Vectors *mat.Dense // V, in columns
	Sides   *mat.Dense // Vᵀ times the right-hand sides

	pass func(ctx context.Context, work pass.Work, do func(from, to int, made *mat.Dense) error) error
}

// Pass does work with the rows of the data in the coordinates of V, of which nothing is summed up,
// and gives do what is made of the rows from … to−1, for all blocks in their order. A driver of the
// rows makes the pass, if they have one.
func (s *Spectrum) Pass(ctx context.Context, work pass.Work, do func(from, to int, made *mat.Dense) error) error {
	return s.pass(ctx, work, do)
}

// Spectral is what a [Space] also is whose system has an eigendecomposition. nil weights are ones;
// mean is ȳ. The spectrum takes the space over.
type Spectral interface {
	Spectrum(ctx context.Context, weights []float64, constant bool, y *mat.Dense, mean []float64, o compute.Options) (*Spectrum, error)
}

var (
	_ Spectral = (*Dual)(nil)
	_ Spectral = (*Primal)(nil)
)

// Spectrum takes about 9n³ flops and 3·8n² bytes. The matrix is copied.
func (s *Dual) Spectrum(ctx context.Context, weights []float64, constant bool, y *mat.Dense, _ []float64, o compute.Options) (*Spectrum, error) {
	k, err := gram.CopyDense(ctx, s.op, o)
	if err != nil {
		return nil, err
	}
	scale := make([]float64, s.n)
	for i := range scale {
		if scale[i] = 1; weights != nil {
			scale[i] = math.Sqrt(weights[i])
		}
	}
	m := &matrix{space: s, scale: scale}
	if !m.unweighted() {
		scaleBoth(k, scale)
	}
	e, err := linalg.EigenSym(ctx, k, o.Factoring())
	if err != nil {
		return nil, err
	}
	first, columns := 0, y.RawMatrix().Cols
	if constant {
		first = 1
	}
	sides := mat.NewDense(s.n, first+columns, nil)
	for i, r := range scale {
		row := sides.RawRowView(i)
		row[0] = r // overwritten below without a constant
		floats.ScaleTo(row[first:], r, y.RawRowView(i))
	}
	out := &Spectrum{Values: e.Values, Vectors: e.Vectors, Sides: mat.NewDense(s.n, first+columns, nil)}
	level3.Implementation{Workers: o.Workers}.Gemm(blas.Trans, blas.NoTrans, 1, e.Vectors.RawMatrix(), sides.RawMatrix(), 0, out.Sides.RawMatrix())
	out.pass = func(ctx context.Context, work pass.Work, do func(from, to int, made *mat.Dense) error) error {
		run, room := work.Worker(s.n, level3.Implementation{Workers: o.Workers}), pass.BlockSpace{}
		return eachBlock(ctx, s.n, func(from, to int) error {
			b := room.Block(out.Vectors.Slice(from, to, 0, s.n).(*mat.Dense), work, nil)
			run(b)
			return do(from, to, b.Out)
		})
	}
	return out, nil
}

// Spectrum takes nD² flops for ΦᵀWΦ, 2nD² to turn the rows, 5D³ for the decomposition, and 5·8D²
// bytes. Features that are held are turned in their place; others are made, and turned, in every
// pass: twice here, and again for each call of [Spectrum.Pass].
func (s *Primal) Spectrum(ctx context.Context, weights []float64, constant bool, y *mat.Dense, mean []float64, o compute.Options) (*Spectrum, error) {
	if constant {
		if err := s.Centre(ctx, weights, o); err != nil {
			return nil, err
		}
	}
	_, columns := y.Dims()
	second, first, err := s.rows.Moments(ctx, weights, columns, func(dst []float64, i int) error {
		floats.SubTo(dst, y.RawRowView(i), mean) // Σ wᵢφᵢ = 0 after centring: for precision alone
		return nil
	}, o)
	if err != nil {
		return nil, err
	}
	if i, j, ok := notFinite(second); ok {
		return nil, fmt.Errorf("space: the moments of features %d and %d are %v: check the domain of the kernel and the size of its parameters", i, j, second.At(i, j))
	}
	e, err := linalg.EigenSym(ctx, second, linalg.Options{Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	out := &Spectrum{Values: e.Values, Vectors: e.Vectors, Sides: mat.NewDense(s.dim, columns, nil)}
	out.pass = func(ctx context.Context, work pass.Work, do func(from, to int, made *mat.Dense) error) error {
		_, err := s.rows.Pass(ctx, work, nil, do, compute.Options{Workers: o.Workers})
		return err
	}
	for k, v := range out.Values {
		out.Values[k] = max(v, 0) // rounding: the matrix is positive semidefinite
	}
	level3.Implementation{Workers: o.Workers}.Gemm(blas.Trans, blas.NoTrans, 1, e.Vectors.RawMatrix(), first.RawMatrix(), 0, out.Sides.RawMatrix())
	return out, s.rows.Turn(ctx, e.Vectors, o)
}

// notFinite returns an element that is not a finite number.
func notFinite(a *mat.SymDense) (i, j int, found bool) {
	raw := a.RawSymmetric()
	for i := range raw.N {
		for j := i; j < raw.N; j++ {
			if v := raw.Data[i*raw.Stride+j]; math.IsNaN(v) || math.IsInf(v, 0) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}
