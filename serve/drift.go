package serve

import (
	"math"
	"sync"

	"example.org/mercer/outcome"
)

// drift compares the rows that are asked about with those of training: for each column of numbers
// that the model standardises, the mean of about the last [driftRows] rows less the mean of
// training, in standard deviations of training.
type drift struct {
	names []string
	at    []int // coordinates of the columns in a prepared row

	mu    sync.Mutex
	rows  float64
	means []float64
}

// driftRows is the memory of the moving mean.
const driftRows = 1000

func newDrift(v *version) *drift {
	d := &drift{}
	_, columns := v.Prep.Features()
	for j, name := range columns {
		zero, ok := v.Prep.Original(j, 0)
		one, _ := v.Prep.Original(j, 1)
		if ok && (zero != 0 || one != 1) {
			d.names, d.at = append(d.names, name), append(d.at, j)
		}
	}
	d.means = make([]float64, len(d.at))
	return d
}

// see takes the prepared rows of a prediction along.
func (d *drift) see(p *outcome.Prediction) {
	if d == nil || len(d.at) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range p.Rows.X.Len() {
		row := p.Rows.X.At(i)
		d.rows = math.Min(d.rows+1, driftRows)
		for k, j := range d.at {
			if x := row[j]; !math.IsNaN(x) {
				d.means[k] += (x - d.means[k]) / d.rows
			}
		}
	}
}

// each passes on the columns and their drift; none before there were rows.
func (d *drift) each(use func(column string, value float64)) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for k, name := range d.names {
		if d.rows > 0 {
			use(name, d.means[k])
		}
	}
}
