package task

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/manifold"
	"gonum.org/v1/gonum/mat"
)

// The names of the tensors of a function in a model file.
const (
	tensorPoints = "points" // n×d: training rows after preparation (points "vectors")
	TensorIDs    = "ids"    // bytes: ids or numbers of the training rows, a JSON list (dual form)
	tensorCoef   = "coef"   // n×m in dual form, D×m in primal form
	tensorBias   = "bias"   // m
)

// StoredFunction is what the text part of a model file says of its function.
type StoredFunction struct {
	Points string // the kind of points
	Kernel string
	Form   string // one of [FormDual], [FormPrimal], [FormMixture], [formTree] and [formMap]
	Prep   *prep.Pipeline
	// Graphs holds the SHA-256 of the ids and weights of every graph that the kernel names.
	Graphs map[string]string
	// FeatureMap is that by which the kernel was replaced; nil: by none.
	FeatureMap *FeatureMap

	surface *manifold.Map // of [formMap]
}

// Decode reads the kernel, the points and the coefficients.
func (c StoredFunction) Decode(file *model.File, outputs int, files Files) (Function, error) {
	if c.Form == FormMixture {
		return decodeMixture(file, c.Points, outputs, len(SchemaOf(c.Prep).Names))
	}
	var bias []float64
	var err error
	if c.Form != formTree { // whose leaves have their own
		if bias, err = file.Floats(tensorBias, outputs); err != nil {
			return Function{}, err
		}
	}
	k, err := Parse(c.Kernel)
	if err != nil {
		return Function{}, err
	}
	if c.Form == formTree && c.Points != OnVectors {
		return Function{}, fmt.Errorf("the model is a tree, and its points are %q: a tree divides vectors", c.Points)
	}
	if c.FeatureMap != nil {
		if err := c.FeatureMap.read(file); err != nil {
			return Function{}, err
		}
	}
	if c.Form == formMap {
		if c.surface, err = readMap(file, outputs); err != nil {
			return Function{}, err
		}
	}
	switch c.Points {
	case OnVectors:
		return c.decodeOnVectors(file, k, bias, outputs)
	case OnRowIDs:
		return c.decodeOnIDs(file, k, bias, files)
	case OnRecords:
		return c.decodeOnRecords(file, k, bias)
	}
	return Function{}, fmt.Errorf("the model's points are %q, which this version (%s) does not know", c.Points, model.Version)
}

func (c StoredFunction) decodeOnVectors(file *model.File, parsed Parsed, bias []float64, outputs int) (Function, error) {
	schema := SchemaOf(c.Prep)
	k, err := expr.Build(parsed.Node, vec.Dictionary(schema))
	if err != nil {
		return Function{}, err
	}
	if c.Form == formTree {
		return decodeTree(file, k, outputs, len(schema.Names))
	}
	like := make([]float64, len(schema.Names))
	var points data.Vectors
	rows := -1
	if standsOnRows(c.Form) {
		if points, err = readPoints(file, -1, len(schema.Names)); err != nil {
			return Function{}, err
		}
		rows = points.Len()
	}
	coef, err := coefficients(file, rows, len(bias))
	if err != nil {
		return Function{}, err
	}
	return rebuild(c, VectorEncoding, k, points, like, coef, bias)
}

func (c StoredFunction) decodeOnIDs(file *model.File, parsed Parsed, bias []float64, files Files) (Function, error) {
	k, l, err := idKernel(context.Background(), parsed, files)
	if err != nil {
		return Function{}, err
	}
	if err := l.Check(c.Graphs); err != nil {
		return Function{}, err
	}
	ids, err := TrainingIDs(file)
	if err != nil {
		return Function{}, err
	}
	coef, err := coefficients(file, len(ids), len(bias))
	if err != nil {
		return Function{}, err
	}
	return rebuild(c, idEncoding, k, data.Set[string](data.Slice[string](ids)), "", coef, bias)
}

func (c StoredFunction) decodeOnRecords(file *model.File, parsed Parsed, bias []float64) (Function, error) {
	k, schema, err := recordKernel(parsed, c.Prep)
	if err != nil {
		return Function{}, err
	}
	var points *record.Records // a primal form has none
	rows := -1
	if standsOnRows(c.Form) {
		if points, err = decodeRecords(file, schema); err != nil {
			return Function{}, err
		}
		rows = points.Rows
	}
	coef, err := coefficients(file, rows, len(bias))
	if err != nil {
		return Function{}, err
	}
	like := record.Record{Numbers: make([]float64, len(schema.Numbers.Names)), Cells: make([]any, len(schema.Slots))}
	return rebuild(c, recordEncoding(schema, points), k, data.Set[record.Record](points), like, coef, bias)
}

