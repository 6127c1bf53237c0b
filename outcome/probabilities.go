package outcome

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/supervised/klr"
)

// Columns says what the outputs tell apart, for [calibrate.Fit].
func (d Decision) Columns(targets []prep.Target) (calibrate.Columns, error) {
	if len(targets) != 1 || targets[0].Labels == nil {
		return calibrate.Columns{}, errors.New("probabilities are of the labels of one target")
	}
	m := len(targets[0].Labels)
	switch {
	case d.Rule == Votes:
		return calibrate.Columns{Classes: m, Positive: d.Votes.Positive, Negative: d.Votes.Negative}, nil
	case d.Rule != Coded && d.Rule != Largest:
		return calibrate.Columns{}, fmt.Errorf("outputs of the decision rule %q do not speak for labels one by one", d.Rule)
	case len(d.Outputs) == 1:
		return calibrate.Two(), nil
	}
	return calibrate.Rest(m), nil
}

// checkCalibration returns why the map of a model file cannot be one for its outputs.
func (d Decision) checkCalibration(targets []prep.Target) error {
	if d.Calibration == nil {
		return nil
	}
	columns, err := d.Columns(targets)
	if err != nil {
		return err
	}
	return d.Calibration.Check(columns)
}

// Probabilities returns the probability of every class, or cluster, in every row, rows × classes,
// or nil where the model has none. The class of each row has the largest of its row.
func (p *Prediction) Probabilities() *mat.Dense {
	if p.Decision.Link == Averaged {
		return p.Averages
	}
	return p.Decision.probabilities(p.Values, p.Targets)
}

// probabilities returns those that the outputs of rows speak of, or nil.
func (d Decision) probabilities(values *mat.Dense, targets []prep.Target) *mat.Dense {
	if values == nil || values.IsEmpty() {
		return nil
	}
	switch {
	case d.Calibration != nil:
	case d.Rule == Centres:
		return d.Centres.Probabilities(values)
	case d.Rule == Clusters && d.Link == Softmax:
		return shares(values)
	case d.Link == Softmax:
		return klr.Probabilities(values)
	default:
		return nil
	}
	n, _ := values.Dims()
	out := mat.NewDense(n, len(targets[0].Labels), nil)
	for i := range n {
		row := values.RawRowView(i)
		d.Calibration.Probabilities(out.RawRowView(i), row, d.class(row, targets, 0))
	}
	return out
}

// shares returns e^(f_j)/Σ e^(f), also where there is one output.
func shares(values *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(values)
	for i := range out.RawMatrix().Rows {
		row := out.RawRowView(i)
		total := floats.LogSumExp(row)
		for j, v := range row {
			row[j] = math.Exp(v - total)
		}
	}
	return out
}
