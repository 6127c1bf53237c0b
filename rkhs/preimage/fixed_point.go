package preimage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg/level3"
)

// FixedPoint iterates z ← Σ γᵢκ′(dᵢ)xᵢ / Σ γᵢκ′(dᵢ), dᵢ = ‖z − xᵢ‖², at whose fixed
// points the gradient of the residual vanishes, for kernels κ(‖x−y‖²). It starts at the
// given point and, because it may diverge or stop at a poor stationary point, at the
// training points with the nearest images; the end with the smallest residual is the
// answer. An iteration takes O(nd).
type FixedPoint struct {
	Profile    Profile
	Iterations int     // from each start; 0 means 500
	Tolerance  float64 // of a step, relative to the spread of the training points; 0 means 1e-8
	// Restarts is the number of training points to start at beside the given point; 0
	// means 2, less than 0 none.
	Restarts int
}

// PreImages implements [Method].
func (f FixedPoint) PreImages(ctx context.Context, t *Targets[[]float64], near data.Set[[]float64]) ([]PreImage[[]float64], error) {
	if err := f.Profile.check(t); err != nil {
		return nil, err
	}
	if err := t.startsFit(near); err != nil {
		return nil, err
	}
	f = f.defaults()
	if near == nil && f.Restarts == 0 {
		return nil, fmt.Errorf("preimage: the fixed point iteration has no point to start from: give some, or allow restarts")
	}
	c := newCentredPoints(t)
	limit := f.Tolerance * c.spread
	runs := f.starts(t, near)
	blocks := (len(runs) + block - 1) / block
	told := t.told(int64(len(runs)))
	err := parallel.Each(ctx, t.compute.WorkerCount(), blocks, func(_, i int) {
		f.advance(ctx, t, c, runs[i*block:min(len(runs), (i+1)*block)], limit, told)
	})
	if err != nil {
		return nil, err
	}
	told.Done()
	return t.withResiduals(ctx, f.best(t, runs))
}

func (f FixedPoint) defaults() FixedPoint {
	if f.Iterations <= 0 {
		f.Iterations = 500
	}
	if f.Tolerance <= 0 {
		f.Tolerance = 1e-8
	}
	switch {
	case f.Restarts == 0:
		f.Restarts = 2
	case f.Restarts < 0:
		f.Restarts = 0
	}
	return f
}

// block is the number of iterations that share their matrix products.
const block = 64

// run is one iteration in progress: from one start, for one target.
type run struct {
	target int
	z      []float64
	steps  int
	done   bool // converged
	note   string
}

// starts lists the iterations of every target in turn.
func (f FixedPoint) starts(t *Targets[[]float64], near data.Set[[]float64]) []*run {
	var runs []*run
	for j := range t.Len() {
		if near != nil {
			runs = append(runs, &run{target: j, z: slices.Clone(near.At(j))})
		}
		rows, _ := t.nearest(j, f.Restarts)
		for _, i := range rows {
			runs = append(runs, &run{target: j, z: slices.Clone(t.points.At(i))})
		}
	}
	return runs
}

// advance iterates until every run has ended. With a row of Z for each, W = Γ∘κ′(D²) of
// the squared distances D² and the points X in rows, a step is Z ← diag(W1)⁻¹WX: two
// products of matrices.
func (f FixedPoint) advance(ctx context.Context, t *Targets[[]float64], c *centredPoints, runs []*run, limit float64, told *compute.Meter) {
	active := slices.Clone(runs)
	n, d := c.centred.Dims()
	products, next := mat.NewDense(len(runs), n, nil), mat.NewDense(len(runs), d, nil)
	for step := 0; len(active) > 0 && step < f.Iterations && ctx.Err() == nil; step++ {
		a := len(active)
		w, z := products.Slice(0, a, 0, n).(*mat.Dense), next.Slice(0, a, 0, d).(*mat.Dense)
		for i, r := range active {
			floats.SubTo(z.RawRowView(i), r.z, c.mean)
		}
		c.distances(w, z)
		sums := make([]float64, a)
		for i, r := range active {
			sums[i] = f.weigh(w.RawRowView(i), t.coef.RawRowView(r.target))
		}
		product(blas.NoTrans, z, w, c.centred)
		left := active[:0]
		for i, r := range active {
			if r.move(z.RawRowView(i), sums[i], c.mean, limit) {
				left = append(left, r)
			}
		}
		told.Add(int64(len(active) - len(left)))
		active = left
	}
	for _, r := range active {
		r.note = fmt.Sprintf("the fixed point iteration did not converge in %d steps", r.steps)
	}
}

