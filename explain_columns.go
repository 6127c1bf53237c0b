package mercer

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel/record"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
)

// explained is what explanations along the columns are about.
type explained struct {
	task.TypedFunction[[]float64]
	rows    []int               // of the prediction
	points  data.Set[[]float64] // of these rows
	outputs []int
}

// onColumns returns the function of a model on columns, and the rows and outputs that options
// choose. It is an error where the model compares anything else, of which what says what is not
// there, such as "along which there are no derivatives".
func (m *Model) onColumns(p *outcome.Prediction, e ExplainOptions, what string) (*explained, error) {
	rows, err := positionsOf(p, e.Rows)
	if err != nil {
		return nil, err
	}
	if err := m.explainable(); err != nil {
		return nil, err
	}
	outputs, err := m.chosenOutputs(p, e.Output)
	if err != nil {
		return nil, err
	}
	out := &explained{rows: rows, outputs: outputs}
	others := func(points string) error {
		return fmt.Errorf("mercer: the model compares %s, %s: explain it by features or by rows", points, what)
	}
	m.Function.Visit(task.FunctionVisitor{
		Vectors: func(f task.TypedFunction[[]float64]) {
			var all data.Set[[]float64]
			if all, err = f.Of(p.Rows); err == nil {
				out.TypedFunction, out.points = f, data.Subset(all, rows)
			}
		},
		IDs:     func(task.TypedFunction[string]) { err = others("rows by their ids") },
		Records: func(task.TypedFunction[record.Record]) { err = others("sequences, graphs or texts") },
		Mixture: func(task.Mixture) { err = task.ErrMixture },
	})
	return out, err
}
