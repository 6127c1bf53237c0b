package klr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// leverageRounding is the relative size of a difference that is rounding: a leverage
// that is nearer to 1 cannot be told from 1.
const leverageRounding = 1e-13

// point computes standard errors and leave-one-out values.
func (j *job) point(ctx context.Context, s space.Space, f *space.Function) (*Point, error) {
	n, outs := f.Values.Dims()
	eta, g := mat.DenseCopyOf(f.Values), mat.NewDense(n, outs, nil)
	f.Predictor(eta)
	j.model.Gradient(g, eta)
	p := &Point{Leverage: make([]float64, n)}
	loo := j.values(f)
	var err error
	if softmax, ok := j.model.(*newton.Multinomial); ok {
		err = j.coupled(ctx, s, softmax, eta, g, p, loo)
	} else {
		err = j.single(ctx, s, eta, g, p, loo)
	}
	if err != nil {
		return nil, err
	}
	for _, h := range p.Leverage {
		p.DOF += h
	}
	p.LOOValues = append([]float64(nil), loo.RawMatrix().Data...)
	p.LOODeviance, p.LOOAccuracy = j.judge(loo)
	return p, nil
}

// single is [job.point] for two classes: loo += g·c/(1 − vc).
func (j *job) single(ctx context.Context, s space.Space, eta, g *mat.Dense, p *Point, loo *mat.Dense) error {
	v := make([]float64, len(j.y))
	j.model.Weigh(v, eta)
	factor, _, err := s.Weigh(ctx, v, j.report.Ridge, !j.o.NoIntercept, nil)
	if err != nil {
		return j.explain(err)
	}
	p.StandardErrors = make([]float64, len(v))
	if err := factor.Variances(ctx, p.StandardErrors); err != nil {
		return err
	}
	for i, c := range p.StandardErrors {
		h := v[i] * c
		if h > 1-leverageRounding {
			return undetermined(i)
		}
		p.Leverage[i] = h
		loo.Set(i, 0, loo.At(i, 0)+g.At(i, 0)*c/(1-h))
		p.StandardErrors[i] = math.Sqrt(c)
	}
	return nil
}

// undetermined is the error of a row whose own label alone decides its fitted value.
func undetermined(row int) error {
	return fmt.Errorf("klr: row %d has no leave-one-out value: its leverage is 1 to rounding, because it has nearly all the weight or a feature that no other row has; give a larger λ or leave out LOO", row)
}
