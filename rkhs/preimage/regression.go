package preimage

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Regressor learns a function from vectors to the rows of outputs.
type Regressor func(ctx context.Context, inputs data.Vectors, outputs *mat.Dense) (model.Predictor[[]float64], error)

// Ridge is kernel ridge regression of every output less its mean, with a kernel between
// vectors of scores and the penalty λ‖f‖² on (1/n) Σ (yᵢ − f(sᵢ))²: (K + nλI)α = y − ȳ.
func Ridge(k kernel.Kernel[[]float64], lambda float64, o compute.Options) Regressor {
	return func(ctx context.Context, inputs data.Vectors, outputs *mat.Dense) (model.Predictor[[]float64], error) {
		if !(lambda > 0) || math.IsInf(lambda, 1) {
			return nil, fmt.Errorf("preimage: lambda = %v is not a finite number > 0", lambda)
		}
		n, m := outputs.Dims()
		gramMatrix, err := gram.CopyDense(ctx, gram.Of(kernel.Bind(k, inputs, inputs), o), o)
		if err != nil {
			return nil, err
		}
		factor, err := linalg.Factor(ctx, gramMatrix, float64(n)*lambda, linalg.Options{Workers: o.Workers})
		if err != nil {
			return nil, fmt.Errorf("preimage: %w", err)
		}
		right, bias := mat.DenseCopyOf(outputs), make([]float64, m)
		for j := range bias {
			bias[j] = mat.Sum(outputs.ColView(j)) / float64(n)
			for i := range n {
				right.Set(i, j, outputs.At(i, j)-bias[j])
			}
		}
		coef := mat.NewDense(n, m, nil)
		if err := factor.Solve(ctx, coef, right); err != nil {
			return nil, err
		}
		return &model.Expansion[[]float64]{Kernel: k, Points: inputs, Coef: coef, Bias: bias}, nil
	}
}

// Learned maps scores to points by a regression on the training points: a pre-image is
// one evaluation, and no property of the kernel is needed.
type Learned struct {
	scores  *model.Expansion[[]float64]
	inverse model.Predictor[[]float64]
}

// Learn regresses the training points of e on their first q scores.
func Learn(ctx context.Context, e *model.Expansion[[]float64], q int, fit Regressor, o compute.Options) (*Learned, error) {
	if err := e.Check(); err != nil {
		return nil, fmt.Errorf("preimage: %w", err)
	}
	n, k := e.Coef.Dims()
	if q < 1 || q > k {
		return nil, fmt.Errorf("preimage: %d components of %d cannot be taken", q, k)
	}
	l := &Learned{scores: &model.Expansion[[]float64]{Kernel: e.Kernel, Points: e.Points, Coef: mat.DenseCopyOf(e.Coef.Slice(0, n, 0, q))}}
	if e.Bias != nil {
		l.scores.Bias = e.Bias[:q]
	}
	inputs, err := l.of(ctx, e.Points, o)
	if err != nil {
		return nil, err
	}
	outputs := mat.NewDense(n, len(e.Points.At(0)), nil)
	for i := range n {
		outputs.SetRow(i, e.Points.At(i))
	}
	if l.inverse, err = fit(ctx, inputs, outputs); err != nil {
		return nil, fmt.Errorf("preimage: learning the map from scores to points: %w", err)
	}
	return l, nil
}

// of returns the scores of points.
func (l *Learned) of(ctx context.Context, xs data.Set[[]float64], o compute.Options) (data.Vectors, error) {
	z, err := l.scores.Predict(ctx, xs, o)
	if err != nil {
		return data.Vectors{}, err
	}
	n, q := z.Dims()
	return data.NewVectors(n, q, z.RawMatrix().Data)
}

// PreImages implements [Method]: near holds the points whose projections the targets are.
func (l *Learned) PreImages(ctx context.Context, t *Targets[[]float64], near data.Set[[]float64]) ([]PreImage[[]float64], error) {
	if near == nil {
		return nil, fmt.Errorf("preimage: the learned map needs the points whose projections are sought")
	}
	if err := t.startsFit(near); err != nil {
		return nil, err
	}
	scores, err := l.of(ctx, near, t.compute)
	if err != nil {
		return nil, err
	}
	z, err := l.inverse.Predict(ctx, scores, t.compute)
	if err != nil {
		return nil, err
	}
	answers := make([]PreImage[[]float64], t.Len())
	for j := range answers {
		answers[j] = PreImage[[]float64]{Point: mat.Row(nil, j, z), Index: -1, Converged: true}
	}
	return t.withResiduals(ctx, answers)
}
