package libsvm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
)

// Kernel is a kernel as LIBSVM parametrises it.
type Kernel struct {
	Type   string // linear, polynomial, rbf, sigmoid or precomputed
	Degree int
	Gamma  float64
	Coef0  float64
}

// Model is the content of a model file.
type Model struct {
	Type   svm.Type
	Kernel Kernel
	// Labels are the labels of the classes in LIBSVM's order, that of the problems; nil
	// for regression and one class.
	Labels []int
	// Rho holds what is subtracted from the value of each problem.
	Rho []float64
	// Count holds the number of support vectors of each class, which stand together.
	Count []int
	// Coef has a row for each support vector and a column for each class but one (one
	// column without classes): the vector of class i has its coefficient in the problem
	// (i, j) in column j−1 where i < j, and in column j where i > j.
	Coef *mat.Dense
	// Points are the support vectors, nil for a precomputed kernel, where Rows numbers
	// them in the training matrix, from 1.
	Points *data.Sparse
	Rows   []int
	// ProbA, ProbB and Density are what LIBSVM needs for probabilities, kept as they are.
	ProbA, ProbB, Density []float64
}

// classes returns the number of classes, 2 where LIBSVM counts two without labels.
func (m *Model) classes() int { return max(2, len(m.Labels)) }

// problems yields the pairs of classes in LIBSVM's order.
func problems(classes int) func(yield func(i, j int) bool) {
	return func(yield func(i, j int) bool) {
		for i := range classes {
			for j := i + 1; j < classes; j++ {
				if !yield(i, j) {
					return
				}
			}
		}
	}
}

// kernel returns the kernel on vectors. A precomputed one is an error.
func (k Kernel) kernel() (kernel.Kernel[[]float64], error) {
	switch k.Type {
	case "linear":
		return vec.Linear{}, nil
	case "polynomial":
		return vec.Poly{Degree: k.Degree, Offset: k.Coef0, Scale: k.Gamma}, nil
	case "rbf":
		return vec.RBF{Sigma: math.Sqrt(0.5 / k.Gamma)}, nil
	case "sigmoid":
		return vec.Tanh{Scale: k.Gamma, Offset: k.Coef0}, nil
	}
	return nil, fmt.Errorf("libsvm: a model with the kernel %q has no points: use Spread with the rows of its matrix", k.Type)
}

// kernelOf returns the kernel as LIBSVM writes it.
func kernelOf(k kernel.Kernel[[]float64]) (Kernel, error) {
	switch k := k.(type) {
	case vec.Linear:
		return Kernel{Type: "linear"}, nil
	case vec.Poly:
		degree, scale := k.Degree, k.Scale
		if degree == 0 {
			degree = 2
		}
		if scale == 0 {
			scale = 1
		}
		return Kernel{Type: "polynomial", Degree: degree, Gamma: scale, Coef0: k.Offset}, nil
	case vec.RBF:
		sigma := k.Sigma
		if sigma == 0 {
			sigma = 1
		}
		if k.Widths == nil {
			return Kernel{Type: "rbf", Gamma: 0.5 / sigma / sigma}, nil
		}
	case vec.Tanh:
		scale := k.Scale
		if scale == 0 {
			scale = 1
		}
		return Kernel{Type: "sigmoid", Gamma: scale, Coef0: k.Offset}, nil
	}
	return Kernel{}, fmt.Errorf("libsvm: LIBSVM has no kernel %s: it knows linear(), poly(…), rbf(…) with one width, and tanh(…); export a Gram matrix instead (-t 4)", k)
}

// Spread returns the coefficients of the problems, a row for each support vector and a
// column for each pair of classes, their biases, and the rule that makes a class of their
// values: the number of a class is its place in Labels. The rule is nil without classes.
func (m *Model) Spread() (coef *mat.Dense, bias []float64, rule *svm.Decision) {
	total, _ := m.Coef.Dims()
	bias = make([]float64, len(m.Rho))
	for j, rho := range m.Rho {
		bias[j] = -rho
	}
	if m.Labels == nil {
		return m.Coef, bias, nil
	}
	start := make([]int, len(m.Count)+1)
	for i, count := range m.Count {
		start[i+1] = start[i] + count
	}
	coef = mat.NewDense(total, len(m.Rho), nil)
	rule, at := &svm.Decision{Scheme: svm.OneVsOne}, 0
	for i, j := range problems(m.classes()) {
		for s := start[i]; s < start[i+1]; s++ {
			coef.Set(s, at, m.Coef.At(s, j-1))
		}
		for s := start[j]; s < start[j+1]; s++ {
			coef.Set(s, at, m.Coef.At(s, i))
		}
		rule.Positive, rule.Negative = append(rule.Positive, i), append(rule.Negative, j)
		at++
	}
	for i := range m.Labels {
		rule.Order = append(rule.Order, i)
	}
	return coef, bias, rule
}

// Expansion returns the function of the model on vectors of dim coordinates; 0 takes the
// largest index of its support vectors. Rule is as in [Model.Spread]. Its values are
// those of LIBSVM up to the rounding of sums.
func (m *Model) Expansion(dim int) (f *model.Expansion[[]float64], rule *svm.Decision, err error) {
	k, err := m.Kernel.kernel()
	if err != nil {
		return nil, nil, err
	}
	if dim == 0 {
		dim = m.Points.Dim()
	}
	if dim < m.Points.Dim() {
		return nil, nil, fmt.Errorf("libsvm: the support vectors have %d coordinates, more than the %d that are wanted", m.Points.Dim(), dim)
	}
	xs := data.MakeVectors(m.Points.Len(), dim)
	for i := range xs.Len() {
		p := m.Points.At(i)
		for a, j := range p.Index {
			xs.At(i)[j] = p.Value[a]
		}
	}
	coef, bias, rule := m.Spread()
	return &model.Expansion[[]float64]{Kernel: k, Points: xs, Coef: coef, Bias: bias}, rule, nil
}
