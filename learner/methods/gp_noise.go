package methods

import (
	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// noise returns the variances that the rows have of their own; nil: none.
func (o GP) noise(p *task.Task) ([]float64, error) {
	if o.NoiseColumn == "" {
		return nil, nil
	}
	return task.NoiseVariances(p.Raw, o.NoiseColumn, p.Rows.Rows)
}

// rowNoise is what a model keeps of the noise of its training rows.
type rowNoise struct {
	column string    // where it stood; "": rows have none of their own
	train  []float64 // its variances
}

// NoiseColumn is that of the variances of the noise of rows.
func (n rowNoise) NoiseColumn() string { return n.column }

// NoiseOf returns the variances of new rows, nil where their table does not say.
func (n rowNoise) NoiseOf(t *data.Table, rows []int) ([]float64, error) {
	if n.column == "" {
		return nil, nil
	}
	if _, at := t.Column(n.column); at < 0 {
		return nil, nil
	}
	return task.NoiseVariances(t, n.column, rows)
}

// store names the column in the text part of a model file.
func (n rowNoise) store(e *learner.Entries) {
	if n.column != "" {
		e.JSON[jsonNoise] = n.column
	}
}

// readNoise reads the name of the column.
func readNoise(s *learner.Stored) (n rowNoise, err error) { return n, s.Text(jsonNoise, &n.column) }
