package pipeline

import (
	"context"
	"fmt"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"gonum.org/v1/gonum/mat"
)

func (l learning[T]) whole(coef *mat.Dense, bias []float64) function {
	return newFitted(l.space, l.kernel, model.Predictor[T](&model.Expansion[T]{Kernel: l.kernel, Points: l.points, Coef: coef, Bias: bias}))
}

func (l learning[T]) expand(coef *mat.Dense, bias []float64) (function, []int) {
	e := &model.Expansion[T]{Kernel: l.kernel, Points: l.points, Coef: coef, Bias: bias}
	return newFitted(l.space, l.kernel, model.Predictor[T](e.Compact())), e.Support()
}

// operator returns the Gram matrix of the points, that of a low-rank kernel as a product.
func (l learning[T]) operator(ctx context.Context, o compute.Options) (gram.Symmetric, error) {
	if low, ok := l.kernel.(approximated[T]); ok {
		return low.Operator(ctx, l.points, o)
	}
	if xs, vectors := any(l.points).(data.Set[[]float64]); l.product && vectors {
		return gram.OfFeatures(ctx, xs.Len(), len(xs.At(0)), func(_ context.Context, dst *mat.Dense, from int) error {
			rows, _ := dst.Dims()
			for i := range rows {
				copy(dst.RawRowView(i), xs.At(from+i))
			}
			return nil
		}, o)
	}
	return gram.Of(l.bind(), o), nil
}

func (l learning[T]) features(rows *prep.Prepared) (f gram.Design, ok bool, err error) {
	points := l.points
	if rows != nil {
		if points, err = l.of(rows); err != nil {
			return f, false, err
		}
	}
	f, ok = gram.DesignOf(l.kernel, points)
	return f, ok, nil
}

func (l learning[T]) choosePrimal(s krr.Solver) (dim int, primal bool) {
	return krr.ChoosePrimal(l.kernel, l.points, s)
}

// primal returns the functions ⟨wⱼ, x⟩ + bⱼ, wⱼ in the columns of w.
func (l learning[T]) primal(w *mat.Dense, bias []float64) (function, error) {
	f := &model.Primal[T]{Kernel: l.kernel.(kernel.Mapped[T]), W: w, Bias: bias, Like: l.points.At(0)}
	return newFitted(l.space, l.kernel, model.Predictor[T](f)), f.Check()
}

// weighing returns the function of weights of the features: an expansion where these are on
// landmarks.
func (l learning[T]) weighing(ctx context.Context, w *mat.Dense, bias []float64) (function, error) {
	of, err := l.mapped()
	if err != nil {
		return function{}, err
	}
	primal := &model.Primal[T]{Kernel: of, W: w, Bias: bias, Like: l.points.At(0)}
	switch k := of.(type) {
	case *nystrom.Kernel[T]:
		e, err := k.Expand(ctx, w, bias)
		if err != nil {
			return function{}, err
		}
		return newFitted(l.space, e.Kernel, model.Predictor[T](e)), nil
	case *randomfeatures.Kernel[T]:
		return newFitted(l.space, k.Of(), model.Predictor[T](primal)), nil
	}
	return newFitted(l.space, l.kernel, model.Predictor[T](primal)), nil
}

// mapped returns the kernel with its features.
func (l learning[T]) mapped() (kernel.Mapped[T], error) {
	k, ok := l.kernel.(kernel.Mapped[T])
	if !ok {
		return nil, fmt.Errorf("pipeline: the kernel %s has no explicit features: approximate it by landmarks or features", l.kernel)
	}
	return k, nil
}

// design returns the explicit features of the rows for a method that learns in these, and whether
// it does.
func (p *Problem) design() (phi gram.Design, explicit bool, err error) {
	if _, primal := p.points.choosePrimal(krr.Auto); p.Indefinite != "" || !primal {
		return phi, false, nil
	}
	return p.points.features(nil)
}

// operator returns the Gram matrix of the rows. If the problem says what to do with an
// indefinite one, it is decomposed and treated.
func (p *Problem) operator(ctx context.Context, o compute.Options) (gram.Operator, *gram.Definite, error) {
	k, err := p.points.operator(ctx, o)
	if err != nil || p.Indefinite == "" {
		return k, nil, err
	}
	d, err := gram.MakeDefinite(ctx, k, p.Indefinite, o)
	if err != nil {
		return nil, nil, err
	}
	return gram.FromMatrix(d.K), d, nil
}

// matrix returns the whole Gram matrix of the rows, treated where it is indefinite.
func (p *Problem) matrix(ctx context.Context, o compute.Options) (*mat.SymDense, error) {
	_, treated, err := p.operator(ctx, o)
	if err != nil {
		return nil, err
	}
	if treated != nil {
		return treated.K, nil
	}
	return gram.Dense(ctx, p.Pairs(), o)
}
