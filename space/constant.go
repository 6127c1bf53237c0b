package space

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
)

// Constant is the space of so many rows in which all functions are zero, so that only the
// constants are fitted: the null model of a deviance, and where an iteration starts. It has one
// coordinate, which does nothing.
type Constant int

var _ Space = Constant(0)

// Dims returns the number of rows and 1.
func (s Constant) Dims() (rows, coordinates int) { return int(s), 1 }

// Centre does nothing.
func (s Constant) Centre(context.Context, []float64, compute.Options) error { return nil }

// Constants returns bias.
func (s Constant) Constants(_ *mat.Dense, bias []float64) []float64 { return slices.Clone(bias) }

// Values are zero.
func (s Constant) Values(_ context.Context, dst, _ *mat.Dense) error {
	dst.Zero()
	return nil
}

// Adjoint adds nothing.
func (s Constant) Adjoint(context.Context, *mat.Dense, *mat.Dense) error { return nil }

// Inner is zero.
func (s Constant) Inner(_, _, _ *mat.Dense) float64 { return 0 }

// Norm2 is zero.
func (s Constant) Norm2(context.Context, *mat.Dense) (float64, error) { return 0, nil }

// Weigh adds the weights up.
func (s Constant) Weigh(ctx context.Context, v []float64, ridge float64, constant bool, g *mat.Dense) (Factor, *mat.Dense, error) {
	if err := checkWeights(s, v); err != nil {
		return nil, nil, err
	}
	f := &constantFactor{v: slices.Clone(v), ridge: ridge, constant: constant}
	for _, w := range v {
		f.total += w
	}
	covector, err := covectorOf(ctx, s, g)
	return f, covector, err
}

// covectorOf is what [Space.Weigh] returns beside a factor where that takes no pass.
func covectorOf(ctx context.Context, s Space, g *mat.Dense) (*mat.Dense, error) {
	if g == nil {
		return nil, nil
	}
	_, d := s.Dims()
	out := mat.NewDense(d, g.RawMatrix().Cols, nil)
	return out, s.Adjoint(ctx, out, g)
}

// checkWeights wants a weight for each row.
func checkWeights(s Space, v []float64) error {
	if n, _ := s.Dims(); len(v) != n {
		return fmt.Errorf("space: %d weights for %d rows: one is needed for each", len(v), n)
	}
	return nil
}

// constantFactor is the 1×1 Hessian Σ vᵢ of the constants.
type constantFactor struct {
	v        []float64
	ridge    float64
	constant bool
	total    float64
}

// Solve returns zeros and β/Σ vᵢ.
func (f *constantFactor) Solve(_ context.Context, covector *mat.Dense, beta []float64) (*mat.Dense, []float64, error) {
	rows, cols := covector.Dims()
	bias := slices.Clone(beta)
	for c := range bias {
		bias[c] /= f.total
	}
	return mat.NewDense(rows, cols, nil), bias, nil
}

// Variances are 1/Σ vᵢ.
func (f *constantFactor) Variances(_ context.Context, dst []float64) error {
	for i := range dst {
		dst[i] = 0
		if f.constant {
			dst[i] = 1 / f.total
		}
	}
	return nil
}

// LeaveOneOut is 1 − vᵢ/Σ v.
func (f *constantFactor) LeaveOneOut(ctx context.Context, dst []float64) error {
	err := f.Variances(ctx, dst)
	for i, v := range f.v {
		dst[i] = 1 - v*dst[i]
	}
	return err
}

// LogDet is n ln R + ln Σ vᵢ/R.
func (f *constantFactor) LogDet() float64 {
	sum := float64(len(f.v)) * math.Log(f.ridge)
	if f.constant {
		sum += math.Log(f.total / f.ridge)
	}
	return sum
}

// Trace is 0.
func (f *constantFactor) Trace(context.Context) (float64, error) { return 0, nil }