// weigh turns the squared distances of a row into γᵢκ′(dᵢ) and returns their sum, or NaN
// where it vanishes among them.
func (f FixedPoint) weigh(row, gamma []float64) float64 {
	sum, size := 0.0, 0.0
	for i, d2 := range row {
		_, slope := f.Profile.At(d2)
		row[i] = gamma[i] * slope
		sum += row[i]
		size += math.Abs(row[i])
	}
	if !(math.Abs(sum) > 1e-12*size) || math.IsInf(sum, 0) {
		return math.NaN()
	}
	return sum
}

// move takes the step to mean + weighted/sum and reports whether another one is due.
// Where the sum vanished it ends at the last point.
func (r *run) move(weighted []float64, sum float64, mean []float64, limit float64) bool {
	r.steps++
	if math.IsNaN(sum) {
		r.note = "the denominator of the fixed point iteration vanished"
		return false
	}
	step2 := 0.0
	for i, v := range weighted {
		to := mean[i] + v/sum
		step2 += (to - r.z[i]) * (to - r.z[i])
		r.z[i] = to
	}
	r.done = math.Sqrt(step2) <= limit
	return !r.done
}

// best keeps, of the runs of every target, the end with the largest Ψ(z): with κ(0) the
// same everywhere, that is the smallest residual.
func (f FixedPoint) best(t *Targets[[]float64], runs []*run) []PreImage[[]float64] {
	answers, largest := make([]PreImage[[]float64], t.Len()), make([]float64, t.Len())
	for _, r := range runs {
		a := &answers[r.target]
		a.Iterations += r.steps
		if v := f.value(t, r.target, r.z); a.Point == nil || v > largest[r.target] {
			largest[r.target] = v
			a.Point, a.Index, a.Converged, a.Note = r.z, -1, r.done, r.note
		}
	}
	return answers
}

// value is Ψ(z).
func (f FixedPoint) value(t *Targets[[]float64], j int, z []float64) float64 {
	value := 0.0
	for i, c := range t.coef.RawRowView(j) {
		v, _ := f.Profile.At(squared(z, t.points.At(i)))
		value += c * v
	}
	return value
}

// centredPoints is the training points about their mean.
type centredPoints struct {
	mean    []float64
	centred *mat.Dense // n×d
	norm2   []float64
	spread  float64 // root mean squared distance from the mean: the scale on which steps are small
}

func newCentredPoints(t *Targets[[]float64]) *centredPoints {
	n, d := t.points.Len(), len(t.points.At(0))
	c := &centredPoints{mean: make([]float64, d), centred: mat.NewDense(n, d, nil), norm2: make([]float64, n)}
	for i := range n {
		floats.AddScaled(c.mean, 1/float64(n), t.points.At(i))
	}
	for i := range n {
		row := c.centred.RawRowView(i)
		floats.SubTo(row, t.points.At(i), c.mean)
		c.norm2[i] = floats.Dot(row, row)
	}
	c.spread = math.Sqrt(floats.Sum(c.norm2) / float64(n))
	return c
}

// distances stores ‖z − xᵢ‖² of centred points z. Where they are small beside the norms
// their rounding is ε‖z‖², of no concern to a smooth κ.
func (c *centredPoints) distances(dst, z *mat.Dense) {
	product(blas.Trans, dst, z, c.centred)
	rows, _ := z.Dims()
	for i := range rows {
		norm2 := floats.Dot(z.RawRowView(i), z.RawRowView(i))
		row := dst.RawRowView(i)
		for j, v := range row {
			row[j] = math.Max(0, norm2+c.norm2[j]-2*v)
		}
	}
}

// product stores a·b or a·bᵀ on one goroutine.
func product(transpose blas.Transpose, dst, a, b *mat.Dense) {
	rd, ra, rb := dst.RawMatrix(), a.RawMatrix(), b.RawMatrix()
	level3.Implementation{Workers: 1}.Dgemm(blas.NoTrans, transpose, rd.Rows, rd.Cols, ra.Cols, 1, ra.Data, ra.Stride, rb.Data, rb.Stride, 0, rd.Data, rd.Stride)
}
