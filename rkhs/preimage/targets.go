package preimage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Targets are m elements Ψ_t = Σᵢ γᵢₜ φ(xᵢ) of the RKHS.
type Targets[T any] struct {
	kernel  kernel.Kernel[T]
	points  data.Set[T]
	coef    *mat.Dense // m×n, γᵀ
	values  *mat.Dense // n×m, Ψ_t(xᵢ) = ⟨Ψ_t, φ(xᵢ)⟩
	diag    []float64  // k(xᵢ, xᵢ)
	norm2   []float64  // ‖Ψ_t‖²
	compute compute.Options
}

// NewTargets returns the functions of f, without a bias, as elements of the RKHS. It
// takes n² kernel values for their norms.
func NewTargets[T any](ctx context.Context, f *model.Expansion[T], o compute.Options) (*Targets[T], error) {
	if err := f.Check(); err != nil {
		return nil, fmt.Errorf("preimage: %w", err)
	}
	for j, b := range f.Bias {
		if b != 0 {
			return nil, fmt.Errorf("preimage: function %d has the bias %g, and a constant is no element of the RKHS: leave it out", j, b)
		}
	}
	n, m := f.Coef.Dims()
	pairs := kernel.Bind(f.Kernel, f.Points, f.Points)
	t := &Targets[T]{
		kernel: f.Kernel, points: f.Points, coef: mat.DenseCopyOf(f.Coef.T()),
		values: mat.NewDense(n, m, nil), diag: make([]float64, n), norm2: make([]float64, m), compute: o,
	}
	kernel.Diag(pairs, t.diag)
	if err := gram.Of(pairs, o).Mul(ctx, t.values, f.Coef); err != nil {
		return nil, err
	}
	for i := range n {
		for j := range m {
			t.norm2[j] += f.Coef.At(i, j) * t.values.At(i, j)
		}
	}
	for j, v := range t.norm2 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("preimage: the squared norm of element %d is %v, not a finite number: check its coefficients and the kernel", j, v)
		}
	}
	return t, nil
}

// Project returns the projections Pφ(x) of the images of the points xs on
//
//	μ + span(v₁, …, v_q),   Pφ(x) = Σᵢ pᵢ φ(xᵢ) + Σⱼ zⱼ(x) vⱼ,
//
// the first q components of e, whose values are the scores zⱼ(x) = ⟨vⱼ, φ(x) − μ⟩ and
// whose columns of coefficients are orthonormal elements vⱼ: a kernel principal component
// analysis. pᵢ are proportional to the weights it was given; nil means equal. Scores
// without a constant (e.Bias is nil) are those of an analysis about the origin: then μ = 0,
// and the weights have no part in it.
//
// For denoising with a kernel κ(‖x−y‖²) that is the better way. The values k(x + ε, xᵢ) of
// a noisy point are all smaller by about the factor κ(‖ε‖²) than those of x. About the
// origin so are its scores and Ψ, and a multiple of Ψ has the same pre-image, because
// ‖φ(z)‖ is the same for all z. About the mean μ stays as it is, and draws the pre-image
// towards the middle of the points.
func Project[T any](ctx context.Context, e *model.Expansion[T], weights []float64, q int, xs data.Set[T], o compute.Options) (*Targets[T], error) {
	if err := e.Check(); err != nil {
		return nil, fmt.Errorf("preimage: %w", err)
	}
	n, k := e.Coef.Dims()
	if q < 1 || q > k {
		return nil, fmt.Errorf("preimage: %d components of %d cannot be taken", q, k)
	}
	var mean []float64
	if e.Bias != nil {
		var err error
		if mean, err = shares(weights, n); err != nil {
			return nil, err
		}
	}
	first := &model.Expansion[T]{Kernel: e.Kernel, Points: e.Points, Coef: mat.DenseCopyOf(e.Coef.Slice(0, n, 0, q))}
	if e.Bias != nil {
		first.Bias = e.Bias[:q]
	}
	z, err := first.Predict(ctx, xs, o)
	if err != nil {
		return nil, fmt.Errorf("preimage: %w", err)
	}
	var coef mat.Dense
	coef.Mul(first.Coef, z.T())
	for i, p := range mean {
		floats.AddConst(p, coef.RawRowView(i))
	}
	return NewTargets(ctx, &model.Expansion[T]{Kernel: e.Kernel, Points: e.Points, Coef: &coef}, o)
}

