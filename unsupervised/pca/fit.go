package pca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Model is a mean and k orthonormal components.
type Model struct {
	Mean       []float64
	Components *mat.Dense // k×d, one in each row
}

// Transform returns the scores (xs − μ)Vᵀ, one row for each vector.
func (m *Model) Transform(xs data.Vectors) (*mat.Dense, error) {
	k, d := m.Components.Dims()
	if xs.Dim() != d || xs.Len() == 0 {
		return nil, fmt.Errorf("pca: %d rows of %d numbers have no scores on components of %d numbers", xs.Len(), xs.Dim(), d)
	}
	out, centred := mat.NewDense(xs.Len(), k, nil), make([]float64, d)
	for i := range xs.Len() {
		floats.SubTo(centred, xs.At(i), m.Mean)
		for j := range k {
			out.Set(i, j, floats.Dot(centred, m.Components.RawRowView(j)))
		}
	}
	return out, nil
}

// TransformSparse is Transform of sparse vectors, which may be shorter than the mean.
func (m *Model) TransformSparse(xs *data.Sparse) (*mat.Dense, error) {
	k, d := m.Components.Dims()
	if xs.Dim() > d || xs.Len() == 0 {
		return nil, fmt.Errorf("pca: %d rows of %d numbers have no scores on components of %d numbers", xs.Len(), xs.Dim(), d)
	}
	out := mat.NewDense(xs.Len(), k, nil)
	for j := range k {
		v := m.Components.RawRowView(j)
		shift := floats.Dot(m.Mean, v)
		for i := range xs.Len() {
			x, sum := xs.At(i), -shift
			for t, c := range x.Index {
				sum += x.Value[t] * v[c]
			}
			out.Set(i, j, sum)
		}
	}
	return out, nil
}

// Inverse returns the points μ + zV of the scores z, one row for each: the nearest points
// of the affine span of the components.
func (m *Model) Inverse(z *mat.Dense) (data.Vectors, error) {
	k, d := m.Components.Dims()
	n, cols := z.Dims()
	if cols > k {
		return data.Vectors{}, fmt.Errorf("pca: rows of %d scores for %d components", cols, k)
	}
	out := data.MakeVectors(n, d)
	for i := range n {
		copy(out.At(i), m.Mean)
		for j, s := range z.RawRowView(i) {
			floats.AddScaled(out.At(i), s, m.Components.RawRowView(j))
		}
	}
	return out, nil
}

// matrix is A = D^½(X − 1μᵀ), n×d, to whoever asks for its components.
type matrix interface {
	dims() (n, d int)
	mean() []float64
	// decompose returns singular values, descending, and right singular vectors in rows.
	decompose(ctx context.Context, s Solver, o *Options) ([]float64, *mat.Dense, error)
	total() float64 // ‖A‖² (Frobenius), once it is decomposed
	// gramian returns AᵀA·v.
	gramian(ctx context.Context, v *mat.Dense) (*mat.Dense, error)
}

// Fit finds the components of dense vectors. Where there are at least as many rows as columns, or
// where the rows are not in memory, it adds up second moments in streaming passes. Its memory is
// then a few d×d matrices, or with [Krylov] d numbers for each vector of the basis. The bits are
// the same for rows in memory and in a file, and for any number of workers. Errors: those of the
// options, all together; a number that is not finite; vectors that all coincide; those of ctx.
func Fit(ctx context.Context, xs data.Rows, o Options) (*Model, *Report, error) {
	n, d := xs.Len(), xs.Dim()
	if err := o.validate(n, d); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	if inMemory, ok := xs.(data.Vectors); ok && n < d {
		a, err := newDense(inMemory, o.shares(n), o.Compute.WorkerCount())
		if err != nil {
			return nil, nil, err
		}
		return fit(ctx, filledMatrix{a}, &o, watch)
	}
	a, err := newStreamed(ctx, xs, &o)
	if err != nil {
		return nil, nil, err
	}
	return fit(ctx, a, &o, watch)
}

// FitSparse finds the components of sparse vectors. Beside the errors of [Fit] the exact solver
// returns a *[compute.TooLarge] where the filled matrix exceeds the memory limit.
func FitSparse(ctx context.Context, xs *data.Sparse, o Options) (*Model, *Report, error) {
	if err := o.validate(xs.Len(), xs.Dim()); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	a, err := newSparse(xs, o.shares(xs.Len()), o.Compute.WorkerCount())
	if err != nil {
		return nil, nil, err
	}
	return fit(ctx, filledMatrix{a}, &o, watch)
}

func fit(ctx context.Context, a matrix, o *Options, watch *model.Stopwatch) (*Model, *Report, error) {
	n, d := a.dims()
	r := &Report{N: n, Dim: d}
	r.Solver, r.Why = o.choose(n, d)
	watch.Lap(&r.Run, "mean")
	values, right, err := a.decompose(ctx, r.Solver, o)
	if err != nil {
		return nil, nil, err
	}
	r.Total = a.total()
	watch.Lap(&r.Run, "decompose")
	k, err := r.keepAboveFloor(values, a.mean(), o.Components)
	if err != nil {
		return nil, nil, err
	}
	columns := mat.DenseCopyOf(right.Slice(0, k, 0, d).T())
	linalg.Orient(columns)
	if err := r.certify(ctx, a, columns); err != nil {
		return nil, nil, err
	}
	watch.Lap(&r.Run, "residual")
	return &Model{Mean: a.mean(), Components: mat.DenseCopyOf(columns.T())}, r, nil
}

// keepAboveFloor fills in the variances that are above rounding, of the matrix and of the mean that
// was taken off, and returns their number.
func (r *Report) keepAboveFloor(values, mean []float64, wanted int) (int, error) {
	all := wanted == 0
	if all {
		wanted = len(values)
	}
	level := 0x1p-52 * (float64(max(r.N, r.Dim))*values[0] + 4*floats.Norm(mean, 2))
	r.Floor = level * level
	for _, v := range values[:min(wanted, len(values))] {
		if v <= level {
			break
		}
		r.Variances = append(r.Variances, v*v)
		r.Ratio = append(r.Ratio, v*v/r.Total)
	}
	r.Components = len(r.Variances)
	r.Dropped = wanted - r.Components
	if r.Components == 0 {
		return 0, fmt.Errorf("pca: the largest variance, %.3g, is not above what rounding produces, %.3g: all rows of positive weight are the same", values[0]*values[0], r.Floor)
	}
	if r.Dropped > 0 && !all {
		r.Warn("%d components were asked for, but only %d have a variance above what rounding produces", wanted, r.Components)
	}
	return r.Components, nil
}

// certify computes the residuals of the components, in the columns of v.
func (r *Report) certify(ctx context.Context, a matrix, v *mat.Dense) error {
	back, err := a.gramian(ctx, v)
	if err != nil {
		return err
	}
	for j, variance := range r.Variances {
		x := mat.Col(nil, j, back)
		floats.AddScaled(x, -variance, mat.Col(nil, j, v))
		r.Residual = math.Max(r.Residual, floats.Norm(x, 2)/r.Variances[0])
	}
	return nil
}
