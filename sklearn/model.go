package sklearn

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/sklearn/skops"
	"example.org/mercer/supervised/svm"
)

// Answer says what the outputs of a model mean.
type Answer int

// What outputs mean.
const (
	Numbers     Answer = iota // targets
	Classes                   // one for each class, of which the largest wins, or one for two classes
	Votes                     // one for each pair of classes, whose votes [Model.Rule] counts
	Members                   // what is ≥ 0 belongs
	Components                // scores of principal components
	Coordinates               // features of a map
)

// Model is what a file holds.
type Model struct {
	Class   string // of the estimator, such as "SVC"
	Version string // of scikit-learn

	// Columns are the names of the columns that it was fitted with; nil: they had none. Width is
	// their number.
	Columns []string
	Width   int
	// Features are the coordinates of its points, in its order.
	Features []Feature

	Answer Answer
	// Labels are those of the classes, in the order of the outputs; nil: there are no classes.
	Labels []string
	// Softmax says that the outputs of Classes are the logarithms of shares.
	Softmax bool
	// Vectors is the kind of a support vector machine; "" for others. Rule is that of Votes, by the
	// places of Labels.
	Vectors svm.Type
	Rule    *svm.Decision
	// Process and Latent are what Gaussian processes have beside their means; nil for others.
	Process *Process
	Latent  *Latent
	// Warnings are what the file has and the model does not.
	Warnings []string

	kernel kernelOn
	points *mat.Dense // one row each, in the order of Features
	coef   *mat.Dense
	bias   []float64
}

// Process is a regression by a Gaussian process, in the units of its target.
type Process struct {
	Noise       float64   // σ² of an observation
	Targets     []float64 // of the points, less the mean
	LogEvidence float64
	Residual    float64 // ‖Kα + σ²α − y‖/‖y‖, computed here
}

// Latent is the classification of two classes by Laplace's method.
type Latent struct {
	Classes     []int // of the points: 0 or 1
	LogEvidence float64
	Likelihood  float64 // ln P(y|f), computed here
	Accuracy    float64 // of the points, computed here
}

// kernelOn makes a kernel for points whose coordinate j is the feature order[j].
type kernelOn func(order []int) vec.Kernel

// Read reads a file of the given size. name is what messages call it. Memory comes from the budget,
// nil for any. Errors name the class, the attribute or the setting that is not known.
func Read(ctx context.Context, name string, r io.ReaderAt, size int64, budget *data.Budget) (*Model, error) {
	root, err := skops.Open(name, r, size, budget)
	if err != nil {
		return nil, err
	}
	in := &reader{ctx: ctx, model: &Model{}}
	in.pipeline(root)
	in.coordinates(root)
	if err := root.Err(); err != nil {
		return nil, err
	}
	if in.model.points == nil {
		root.Failf("is a %s, which only prepares columns: there is nothing to predict", root.Qualified())
		return nil, root.Err()
	}
	if err := in.model.check(ctx); err != nil {
		return nil, err
	}
	return in.model, nil
}

// Expansion returns the function on points whose coordinate j is the feature order[j]; −1 stands
// for a coordinate that the model does not look at. names are those of the coordinates.
func (m *Model) Expansion(order []int, names []string) (*model.Expansion[[]float64], error) {
	var at, seen []int
	for j, f := range order {
		if f < 0 {
			continue
		}
		if f >= len(m.Features) || slices.Contains(seen, f) {
			return nil, fmt.Errorf("sklearn: feature %d of %d is not there, or there twice", f, len(m.Features))
		}
		at, seen = append(at, j), append(seen, f)
	}
	if len(seen) != len(m.Features) {
		return nil, fmt.Errorf("sklearn: the model has %d features, and %d of them were placed", len(m.Features), len(seen))
	}
	n, _ := m.points.Dims()
	points := data.MakeVectors(n, len(order))
	for i := range n {
		for c, j := range at {
			points.At(i)[j] = m.points.At(i, seen[c])
		}
	}
	k := m.kernel(seen)
	if len(at) < len(order) {
		k = vec.Columns{Of: k, Index: at, Patterns: data.Pick(names, at), Names: data.Pick(names, at)}
	}
	return &model.Expansion[[]float64]{Kernel: k, Points: points, Coef: m.coef, Bias: m.bias}, nil
}

// own returns the function in the order of the model itself.
func (m *Model) own() (*model.Expansion[[]float64], error) {
	order := make([]int, len(m.Features))
	for j := range order {
		order[j] = j
	}
	return m.Expansion(order, nil)
}

// Points is the number of points that the function stands on.
func (m *Model) Points() int {
	n, _ := m.points.Dims()
	return n
}

// Coefficients are those of the points, one column for each output.
func (m *Model) Coefficients() mat.Matrix { return m.coef }