func shares(weights []float64, n int) ([]float64, error) {
	p := slices.Clone(weights)
	if p == nil {
		p = slices.Repeat([]float64{1}, n)
	}
	sum := floats.Sum(p)
	if len(p) != n || !(sum > 0) || math.IsInf(sum, 1) || slices.ContainsFunc(p, func(w float64) bool { return !(w >= 0) }) {
		return nil, fmt.Errorf("preimage: %d weights with the sum %v make no mean of %d points: they must be finite, not negative and not all zero", len(p), sum, n)
	}
	floats.Scale(1/sum, p)
	return p, nil
}

// told begins to tell of the search for pre-images, in so many units.
func (t *Targets[T]) told(units int64) *compute.Meter {
	return t.compute.Meter("pre-images", units)
}

// Len returns the number of targets.
func (t *Targets[T]) Len() int { return len(t.norm2) }

// Norm returns ‖Ψ_j‖.
func (t *Targets[T]) Norm(j int) float64 { return math.Sqrt(math.Max(0, t.norm2[j])) }

// Residuals returns ‖φ(z_j) − Ψ_j‖ for one point for each target. Where it is small, the
// rounding of its square is of the order of ε(k(z,z) + ‖Ψ‖²) and of the sums behind them.
func (t *Targets[T]) Residuals(ctx context.Context, zs data.Set[T]) ([]float64, error) {
	m := t.Len()
	if zs.Len() != m {
		return nil, fmt.Errorf("preimage: %d points for %d targets", zs.Len(), m)
	}
	if err := kernel.Validate(t.kernel, zs); err != nil {
		return nil, fmt.Errorf("preimage: %w", err)
	}
	out, n := make([]float64, m), t.points.Len()
	pairs := kernel.Bind(t.kernel, zs, t.points)
	err := parallel.Each(ctx, t.compute.WorkerCount(), m, func(_, j int) {
		row := kernel.NewTile(1, n)
		pairs.Tile(row, j, 0)
		z := zs.At(j)
		out[j] = math.Sqrt(math.Max(0, t.kernel.Eval(z, z)-2*floats.Dot(row.Data, t.coef.RawRowView(j))+t.norm2[j]))
	})
	return out, err
}

// nearest returns the rows of the training points in ascending ‖φ(xᵢ) − Ψ_j‖², at most
// count of them, and those squared distances.
func (t *Targets[T]) nearest(j, count int) (rows []int, distance2 []float64) {
	n := t.points.Len()
	d2, order := make([]float64, n), make([]int, n)
	for i := range d2 {
		d2[i], order[i] = t.diag[i]-2*t.values.At(i, j)+t.norm2[j], i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d2[a], d2[b]) })
	order = order[:min(count, n)]
	for _, i := range order {
		distance2 = append(distance2, d2[i])
	}
	return order, distance2
}

// PreImage is a pre-image of one target.
type PreImage[T any] struct {
	Point      T
	Residual   float64 // ‖φ(z) − Ψ‖
	Iterations int     // of the method; 0 where it has none
	Converged  bool    // whether it ended by its own criterion
	Index      int     // of the candidate, for [Candidates]; −1 otherwise
	Note       string  // what the user should know; "" is nothing
}

// Method finds pre-images, one for each target. near holds a point to start from for
// each, such as the noisy one; nil leaves the start to the method. Some need none.
type Method[T any] interface {
	PreImages(ctx context.Context, t *Targets[T], near data.Set[T]) ([]PreImage[T], error)
}

// Denoise projects the images of the noisy points on the mean and the first q components
// of e, see [Project], and returns the pre-images of the projections.
func Denoise[T any](ctx context.Context, e *model.Expansion[T], weights []float64, q int, noisy data.Set[T], m Method[T], o compute.Options) ([]PreImage[T], error) {
	t, err := Project(ctx, e, weights, q, noisy, o)
	if err != nil {
		return nil, err
	}
	return m.PreImages(ctx, t, noisy)
}

// withResiduals fills in the residuals.
func (t *Targets[T]) withResiduals(ctx context.Context, answers []PreImage[T]) ([]PreImage[T], error) {
	points := make(data.Slice[T], len(answers))
	for j, a := range answers {
		points[j] = a.Point
	}
	residuals, err := t.Residuals(ctx, points)
	for j, r := range residuals {
		answers[j].Residual = r
	}
	return answers, err
}

// startsFit checks that near, if there is any, has a point for each target.
func (t *Targets[T]) startsFit(near data.Set[T]) error {
	if near != nil && near.Len() != t.Len() {
		return fmt.Errorf("preimage: %d points to start from for %d targets", near.Len(), t.Len())
	}
	if near == nil {
		return nil
	}
	return kernel.Validate(t.kernel, near)
}

var errNoPoints = errors.New("preimage: there are no candidates")
