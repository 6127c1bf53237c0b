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
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// projection is the objective of the squared loss as a function of map and landmarks alone,
// θ = (L, C), with the coefficients that are best for them.
type projection struct {
	k                 kernel.Kernel[[]float64]
	slope             func(dst []float64, c float64, x, y []float64)
	of                Moving
	m, d              int
	xs, judging       data.Vectors
	y, judgingY       *mat.Dense
	weights, judgingW []float64
	total, ridge      float64 // N and R = Nλ
	free              bool    // whether there is a constant
	fixed             []float64
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
func newProjection(k kernel.Kernel[[]float64], slope func(dst []float64, c float64, x, y []float64), xs data.Set[[]float64], m int, y *mat.Dense, o Options, d LandmarkOptions) (*projection, error) {
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
	p := &projection{k: k, slope: slope, of: cmp.Or(d.Of, MoveFull), m: m, d: len(xs.At(0)), free: !o.NoIntercept, workers: o.Compute.WorkerCount()}
	p.compute = compute.Options{Workers: o.Compute.Workers}
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

// maps returns the number of coordinates of θ that belong to L.
func (p *projection) maps() int {
	switch p.of {
	case MoveLandmarks:
		return 0
	case MoveDiagonal:
		return p.d
	}
	return p.d * p.d
}

// start returns θ for landmarks and a map, nil being the identity.
func (p *projection) start(landmarks data.Set[[]float64], l []float64) []float64 {
	if l == nil {
		l = make([]float64, p.d*p.d)
		for j := range p.d {
			l[j*p.d+j] = 1
		}
	}
	var theta []float64
	switch p.of {
	case MoveLandmarks:
		p.fixed = l
	case MoveDiagonal:
		for j := range p.d {
			theta = append(theta, l[j*p.d+j])
		}
	default:
		theta = append(theta, l...)
	}
	for j := range landmarks.Len() {
		theta = append(theta, landmarks.At(j)...)
	}
	return theta
}

// parts returns L and the landmarks of θ.
func (p *projection) parts(theta []float64) ([]float64, data.Vectors) {
	at := p.maps()
	c, err := data.NewVectors(p.m, p.d, theta[at:])
	if err != nil {
		panic(err) // θ has the length that start gave it
	}
	switch p.of {
	case MoveLandmarks:
		return p.fixed, c
	case MoveDiagonal:
		l := make([]float64, p.d*p.d)
		for j, v := range theta[:at] {
			l[j*p.d+j] = v
		}
		return l, c
	}
	return theta[:at], c
}

// at returns value and gradient at θ.
func (p *projection) at(ctx context.Context, theta []float64) (*projected, error) {
	l, c := p.parts(theta)
	z, zc := data.LinearImages(l, p.xs), data.LinearImages(l, c)
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
	q.grad, err = p.gradient(ctx, l, c, z, zc, r, q.beta)
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

// descentLanes is the number of sums that rows are divided among, whatever the number of workers.
const descentLanes = 16

// lane is the part of a gradient that some rows make: in L, and in the images of landmarks.
type lane struct{ l, c []float64 }

// gradient returns ∂J/∂θ.
func (p *projection) gradient(ctx context.Context, l []float64, c, z, zc data.Vectors, r, beta *mat.Dense) ([]float64, error) {
	n, d, scale := z.Len(), p.d, -2/p.total
	lanes := make([]lane, min(descentLanes, n))
	err := parallel.Each(ctx, p.workers, len(lanes), func(_, at int) {
		part := lane{make([]float64, d*d), make([]float64, p.m*d)}
		steep := make([]float64, d)
		for i := at * n / len(lanes); i < (at+1)*n/len(lanes) && ctx.Err() == nil; i++ {
			clear(steep)
			for j := range p.m {
				w := scale * p.weights[i] * floats.Dot(r.RawRowView(i), beta.RawRowView(j))
				p.slope(steep, w, z.At(i), zc.At(j))
				p.slope(part.c[j*d:(j+1)*d], w, zc.At(j), z.At(i))
			}
			addProduct(part.l, steep, p.xs.At(i))
		}
		lanes[at] = part
	})
	if err != nil {
		return nil, err
	}
	sum := lanes[0]
	for _, part := range lanes[1:] {
		floats.Add(sum.l, part.l)
		floats.Add(sum.c, part.c)
	}
	err = parallel.Each(ctx, p.workers, p.m, func(_, j int) {
		for i := range p.m {
			p.slope(sum.c[j*d:(j+1)*d], 2*p.ridge/p.total*floats.Dot(beta.RawRowView(i), beta.RawRowView(j)), zc.At(j), zc.At(i))
		}
	})
	return p.pulled(sum, l, c), err
}

// pulled returns the gradient in θ of one in L and the images of landmarks.
func (p *projection) pulled(g lane, l []float64, c data.Vectors) []float64 {
	d := p.d
	grad := make([]float64, p.maps()+p.m*d)
	for j := range p.m {
		image := g.c[j*d : (j+1)*d]
		addProduct(g.l, image, c.At(j))
		for i, v := range image {
			floats.AddScaled(grad[p.maps()+j*d:p.maps()+(j+1)*d], v, l[i*d:(i+1)*d])
		}
	}
	switch p.of {
	case MoveDiagonal:
		for j := range d {
			grad[j] = g.l[j*d+j]
		}
	case MoveFull:
		copy(grad, g.l)
	}
	return grad
}

// addProduct adds abᵀ to a row-major matrix.
func addProduct(dst, a, b []float64) {
	for i, v := range a {
		floats.AddScaled(dst[i*len(b):(i+1)*len(b)], v, b)
	}
}

// validationError returns the mean squared error of the rows that judge, over all outputs.
func (p *projection) validationError(ctx context.Context, theta []float64, q *projected) (float64, error) {
	l, c := p.parts(theta)
	e := model.Expansion[[]float64]{Kernel: p.k, Points: data.LinearImages(l, c), Coef: q.beta, Bias: q.bias}
	values, err := e.Predict(ctx, data.LinearImages(l, p.judging), p.compute)
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