func coefficients(file *model.File, rows, outputs int) (*mat.Dense, error) {
	return file.Matrix(tensorCoef, rows, outputs)
}

func TrainingIDs(file *model.File) ([]string, error) {
	t, err := file.Tensor(TensorIDs)
	if err != nil {
		return nil, err
	}
	raw, err := t.Bytes()
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", TensorIDs, err)
	}
	var ids []string
	if err := json.NewDecoder(strings.NewReader(string(raw))).Decode(&ids); err != nil {
		return nil, fmt.Errorf("tensor %q is not a list of ids: %w", TensorIDs, err)
	}
	return ids, nil
}

// Store puts coefficients, biases and training vectors among the tensors of the file; ids
// are kept there for every model.
func (f TypedFunction[T]) Store(tensors map[string]model.Tensor) (err error) {
	tensors[tensorCoef] = model.Dense(f.Coef())
	if e, ok := f.Predictor.(*model.Expansion[T]); ok {
		if err := storeSet(any(e.Points), tensors); err != nil {
			return err
		}
	}
	if p, ok := f.Predictor.(*model.Primal[T]); ok {
		if err := storeFilters(p.Kernel, tensors); err != nil {
			return err
		}
	}
	bias := f.Bias()
	if bias == nil { // of 0
		_, outputs := f.Coef().Dims()
		bias = make([]float64, outputs)
	}
	tensors[tensorBias], err = model.Float64s(bias, len(bias))
	return err
}

// storeSet puts training points among the tensors that are more than their ids.
func storeSet(points any, tensors map[string]model.Tensor) error {
	switch points := points.(type) {
	case data.Vectors:
		return storePoints(points, tensors)
	case *record.Records:
		return storeRecords(points, tensors)
	}
	return nil
}

// Prepared returns the points of the function as prepared rows, where it has some that are vectors
// and features of the table.
func (f Function) Prepared(steps *prep.Pipeline) (rows *prep.Prepared, ok bool) {
	on, ok := VectorEncoding.FunctionOf(f)
	if !ok {
		return nil, false
	}
	e, ok := on.Predictor.(*model.Expansion[[]float64])
	if !ok {
		return nil, false
	}
	xs, ok := e.Points.(data.Vectors)
	return &prep.Prepared{X: xs}, ok && xs.Dim() == len(SchemaOf(steps).Names)
}

// rebuild makes the function of a model file: the points of a dual form or a map, or the
// feature map of a primal form.
func rebuild[T any](c StoredFunction, s Encoding[T], k kernel.Kernel[T], points data.Set[T], like T, coef *mat.Dense, bias []float64) (Function, error) {
	switch c.Form {
	case formMap:
		if err := kernel.Validate(k, points); err != nil {
			return Function{}, err
		}
		return placingOn(TypedPoints[T]{Encoding: s, Kernel: k, Set: points}, c.surface), nil
	case FormDual:
		e := &model.Expansion[T]{Kernel: k, Points: points, Coef: coef, Bias: bias}
		if err := e.Check(); err != nil {
			return Function{}, err
		}
		if err := kernel.Validate(k, points); err != nil {
			return Function{}, err
		}
		return NewFunction(s, k, model.Predictor[T](e)), nil
	case FormPrimal:
		m, ok := k.(kernel.Mapped[T])
		if c.FeatureMap != nil {
			var err error
			if m, err = remap(k, c.FeatureMap, like, coef); err != nil {
				return Function{}, err
			}
		} else if !ok {
			return Function{}, fmt.Errorf("task: the kernel %s has no finite feature map, and the model is in primal form: the file contradicts itself", k)
		}
		p := &model.Primal[T]{Kernel: m, W: coef, Bias: bias, Like: like}
		if err := p.Check(); err != nil {
			return Function{}, err
		}
		if stands, ok := m.(standing[T]); ok {
			k = stands.Of()
		}
		return NewFunction(s, k, model.Predictor[T](p)), nil
	}
	return Function{}, fmt.Errorf("task: form %q is not known; this version knows %q and %q", c.Form, FormDual, FormPrimal)
}
