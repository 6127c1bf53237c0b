package task

import (
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/manifold"
)

// The tensors of a map of a surface in a model file, for n training points in m coordinates, beside
// the points and, as coefficients and constants, coordinates and offsets.
const (
	tensorMap     = "map"         // bytes: the shape, JSON
	tensorFactors = "map.factors" // n×m
	tensorSteps   = "map.shares"  // n
	tensorRadii   = "map.radii"   // n
	tensorPaths   = "map.paths"   // n(n−1)/2: the lower triangle without its diagonal, row by row
)

// placing is a function that places points among the training points by a map of these.
type placing[T any] struct {
	TypedFunction[T]
	by *manifold.Map
}

// Placing returns the function of a map that was found of the points of the task.
func (p *Task) Placing(m *manifold.Map) (f Function) {
	p.Points.Visit(Visitor{
		Vectors: func(l TypedPoints[[]float64]) { f = placingOn(l, m) },
		IDs:     func(l TypedPoints[string]) { f = placingOn(l, m) },
		Records: func(l TypedPoints[record.Record]) { f = placingOn(l, m) },
	})
	return f
}

func placingOn[T any](l TypedPoints[T], m *manifold.Map) Function {
	e := &manifold.Embedding[T]{Kernel: l.Kernel, Points: l.Set, Map: m}
	f := placing[T]{TypedFunction: TypedFunction[T]{Encoding: l.Encoding, Kernel: l.Kernel, Predictor: e}, by: m}
	f.bound = func() (model.Predictor[T], error) { return e, nil }
	return Function{f, f, f}
}

// errPlacing is why a map cannot do what an expansion can.
var errPlacing = errors.New("task: the model places points among its training points, by a rule that is no function in the space of the kernel; embed kpca finds one that is")

func (f placing[T]) Form() string     { return formMap }
func (f placing[T]) Coef() *mat.Dense { return nil }
func (f placing[T]) Bias() []float64  { return make([]float64, f.Predictor.Outputs()) }

func (f placing[T]) Size() int {
	n, _ := f.by.Coordinates.Dims()
	return n
}

// Store puts the training points and their map among the tensors of a file.
func (f placing[T]) Store(tensors map[string]model.Tensor) error {
	shape, err := json.Marshal(f.by.Shape)
	if err != nil {
		return err
	}
	bias := f.by.Offsets
	if bias == nil {
		bias = f.Bias()
	}
	tensors[tensorMap], tensors[tensorCoef] = model.Bytes(shape), model.Dense(f.by.Coordinates)
	if f.by.Factors != nil {
		tensors[tensorFactors] = model.Dense(f.by.Factors)
	}
	problems := []error{storeSet(any(f.Predictor.(*manifold.Embedding[T]).Points), tensors)}
	for name, numbers := range map[string][]float64{tensorBias: bias, tensorSteps: f.by.Shares, tensorRadii: f.by.Radii, tensorPaths: lowerOf(f.by.Paths)} {
		if numbers != nil {
			tensors[name], err = model.Float64s(numbers, len(numbers))
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// lowerOf returns what is below the diagonal; nil of nil.
func lowerOf(m *mat.Dense) (lower []float64) {
	if m == nil {
		return nil
	}
	n, _ := m.Dims()
	lower = make([]float64, 0, n*(n-1)/2)
	for i := range n {
		lower = append(lower, m.RawRowView(i)[:i]...)
	}
	return lower
}

// readMap reads a map of points in so many coordinates.
func readMap(file *model.File, outputs int) (*manifold.Map, error) {
	t, err := file.Tensor(tensorMap)
	if err != nil {
		return nil, err
	}
	text, err := t.Bytes()
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorMap, err)
	}
	m := &manifold.Map{}
	if err := json.Unmarshal(text, &m.Shape); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorMap, err)
	}
	if m.Coordinates, err = file.Matrix(tensorCoef, -1, outputs); err != nil {
		return nil, err
	}
	n, _ := m.Coordinates.Dims()
	if file.Has(tensorFactors) {
		if m.Factors, err = file.Matrix(tensorFactors, n, outputs); err != nil {
			return nil, err
		}
	}
	if m.Shape.Method.Scales() {
		if m.Offsets, err = file.Floats(tensorBias, outputs); err != nil {
			return nil, err
		}
	}
	for name, to := range map[string]*[]float64{tensorSteps: &m.Shares, tensorRadii: &m.Radii} {
		if file.Has(name) {
			if *to, err = file.Floats(name, n); err != nil {
				return nil, err
			}
		}
	}
	if file.Has(tensorPaths) {
		lower, err := file.Floats(tensorPaths, n*(n-1)/2)
		if err != nil {
			return nil, err
		}
		m.Paths = mat.NewDense(n, n, nil)
		for i := range n {
			for j := range i {
				m.Paths.Set(i, j, lower[i*(i-1)/2+j])
				m.Paths.Set(j, i, lower[i*(i-1)/2+j])
			}
		}
	}
	return m, m.Check()
}
