package falkon

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
)

// projection is the objective of the squared loss as a function of map and landmarks alone,
// θ = (L, C) or the numbers of another map and C, with the coefficients that are best for them.
type projection struct {
	k                 kernel.Kernel[[]float64]
	slope             gradients.Slope
	by                Map
	m, d, maps        int // landmarks, coordinates of a point, numbers of the map
	xs, judging       data.Vectors
	y, judgingY       *mat.Dense
	weights, judgingW []float64
	total, ridge      float64 // N and R = Nλ
	free              bool    // whether there is a constant
	jitter            float64 // on the diagonal, as at the start, so that the objective is smooth
	workers           int
	compute           compute.Options
}

// projected is one evaluation.
type projected struct {
	value float64
	grad  []float64
	beta  *mat.Dense // m×p
	bias  []float64
}

// newProjection takes the rows that the objective is made from, and those that judge.
func newProjection(k kernel.Kernel[[]float64], slope gradients.Slope, xs data.Set[[]float64], m int, y *mat.Dense, o Options, d LandmarkOptions) (*projection, error) {
	n := xs.Len()
	taken := d.rows(n)
	var learn, judge []int
	for i := range taken {
		if row := i * n / taken; i%10 == 9 {
			judge = append(judge, row)
		} else {
			learn = append(learn, row)
		}
	}
	if need := 8 * int64(len(learn)) * int64(m); o.Compute.MaxMemory > 0 && need > o.Compute.MaxMemory/2 {
		return nil, &compute.TooLarge{What: fmt.Sprintf("moving %d landmarks by %d rows", m, len(learn)), Need: 2 * need, Limit: o.Compute.MaxMemory}
	}
	p := &projection{k: k, slope: slope, by: d.Before, m: m, d: len(xs.At(0)), free: !o.NoIntercept, workers: o.Compute.WorkerCount()}
	p.compute = compute.Options{Workers: o.Compute.Workers}
	if p.by == nil {
		p.by = newLinear(cmp.Or(d.Of, MoveFull), d.Start, p.d)
	}
	p.xs, p.y, p.weights = someRows(xs, y, o.Weights, learn)
	p.judging, p.judgingY, p.judgingW = someRows(xs, y, o.Weights, judge)
	all := 0.0
	for i := range n {
		all += model.Weight(o.Weights, i)
	}
	p.total = floats.Sum(p.weights)
	if !(p.total > 0) || !(floats.Sum(p.judgingW) > 0) {
		return nil, fmt.Errorf("falkon: the weights of the rows that move landmarks, or of those that judge the steps, are all 0")
	}
	p.ridge = o.Ridge * p.total / all
	if o.Lambda > 0 {
		p.ridge = o.Lambda * p.total
	}
	return p, nil
}

// someRows gathers rows.
func someRows(xs data.Set[[]float64], y *mat.Dense, weights []float64, rows []int) (data.Vectors, *mat.Dense, []float64) {
	_, outputs := y.Dims()
	points, targets, w := data.Gather(xs, rows), mat.NewDense(len(rows), outputs, nil), make([]float64, len(rows))
	for to, from := range rows {
		targets.SetRow(to, y.RawRowView(from))
		w[to] = model.Weight(weights, from)
	}
	return points, targets, w
}

// start returns θ, the numbers of the map and then the landmarks.
func (p *projection) start(landmarks data.Set[[]float64]) []float64 {
	theta := append([]float64(nil), p.by.Start()...)
	p.maps = len(theta)
	for j := range landmarks.Len() {
		theta = append(theta, landmarks.At(j)...)
	}
	return theta
}

// parts returns the numbers of the map and the landmarks of θ.
func (p *projection) parts(theta []float64) ([]float64, data.Vectors) {
	c, err := data.NewVectors(p.m, p.d, theta[p.maps:])
	if err != nil {
		panic(err) // θ has the length that start gave it
	}
	return theta[:p.maps], c
}

// images returns those of the rows and of the landmarks at θ.
func (p *projection) images(ctx context.Context, theta []float64, xs data.Vectors) (z, zc data.Vectors, err error) {
	l, c := p.parts(theta)
	if z, err = p.by.Images(ctx, l, xs); err != nil {
		return z, zc, err
	}
	zc, err = p.by.Images(ctx, l, c)
	return z, zc, err
}

// at returns value and gradient at θ.
func (p *projection) at(ctx context.Context, theta []float64) (*projected, error) {
	z, zc, err := p.images(ctx, theta, p.xs)
	if err != nil {
		return nil, err
	}
	var knm, kmm mat.Dense
	if err := gram.Rect(ctx, &knm, kernel.Bind(p.k, z, zc), p.compute); err != nil {
		return nil, err
	}
	if err := gram.Rect(ctx, &kmm, kernel.Bind(p.k, zc, zc), p.compute); err != nil {
		return nil, err
	}
	q, err := p.solve(ctx, &knm, &kmm)
	if err != nil {
		return nil, err
	}
	r := p.residuals(&knm, q)
	var kb mat.Dense
	kb.Mul(&kmm, q.beta)
	for i, w := range p.weights {
		q.value += w * floats.Dot(r.RawRowView(i), r.RawRowView(i))
	}
	for j := range p.m {
		b := q.beta.RawRowView(j)
		q.value += p.ridge*floats.Dot(b, kb.RawRowView(j)) + p.jitter*floats.Dot(b, b)
	}
	q.value /= p.total
	q.grad, err = p.gradient(ctx, theta, z, zc, r, q.beta)
	return q, err
}

