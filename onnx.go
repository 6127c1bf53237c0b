package mercer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/onnx"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/tree"
	"example.org/mercer/task"
)

// WriteONNX writes the model as a graph of standard operators of ONNX, with the preparation of the
// table: see package onnx for inputs and outputs. What cannot be written is an [*onnx.Unsupported]
// error. Before anything is written the graph is run on the self-test rows; the result says how far
// it was from the model there.
func (m *Model) WriteONNX(ctx context.Context, w io.Writer, p onnx.Precision, o compute.Options) (*Verification, error) {
	g, err := m.graph(p)
	if err != nil {
		return nil, err
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	v, err := m.verifyGraph(ctx, g, o)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(g.Encode("mercer", m.Version))
	return v, err
}

// graph translates the model.
func (m *Model) graph(p onnx.Precision) (*onnx.Graph, error) {
	f, ok := task.VectorEncoding.FunctionOf(m.Function)
	if !ok {
		return nil, &onnx.Unsupported{What: "functions of " + m.Function.Kind(), Why: "graphs of standard operators are written of functions of vectors"}
	}
	steps, err := m.Prep.Steps()
	if err != nil {
		return nil, &onnx.Unsupported{What: "the preparation of the table", Why: err.Error()}
	}
	g := onnx.New(p)
	rows, _, err := g.Features(steps)
	if err != nil {
		return nil, err
	}
	values, err := expanded(g, rows, f.Predictor)
	if err != nil {
		return nil, err
	}
	if err := g.Decide(values, m.Decision, m.Prep.Targets()); err != nil {
		return nil, err
	}
	g.Metadata["method"], g.Metadata["kernel"] = m.Method, m.Kernel()
	g.Metadata["outputs"] = strings.Join(m.Decision.Outputs, "\n")
	if targets := m.Prep.Targets(); len(targets) == 1 && targets[0].Labels != nil {
		g.Metadata["labels"] = strings.Join(targets[0].Labels, "\n")
	}
	return g, nil
}

// expanded is f(x) = b + Σ αᵢ k(x, xᵢ).
func expanded(g *onnx.Graph, rows onnx.Value, of model.Predictor[[]float64]) (onnx.Value, error) {
	e, err := expansionFor(of)
	if err != nil {
		return "", err
	}
	points := onnx.Points{Count: e.Points.Len(), Dim: len(e.Points.At(0))}
	for i := range points.Count {
		points.Numbers = append(points.Numbers, e.Points.At(i)...)
	}
	k := e.Kernel
	if network, ok := k.(deep.Kernel); ok {
		if rows, points, err = g.Network(network.On(points.Dim), rows, points); err != nil {
			return "", err
		}
		k = network.Of
	}
	if learned, ok := k.(vec.Mahalanobis); ok {
		rows, points = g.Linear(learned.Map(), rows, points)
		k = learned.Of
	}
	plan, err := vec.CompileOn(k, points.Dim)
	if err != nil {
		return "", &onnx.Unsupported{What: "the kernel " + data.Cut(k.String()), Why: "it has no plan of statistics of pairs"}
	}
	values, err := g.Kernel(plan, rows, points)
	if err != nil {
		return "", err
	}
	n, outputs := e.Coef.Dims()
	f := g.Apply("MatMul", values, g.Matrix(n, outputs, mat.DenseCopyOf(e.Coef).RawMatrix().Data))
	if e.Bias != nil {
		f = g.Apply("Add", f, g.Row(e.Bias))
	}
	return f, nil
}

// expansionFor returns the function over points. Of the linear kernel the weights of the features
// are points themselves: ⟨w, x⟩ = k(x, w).
func expansionFor(of model.Predictor[[]float64]) (*model.Expansion[[]float64], error) {
	switch f := of.(type) {
	case *tree.Tree:
		return nil, &onnx.Unsupported{What: "a tree of functions", Why: "each of its leaves is a function of its own: fit one with --leaves 0"}
	case *model.Expansion[[]float64]:
		return f, nil
	case *model.Primal[[]float64]:
		if _, linear := f.Kernel.(vec.Linear); linear {
			_, outputs := f.W.Dims()
			points := make(data.Slice[[]float64], outputs)
			one := mat.NewDense(outputs, outputs, nil)
			for j := range outputs {
				points[j] = mat.Col(nil, j, f.W)
				one.Set(j, j, 1)
			}
			return &model.Expansion[[]float64]{Kernel: f.Kernel, Points: points, Coef: one, Bias: f.Bias}, nil
		}
	}
	return nil, &onnx.Unsupported{What: "weights of explicit features", Why: "functions over training points or landmarks are written: fit with --landmarks, or with --solver cholesky"}
}

// Bounds of what a graph may be off, of the largest value: in double precision products of
// matrices add up in another order, in single precision digits are lost.
const (
	doubleBound = 1e-9
	singleBound = 1e-3
)

// verifyGraph runs the graph on the self-test rows.
func (m *Model) verifyGraph(ctx context.Context, g *onnx.Graph, o compute.Options) (*Verification, error) {
	v := &Verification{Rows: len(m.selfTest.Values), Bound: doubleBound}
	if g.Precision == onnx.Single {
		v.Bound = singleBound
	}
	if v.Rows == 0 {
		return v, nil
	}
	t := m.selfTest.Table()
	p, err := m.predictDouble(ctx, t, o)
	if err != nil {
		return nil, err
	}
	inputs, err := graphInputs(g, t, m.Prep)
	if err != nil {
		return nil, err
	}
	out, err := g.Run(inputs)
	if err != nil {
		return nil, err
	}
	largest := 0.0
	for i, got := range out[onnx.Values].Float {
		want := p.Values.RawMatrix().Data[i]
		largest = max(largest, math.Abs(want))
		v.Worst = max(v.Worst, math.Abs(got-want))
	}
	if largest > 0 {
		v.Worst /= largest
	}
	if !(v.Worst <= v.Bound) {
		return v, fmt.Errorf("mercer: the graph is off by %.3g of the largest value on the self-test rows, more than %.3g: it is not written", v.Worst, v.Bound)
	}
	return v, sameLabels(g, p, out[onnx.Label].Text)
}

// sameLabels compares the labels of a graph with those of the model, where values are not so near
// to each other that rounding decides.
func sameLabels(g *onnx.Graph, p *outcome.Prediction, labels []string) error {
	if g.Precision == onnx.Single || labels == nil || p.Targets == nil || p.Targets[0].Labels == nil {
		return nil
	}
	for i, got := range labels {
		if want := p.Label(i, 0); got != want {
			return fmt.Errorf("mercer: the graph gives the label %s to self-test row %d, and the model %s: it is not written", data.Quote(got), i+1, data.Quote(want))
		}
	}
	return nil
}

// graphInputs are the cells of a table as a graph takes them.
func graphInputs(g *onnx.Graph, t *data.Table, steps *prep.Pipeline) (map[string]onnx.Array, error) {
	names := steps.Inputs()
	columns := make([]*data.Column, len(names))
	for i, name := range names {
		if columns[i], _ = t.Column(name); columns[i] == nil {
			return nil, errors.New("mercer: the self-test rows lack the column " + name)
		}
	}
	n := t.Rows()
	if g.Inputs[0].Name == onnx.Table && len(g.Inputs) == 1 {
		all := onnx.Array{Dims: []int{n, len(columns)}, Float: make([]float64, n*len(columns))}
		for j, c := range columns {
			for i := range n {
				if all.Float[i*len(columns)+j] = c.Numbers[i]; c.IsMissing(i) {
					all.Float[i*len(columns)+j] = math.NaN()
				}
			}
		}
		return map[string]onnx.Array{onnx.Table: all}, nil
	}
	inputs := map[string]onnx.Array{}
	for _, c := range columns {
		a := onnx.Array{Dims: []int{n, 1}, Float: slices.Clone(c.Numbers), Text: slices.Clone(c.Strings)}
		for i := range n {
			switch {
			case !c.IsMissing(i):
			case c.Kind == data.Numeric:
				a.Float[i] = math.NaN()
			default:
				a.Text[i] = ""
			}
		}
		inputs[c.Name] = a
	}
	return inputs, nil
}
