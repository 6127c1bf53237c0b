package pipeline

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

// mixture is the function with the outputs ln π_j N(x | μ_j, Σ_j).
type mixture struct{ m *gmm.Mixture }

// function hides that this is a mixture.
func (f mixture) function() function { return function{f, f, f} }

func (f mixture) visit(v functionVisitor) { v.mixture(f) }

var errMixture = errors.New("pipeline: a mixture of Gaussians stands on means and covariances, and keeps no training rows")

func (f mixture) kind() string              { return onVectors }
func (f mixture) text() string              { return "" }
func (f mixture) derive() kernel.Derivation { return kernel.Derivation{} }
func (f mixture) graphs() map[string]string { return nil }
func (f mixture) form() string              { return formMixture }
func (f mixture) coef() *mat.Dense          { return nil }
func (f mixture) bias() []float64           { return nil }

func (f mixture) size() int { return f.m.Shape.Parameters(f.m.Means.Len(), f.m.Means.Dim()) }

func (f mixture) predict(ctx context.Context, rows *prep.Prepared, o compute.Options) (*mat.Dense, error) {
	return f.m.Joint(ctx, rows.X, o.WorkerCount())
}

func (f mixture) train() (kernel.Pairs, bool) { return nil, false }

func (f mixture) cross(*prep.Prepared, []int) (kernel.Pairs, error) { return nil, errMixture }

func (f mixture) selves(*prep.Prepared) (kernel.Pairs, error) { return nil, errMixture }

func (f mixture) diagonal([]float64, *prep.Prepared, []int) error { return errMixture }

func (f mixture) store(tensors map[string]model.Tensor) error {
	shape, err := json.Marshal(f.m.Shape)
	if err != nil {
		return err
	}
	tensors[tensorMixture], tensors[tensorMeans] = model.Bytes(shape), model.Vectors(f.m.Means)
	if tensors[tensorShares], err = model.Float64s(f.m.Weights, len(f.m.Weights)); err != nil {
		return err
	}
	if f.m.Variances.Len() > 0 {
		tensors[tensorVariances] = model.Vectors(f.m.Variances)
	}
	if count := len(f.m.Covariances); count > 0 {
		d := f.m.Means.Dim()
		stacked := mat.NewDense(count*d, d, nil)
		for t, c := range f.m.Covariances {
			stacked.Slice(t*d, (t+1)*d, 0, d).(*mat.Dense).Copy(c)
		}
		tensors[tensorCovariances] = model.Dense(stacked)
	}
	return nil
}

// decodeMixture reads a mixture on vectors of d numbers.
func decodeMixture(file *model.File, points string, outputs, d int) (function, error) {
	if points != onVectors {
		return function{}, errors.New("the model is a mixture, and its points or its decision are not those of one")
	}
	t, err := file.Tensor(tensorMixture)
	if err != nil {
		return function{}, err
	}
	text, err := t.Bytes()
	if err != nil {
		return function{}, fmt.Errorf("tensor %q: %w", tensorMixture, err)
	}
	m := &gmm.Mixture{}
	if err := json.Unmarshal(text, &m.Shape); err != nil {
		return function{}, fmt.Errorf("tensor %q: %w", tensorMixture, err)
	}
	if m.Weights, err = file.Floats(tensorShares, outputs); err != nil {
		return function{}, err
	}
	if m.Means, err = file.Vectors(tensorMeans, outputs, d); err != nil {
		return function{}, err
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
		return function{}, err
	}
	// One density shows whether the covariances are positive definite.
	_, err = m.Joint(context.Background(), data.MakeVectors(1, d), 1)
	return mixture{m}.function(), err
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

func (f mixture) remapped(context.Context, *prep.Prepared, compute.Options) (learner, error) {
	return learner{}, errMixture
}

func (f mixture) regrown([]int, *prep.Prepared) (learner, error) {
	return learner{}, errors.New("pipeline: a mixture of Gaussians keeps no training rows")
}

// mixtureOf returns the mixture that a function is, if it is one.
func mixtureOf(f function) (found mixture, ok bool) {
	f.visit(functionVisitor{func(fitted[[]float64]) {}, func(fitted[string]) {}, func(fitted[record.Record]) {}, func(f mixture) { found, ok = f, true }})
	return found, ok
}
