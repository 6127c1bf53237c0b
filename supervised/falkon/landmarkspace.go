package falkon

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// landmarkSpace is the span of the landmarks in coordinates γ = Lᵀβ, K_mm + jitter·I = LLᵀ, in
// which ‖f‖ = ‖γ‖.
type landmarkSpace struct {
	l      *linalg.CholeskyFactor
	jitter float64
	scale  float64 // the mean of k(c, c)
	o      linalg.Options

	compute compute.Options // of the passes
}

// mostJitter is the largest part of the mean of the diagonal that is added to it.
const mostJitter = 1e-6

// singleJitter is added to the diagonal beside its mean where passes are made in single
// precision: it is the rounding of the elements, which the inverse of smaller eigenvalues of
// K_mm would blow up.
const singleJitter = 0x1p-23

// newLandmarkSpace factors K_mm, in place of a where that holds it already. What is needed on the
// diagonal to do so grows from the rounding of the elements by factors of 100.
func newLandmarkSpace(ctx context.Context, kmm kernel.Pairs, a *linalg.Packed, p compute.Precision, o compute.Options) (*landmarkSpace, error) {
	m, _ := kmm.Dims()
	s := &landmarkSpace{compute: o, o: linalg.Options{Workers: o.Workers, Progress: o.Progress}}
	for ; ; a = nil {
		var err error
		if a == nil {
			if a, err = gram.PackedOf(ctx, kmm, compute.Options{Workers: o.Workers, Progress: o.Progress}); err != nil {
				return nil, err
			}
		}
		s.scale = meanDiagonal(a)
		if bad(s.scale) {
			return nil, fmt.Errorf("falkon: the mean of k(c, c) over the landmarks is %v: it must be a finite number > 0; check the domain of the kernel and the size of its parameters", s.scale)
		}
		if p == compute.Single {
			s.jitter = math.Max(s.jitter, singleJitter*s.scale)
		}
		s.l, err = linalg.FactorPacked(ctx, a, s.jitter, s.o)
		var indefinite *linalg.NotPositiveDefinite
		switch {
		case err == nil:
			return s, nil
		case !errors.As(err, &indefinite):
			return nil, err
		case s.jitter >= mostJitter*s.scale:
			return nil, fmt.Errorf("falkon: the kernel is not positive definite on the landmarks: %g on the diagonal of K_mm, whose mean is %g, is not enough: %w", s.jitter, s.scale, err)
		}
		s.jitter = math.Max(100*s.jitter, float64(m)*0x1p-52*s.scale)
	}
}

func bad(x float64) bool { return !(x > 0) || math.IsInf(x, 1) }

// meanDiagonal returns trace(A)/m.
func meanDiagonal(a *linalg.Packed) float64 {
	sum := 0.0
	for i := range a.SymmetricDim() {
		sum += a.At(i, i)
	}
	return sum / float64(a.SymmetricDim())
}

// beta returns the coefficients L⁻ᵀγ of functions.
func (s *landmarkSpace) beta(ctx context.Context, gamma *mat.Dense) (*mat.Dense, error) {
	rows := mat.DenseCopyOf(gamma.T())
	if err := s.l.Unwhiten(ctx, rows); err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(rows.T()), nil
}

// covector returns L⁻¹r: the gradient in the coordinates γ of one in the values at the
// landmarks.
func (s *landmarkSpace) covector(ctx context.Context, r *mat.Dense) (*mat.Dense, error) {
	rows := mat.DenseCopyOf(r.T())
	if err := s.l.Whiten(ctx, rows); err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(rows.T()), nil
}

// sampleBlock is the number of rows of a sample that are held at a time.
const sampleBlock = 512

// curvature returns the Hessian without its penalty as the landmarks and a sample of the rows
// show it,
//
//	C = LᵀDL + L⁻¹(Σ vᵢkᵢkᵢᵀ)L⁻ᵀ,
//
// where D = diag(mass) and vᵢ say how much of the curvature each landmark and each row of the
// sample stands for, and kᵢ are the values of row i at the landmarks; either may be empty.
// It takes m³/3 multiplications, and 2m² for each row of the sample, half of them in the precision
// p of the passes: products of whitened rows are rounded as those of a pass are. Whitening stays
// double, because it blows rounding up by the condition of L.
func (s *landmarkSpace) curvature(ctx context.Context, mass []float64, sample func(rows []int, reuse kernel.Pairs) kernel.Pairs, drawn []int, v []float64, p compute.Precision) (*linalg.Packed, error) {
	m := s.l.Dim()
	c := linalg.NewPacked(m)
	if len(mass) > 0 {
		var err error
		if c, err = s.l.LTDL(ctx, mass); err != nil {
			return nil, err
		}
	}
	var whole *mat.Dense
	if len(drawn) > 0 {
		whole = mat.NewDense(min(sampleBlock, len(drawn)), m, nil)
	}
	var narrow kernel.Tile32
	if p == compute.Single {
		narrow = kernel.NewTile32(min(sampleBlock, len(drawn)), m)
	}
	for from := 0; from < len(drawn); from += sampleBlock {
		to := min(from+sampleBlock, len(drawn))
		block := whole.Slice(0, to-from, 0, m).(*mat.Dense)
		if err := gram.Rect(ctx, block, sample(drawn[from:to], nil), compute.Options{Workers: s.o.Workers}); err != nil {
			return nil, err
		}
		if err := s.l.Whiten(ctx, block); err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			floats.Scale(math.Sqrt(v[i]), block.RawRowView(i-from))
		}
		if err := s.addProducts(ctx, c, block, narrow); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// addProducts adds the products of the rows of a block to c, in single precision where there is
// room for the rounded rows. They are divided by the root of the mean of k(c, c), which whitened
// rows are about as long as, so that the size of the kernel does not matter.
func (s *landmarkSpace) addProducts(ctx context.Context, c *linalg.Packed, block *mat.Dense, room kernel.Tile32) error {
	if room.Rows == 0 {
		return c.AddProducts(ctx, block, s.o)
	}
	room.Rows, _ = block.Dims()
	by := 1 / math.Sqrt(s.scale)
	for i := range room.Rows {
		to := room.Row(i)
		for j, v := range block.RawRowView(i) {
			to[j] = float32(by * v)
		}
	}
	return c.AddProductsSingle(ctx, s.scale, blas32.General(room), s.o)
}

// inverseOf returns (C + ridge·I)⁻¹ in place of C: m³/3 multiplications.
func (s *landmarkSpace) inverseOf(ctx context.Context, c *linalg.Packed, ridge float64) (linalg.Operator, error) {
	f, err := linalg.FactorPacked(ctx, c, ridge, s.o)
	if err != nil {
		return nil, fmt.Errorf("falkon: the preconditioner at ridge %g: %w", ridge, err)
	}
	return f.Preconditioner(), nil
}

// span returns from … to−1.
func span(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}