// solve returns the best coefficients and constants: those of the normal equations in kernel
// values less their mean.
func (p *projection) solve(ctx context.Context, knm, kmm *mat.Dense) (*projected, error) {
	n, outputs := p.y.Dims()
	mean, meanY := make([]float64, p.m), make([]float64, outputs)
	if p.free {
		for i, w := range p.weights {
			floats.AddScaled(mean, w/p.total, knm.RawRowView(i))
			floats.AddScaled(meanY, w/p.total, p.y.RawRowView(i))
		}
	}
	a, right := linalg.NewPacked(p.m), mat.NewDense(p.m, outputs, nil)
	whole, targets := mat.NewDense(min(n, sampleBlock), p.m, nil), mat.NewDense(min(n, sampleBlock), outputs, nil)
	for from := 0; from < n; from += sampleBlock {
		size := min(sampleBlock, n-from)
		block, y := whole.Slice(0, size, 0, p.m).(*mat.Dense), targets.Slice(0, size, 0, outputs).(*mat.Dense)
		for i := range size {
			root := math.Sqrt(p.weights[from+i])
			floats.SubTo(block.RawRowView(i), knm.RawRowView(from+i), mean)
			floats.SubTo(y.RawRowView(i), p.y.RawRowView(from+i), meanY)
			floats.Scale(root, block.RawRowView(i))
			floats.Scale(root, y.RawRowView(i))
		}
		if err := a.AddProducts(ctx, block, linalg.Options{Workers: p.compute.Workers}); err != nil {
			return nil, err
		}
		var part mat.Dense
		part.Mul(block.T(), y)
		right.Add(right, &part)
	}
	if p.jitter == 0 {
		p.jitter = 1e-12 * meanDiagonal(a)
	}
	for j := range p.m {
		for i := j; i < p.m; i++ {
			a.SetSym(i, j, a.At(i, j)+p.ridge*kmm.At(i, j))
		}
	}
	f, err := linalg.FactorPacked(ctx, a, p.jitter, linalg.Options{Workers: p.compute.Workers})
	if err != nil {
		return nil, fmt.Errorf("falkon: the normal equations of a descent: %w", err)
	}
	q := &projected{beta: mat.NewDense(p.m, outputs, nil), bias: meanY}
	if err := f.Solve(ctx, q.beta, right); err != nil {
		return nil, err
	}
	for j, v := range mean {
		floats.AddScaled(q.bias, -v, q.beta.RawRowView(j))
	}
	return q, nil
}

// residuals returns y − b − Kβ.
func (p *projection) residuals(knm *mat.Dense, q *projected) *mat.Dense {
	var r mat.Dense
	r.Mul(knm, q.beta)
	r.Sub(p.y, &r)
	for i := range p.weights {
		floats.Sub(r.RawRowView(i), q.bias)
	}
	return &r
}

// gradient returns ∂J/∂θ. All three sums are gradients of expansions: of f = Σⱼ βⱼk(·, zⱼ) at the
// images of the rows and of the landmarks, and of Σᵢ sᵢk(·, zᵢ), sᵢ = −(2/N)wᵢrᵢ, at those of the
// landmarks.
func (p *projection) gradient(ctx context.Context, theta []float64, z, zc data.Vectors, r, beta *mat.Dense) ([]float64, error) {
	signed := mat.DenseCopyOf(r)
	for i, w := range p.weights {
		floats.Scale(-2/p.total*w, signed.RawRowView(i))
	}
	penalty := mat.DenseCopyOf(beta)
	penalty.Scale(2*p.ridge/p.total, beta)
	f := &model.Expansion[[]float64]{Kernel: p.k, Points: zc, Coef: beta}
	ofRows := data.MakeVectors(z.Len(), z.Dim())
	if err := p.addSlopes(ctx, ofRows, f, z, signed); err != nil {
		return nil, err
	}
	ofLandmarks := data.MakeVectors(p.m, z.Dim())
	if err := p.addSlopes(ctx, ofLandmarks, &model.Expansion[[]float64]{Kernel: p.k, Points: z, Coef: signed}, zc, beta); err != nil {
		return nil, err
	}
	if err := p.addSlopes(ctx, ofLandmarks, f, zc, penalty); err != nil {
		return nil, err
	}
	l, c := p.parts(theta)
	byRows, _, err := p.by.Pull(ctx, l, p.xs, ofRows)
	if err != nil {
		return nil, err
	}
	grad, points, err := p.by.Pull(ctx, l, c, ofLandmarks)
	if err != nil {
		return nil, err
	}
	floats.Add(grad, byRows)
	return append(grad, points.Raw()...), nil
}

// addSlopes adds Σ_c w_i꜀ ∇f_c(zᵢ) to the rows of dst.
func (p *projection) addSlopes(ctx context.Context, dst data.Vectors, f *model.Expansion[[]float64], rows data.Vectors, weights *mat.Dense) error {
	d := rows.Dim()
	return gradients.Each(ctx, f, p.slope, rows, p.workers, func(_ int, at []int, slopes *mat.Dense) {
		for r, i := range at {
			for c, w := range weights.RawRowView(i) {
				floats.AddScaled(dst.At(i), w, slopes.RawRowView(r)[c*d:(c+1)*d])
			}
		}
	})
}

// validationError returns the mean squared error of the rows that judge, over all outputs.
func (p *projection) validationError(ctx context.Context, theta []float64, q *projected) (float64, error) {
	z, zc, err := p.images(ctx, theta, p.judging)
	if err != nil {
		return 0, err
	}
	e := model.Expansion[[]float64]{Kernel: p.k, Points: zc, Coef: q.beta, Bias: q.bias}
	values, err := e.Predict(ctx, z, p.compute)
	if err != nil {
		return 0, err
	}
	values.Sub(values, p.judgingY)
	sum := 0.0
	for i, w := range p.judgingW {
		sum += w * floats.Dot(values.RawRowView(i), values.RawRowView(i))
	}
	return sum / floats.Sum(p.judgingW), nil
}
