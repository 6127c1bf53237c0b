package task

import (
	"context"
	"fmt"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"gonum.org/v1/gonum/mat"
)

// ExpandAll returns f(x) = b + Σ αᵢ k(x, xᵢ) over all points.
func (l TypedPoints[T]) ExpandAll(coef *mat.Dense, bias []float64) Function {
	return NewFunction(l.Encoding, l.Kernel, model.Predictor[T](&model.Expansion[T]{Kernel: l.Kernel, Points: l.Set, Coef: coef, Bias: bias}))
}

func (l TypedPoints[T]) Expand(coef *mat.Dense, bias []float64) (Function, []int) {
	e := &model.Expansion[T]{Kernel: l.Kernel, Points: l.Set, Coef: coef, Bias: bias}
	return NewFunction(l.Encoding, l.Kernel, model.Predictor[T](e.Compact())), e.Support()
}

// Operator returns the Gram matrix of the points, that of a low-rank kernel as a product.
func (l TypedPoints[T]) Operator(ctx context.Context, o compute.Options) (gram.Symmetric, error) {
	if low, ok := l.Kernel.(approximated[T]); ok {
		return low.Operator(ctx, l.Set, o)
	}
	if xs, vectors := any(l.Set).(data.Set[[]float64]); l.Product && vectors {
		return gram.FeatureOperatorOf(ctx, xs.Len(), len(xs.At(0)), func(_ context.Context, dst *mat.Dense, from int) error {
			rows, _ := dst.Dims()
			for i := range rows {
				copy(dst.RawRowView(i), xs.At(from+i))
			}
			return nil
		}, o)
	}
	return gram.Of(l.Bind(), o), nil
}

func (l TypedPoints[T]) Features(rows *prep.Prepared) (f design.Matrix, ok bool, err error) {
	points := l.Set
	if rows != nil {
		if points, err = l.Of(rows); err != nil {
			return f, false, err
		}
	}
	f, ok = design.Of(l.Kernel, points)
	return f, ok, nil
}

// Space is where functions of the points are sought.
type Space struct {
	Space    space.Space
	Function func(theta *mat.Dense, bias []float64) Function
}

func (l TypedPoints[T]) Space(ctx context.Context, o space.Options) (*Space, error) {
	in, err := space.Of(ctx, l.Kernel, l.Set, o)
	if err != nil {
		return nil, err
	}
	return &Space{Space: in.Space, Function: func(theta *mat.Dense, bias []float64) Function {
		return NewFunction(l.Encoding, l.Kernel, in.Function(theta, bias))
	}}, nil
}

// Primal returns the functions ⟨wⱼ, x⟩ + bⱼ, wⱼ in the columns of w.
func (l TypedPoints[T]) Primal(w *mat.Dense, bias []float64) (Function, error) {
	f := &model.Primal[T]{Kernel: l.Kernel.(kernel.Mapped[T]), W: w, Bias: bias, Like: l.Set.At(0)}
	return NewFunction(l.Encoding, l.Kernel, model.Predictor[T](f)), f.Check()
}

// FromWeights returns the function of weights of the features: an expansion where these are on
// landmarks.
func (l TypedPoints[T]) FromWeights(ctx context.Context, w *mat.Dense, bias []float64) (Function, error) {
	of, err := l.Mapped()
	if err != nil {
		return Function{}, err
	}
	primal := &model.Primal[T]{Kernel: of, W: w, Bias: bias, Like: l.Set.At(0)}
	switch k := of.(type) {
	case *nystrom.Kernel[T]:
		e, err := k.Expand(ctx, w, bias)
		if err != nil {
			return Function{}, err
		}
		return NewFunction(l.Encoding, e.Kernel, model.Predictor[T](e)), nil
	case standing[T]:
		return NewFunction(l.Encoding, k.Of(), model.Predictor[T](primal)), nil
	}
	return NewFunction(l.Encoding, l.Kernel, model.Predictor[T](primal)), nil
}

// Mapped returns the kernel with its features.
func (l TypedPoints[T]) Mapped() (kernel.Mapped[T], error) {
	k, ok := l.Kernel.(kernel.Mapped[T])
	if !ok {
		return nil, fmt.Errorf("task: the kernel %s has no explicit features: approximate it by landmarks or features", l.Kernel)
	}
	return k, nil
}

// Design returns the explicit features of the rows for a method that learns in these, and whether
// it does.
func (p *Task) Design() (phi design.Matrix, explicit bool, err error) {
	if _, primal := p.Points.ChoosePrimal(space.Auto); p.Indefinite != "" || !primal {
		return phi, false, nil
	}
	return p.Points.Features(nil)
}

// Operator returns the Gram matrix of the rows. If the problem says what to do with an
// indefinite one, it is decomposed and treated.
func (p *Task) Operator(ctx context.Context, o compute.Options) (gram.Operator, *gram.Definite, error) {
	k, err := p.Points.Operator(ctx, o)
	if err != nil || p.Indefinite == "" {
		return k, nil, err
	}
	d, err := gram.MakeDefinite(ctx, k, p.Indefinite, o)
	if err != nil {
		return nil, nil, err
	}
	return gram.FromMatrix(d.K), d, nil
}

// Matrix returns the whole Gram matrix of the rows, treated where it is indefinite.
func (p *Task) Matrix(ctx context.Context, o compute.Options) (*mat.SymDense, error) {
	_, treated, err := p.Operator(ctx, o)
	if err != nil {
		return nil, err
	}
	if treated != nil {
		return treated.K, nil
	}
	return gram.Dense(ctx, p.Pairs(), o)
}
