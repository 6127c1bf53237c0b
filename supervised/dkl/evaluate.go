package dkl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
)

// evaluation is the objective at one θ.
type evaluation struct {
	value, criterion, judged float64
	grad                     []float64
}

// evaluate makes the objective and its gradient in seven steps:
//
//  1. Send the rows through the network.
//  2. Make the Gram matrix K of their images.
//  3. Take the criterion C with ∂C/∂K and ∂C/∂R.
//  4. Take the errors of the rows of weight 0, which judge.
//  5. Take the derivatives in the images, 2 Σ_b (∂C/∂K)_ab ∇₁k₀(zₐ, z_b).
//  6. Pull them back to the weights.
//  7. Turn C into what is minimised: ln of an error over 2, or nats a row.
func (s *search) evaluate(theta []float64) (*evaluation, error) {
	network, workers := s.network(theta), s.o.Compute.WorkerCount()
	z, err := network.FastImages(s.ctx, s.xs, workers)
	if err != nil {
		return nil, err
	}
	k := mat.NewSymDense(s.xs.Len(), nil)
	if err := gram.Fill(s.ctx, k, kernel.Bind(s.k.Of, z, z), s.o.Compute); err != nil {
		return nil, err
	}
	ridge := math.Exp(theta[len(theta)-1]) * s.total
	c, err := krr.Gradient(s.ctx, k, s.y, ridge, s.o.by(), krr.PathOptions{NoIntercept: s.o.NoIntercept, Weights: s.weights, Compute: s.o.Compute})
	if err != nil {
		return nil, err
	}
	e := &evaluation{criterion: c.Value, judged: s.judged(c.Point)}
	slopes, err := s.inImages(z, c.DK, workers)
	if err != nil {
		return nil, err
	}
	if e.grad, _, err = network.Pull(s.ctx, s.xs, slopes, workers); err != nil {
		return nil, err
	}
	e.grad = append(e.grad, c.DRidge*ridge)
	scale := 1 / (float64(s.report.Rows) * float64(s.y.RawMatrix().Cols))
	if e.value = c.Value * scale; s.o.by() != krr.Evidence {
		e.value, scale = math.Log(c.Value)/2, 1/(2*c.Value)
	}
	for i := range e.grad {
		e.grad[i] *= scale
	}
	return e, nil
}

// judged returns the mean squared error of the rows that judge, over all targets.
func (s *search) judged(p *krr.Point) float64 {
	sum, total := 0.0, 0.0
	for _, i := range s.judging {
		w := model.Weight(s.o.Weights, i)
		total += w
		for _, r := range p.LOOResiduals.RawRowView(i) {
			sum += w * r * r
		}
	}
	return sum / total
}

// inImages returns the derivatives in the images.
func (s *search) inImages(z data.Vectors, dk *mat.SymDense, workers int) (data.Vectors, error) {
	raw, slopes := dk.RawSymmetric(), data.MakeVectors(z.Len(), z.Dim())
	for i := range raw.N {
		for j := range i {
			raw.Data[i*raw.Stride+j] = raw.Data[j*raw.Stride+i]
		}
	}
	m := kernel.Tile{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}
	err := gradients.EachOf(s.ctx, s.slope.Weighted(s.k.Of, z, m), z.Len(), z.Dim(), workers, func(_ int, rows []int, at *mat.Dense) {
		for r, i := range rows {
			for j, v := range at.RawRowView(r) {
				slopes.At(i)[j] = 2 * v
			}
		}
	})
	return slopes, err
}
