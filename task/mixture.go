package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/gmm"
)

// The tensors of a mixture in a model file, of k components in d dimensions.
const (
	tensorMixture     = "mixture"             // bytes: the shape, JSON
	tensorShares      = "mixture.weights"     // k
	tensorMeans       = "mixture.means"       // k×d
	tensorCovariances = "mixture.covariances" // kd×d (full), d×d (tied)
	tensorVariances   = "mixture.variances"   // k×d (diagonal), k×1 (spherical)
)

// Mixture is the function with the outputs ln π_j N(x | μ_j, Σ_j).
type Mixture struct{ Gaussians *gmm.Mixture }

// Any hides that this is a mixture.
func (f Mixture) Any() Function { return Function{f, f, f} }

func (f Mixture) Visit(v FunctionVisitor) { v.Mixture(f) }

var ErrMixture = errors.New("task: a mixture of Gaussians stands on means and covariances, and keeps no training rows")

func (f Mixture) Kind() string              { return OnVectors }
func (f Mixture) Text() string              { return "" }
func (f Mixture) Derive() kernel.Derivation { return kernel.Derivation{} }
func (f Mixture) Graphs() map[string]string { return nil }
func (f Mixture) Form() string              { return FormMixture }
func (f Mixture) Coef() *mat.Dense          { return nil }
func (f Mixture) Bias() []float64           { return nil }

func (f Mixture) Size() int {
	return f.Gaussians.Shape.Parameters(f.Gaussians.Means.Len(), f.Gaussians.Means.Dim())
}

func (f Mixture) Predict(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error) {
	return f.Gaussians.Joint(ctx, rows.X, o.WorkerCount())
}

func (f Mixture) Train() (kernel.Pairs, bool) { return nil, false }

func (f Mixture) Cross(*prep.Prepared, []int) (kernel.Pairs, error) { return nil, ErrMixture }

func (f Mixture) BindRows(*prep.Prepared) (kernel.Pairs, error) { return nil, ErrMixture }

func (f Mixture) Diagonal([]float64, *prep.Prepared, []int) error { return ErrMixture }

func (f Mixture) Store(tensors map[string]model.Tensor) error {
	shape, err := json.Marshal(f.Gaussians.Shape)
	if err != nil {
		return err
	}
	tensors[tensorMixture], tensors[tensorMeans] = model.Bytes(shape), model.Vectors(f.Gaussians.Means)
	if tensors[tensorShares], err = model.Float64s(f.Gaussians.Weights, len(f.Gaussians.Weights)); err != nil {
		return err
	}
	if f.Gaussians.Variances.Len() > 0 {
		tensors[tensorVariances] = model.Vectors(f.Gaussians.Variances)
	}
	if count := len(f.Gaussians.Covariances); count > 0 {
		d := f.Gaussians.Means.Dim()
		stacked := mat.NewDense(count*d, d, nil)
		for t, c := range f.Gaussians.Covariances {
			stacked.Slice(t*d, (t+1)*d, 0, d).(*mat.Dense).Copy(c)
		}
		tensors[tensorCovariances] = model.Dense(stacked)
	}
	return nil
}

// decodeMixture reads a mixture on vectors of d numbers.
func decodeMixture(file *model.File, points string, outputs, d int) (Function, error) {
	if points != OnVectors {
		return Function{}, errors.New("the model is a mixture, and its points or its decision are not those of one")
	}
	t, err := file.Tensor(tensorMixture)
	if err != nil {
		return Function{}, err
	}
	text, err := t.Bytes()
	if err != nil {
		return Function{}, fmt.Errorf("tensor %q: %w", tensorMixture, err)
	}
	m := &gmm.Mixture{}
	if err := json.Unmarshal(text, &m.Shape); err != nil {
		return Function{}, fmt.Errorf("tensor %q: %w", tensorMixture, err)
	}
	if m.Weights, err = file.Floats(tensorShares, outputs); err != nil {
		return Function{}, err
	}
	if m.Means, err = file.Vectors(tensorMeans, outputs, d); err != nil {
		return Function{}, err
	}
	switch m.Shape {
	case gmm.Diagonal:
		m.Variances, err = file.Vectors(tensorVariances, outputs, d)
	case gmm.Spherical:
		m.Variances, err = file.Vectors(tensorVariances, outputs, 1)
	case gmm.Full:
		m.Covariances, err = covariances(file, outputs, d)
	case gmm.Tied:
		m.Covariances, err = covariances(file, 1, d)
	}
	if err != nil {
		return Function{}, err
	}
	// One density shows whether the covariances are positive definite.
	_, err = m.Joint(context.Background(), data.MakeVectors(1, d), 1)
	return Mixture{m}.Any(), err
}

// covariances reads count symmetric matrices of order d, one below the other.
func covariances(file *model.File, count, d int) ([]*mat.SymDense, error) {
	stacked, err := file.Matrix(tensorCovariances, count*d, d)
	if err != nil {
		return nil, err
	}
	out := make([]*mat.SymDense, count)
	for t := range out {
		out[t] = mat.NewSymDense(d, nil)
		for a := range d {
			for b := a; b < d; b++ {
				out[t].SetSym(a, b, stacked.At(t*d+a, b))
			}
		}
	}
	return out, nil
}

func (f Mixture) Remapped(context.Context, *prep.Prepared, compute.Options) (Points, error) {
	return Points{}, ErrMixture
}

func (f Mixture) Regrown([]int, *prep.Prepared) (Points, error) {
	return Points{}, errors.New("task: a mixture of Gaussians keeps no training rows")
}

// MixtureOf returns the mixture that a function is, if it is one.
func MixtureOf(f Function) (found Mixture, ok bool) {
	f.Visit(FunctionVisitor{func(TypedFunction[[]float64]) {}, func(TypedFunction[string]) {}, func(TypedFunction[record.Record]) {}, func(f Mixture) { found, ok = f, true }})
	return found, ok
}
