package outcome

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
)

// Prediction is what a model says of the rows of a table.
type Prediction struct {
	Rows    *prep.Prepared
	Values  *mat.Dense // rows × outputs
	Outputs []string   // names of the outputs
	Targets []prep.Target
	// Decision turns the values of a row into its labels.
	Decision Decision

	// Noise are the variances of the noise that rows have of their own; nil: none.
	Noise []float64
	// Averages are the probabilities of the link [Averaged], rows × classes; nil elsewhere.
	Averages *mat.Dense
	// Intervals are those of the method's own that were asked for with the prediction; nil: none.
	Intervals *Intervals

	learned *Prediction // before [Prediction.InUnits]; nil: the same
}

// Label returns what the outputs of one row say of one target: its label or answer, or
// "" for a numeric target.
func (p *Prediction) Label(row, target int) string {
	if p.Decision.Rule == PreImage {
		return p.Targets[target].FormatCell(p.structured(row))
	}
	if class := p.Class(row, target); class >= 0 {
		return p.Targets[target].Labels[class]
	}
	return ""
}

// Class returns the number of the label that the outputs of one row speak for, or −1
// for a numeric target.
func (p *Prediction) Class(row, target int) int {
	if p.Averages != nil && len(p.Outputs) > 1 {
		return floats.MaxIdx(p.Averages.RawRowView(row))
	}
	return p.Decision.class(p.Values.RawRowView(row), p.Targets, target)
}

// Cluster returns the cluster that the outputs of one row speak for, from 1; 0 where the
// model has none.
func (p *Prediction) Cluster(row int) int {
	if p.Decision.Rule != Clusters {
		return 0
	}
	return floats.MaxIdx(p.Values.RawRowView(row)) + 1
}

// Clusters returns the cluster of every row, from 0; nil where the model has none.
func (p *Prediction) Clusters() []int {
	if p.Decision.Rule != Clusters {
		return nil
	}
	labels := make([]int, len(p.Rows.Rows))
	for i := range labels {
		labels[i] = p.Cluster(i) - 1
	}
	return labels
}

// LogDensity returns ln p(x) of every row for a model that is a density, else nil.
func (p *Prediction) LogDensity() []float64 {
	if p.Decision.Rule != Clusters || p.Decision.Link != Softmax {
		return nil
	}
	logs := make([]float64, len(p.Rows.Rows))
	for i := range logs {
		logs[i] = floats.LogSumExp(p.Values.RawRowView(i))
	}
	return logs
}

// Names returns the names of the classes or clusters that [Prediction.Probabilities] are
// of; nil where there are none.
func (p *Prediction) Names() []string {
	switch {
	case p.Decision.Rule == Clusters:
		return p.Outputs
	case len(p.Targets) == 1:
		return p.Targets[0].Labels
	}
	return nil
}

// FirstNumeric returns the first output that is a numeric target, or −1.
func (p *Prediction) FirstNumeric() int {
	if p.Decision.Rule == Ordered || p.Decision.Rule == PreImage {
		return -1
	}
	from := 0
	for _, t := range p.Targets {
		if t.Labels == nil {
			return from
		}
		from += t.Outputs()
	}
	return -1
}

// Labelled reports whether an output is a score behind a target with labels.
func (p *Prediction) Labelled(output string) bool {
	if p.Decision.Rule != Coded {
		return slices.Contains([]Rule{Largest, Votes, PreImage, Clusters}, p.Decision.Rule)
	}
	for _, t := range p.Targets {
		for _, name := range t.Names() {
			if name == output && t.Labels != nil {
				return true
			}
		}
	}
	return false
}

// RunRows is the most rows that are predicted at a time.
const RunRows = 16384

// Between returns the predictions from one to before another, counted from 0 among those that there
// are. They share memory, and have no inputs.
func (p *Prediction) Between(from, to int) *Prediction {
	_, outputs := p.Values.Dims()
	run := *p
	run.Rows, run.Values = p.Rows.Between(from, to), p.Values.Slice(from, to, 0, outputs).(*mat.Dense)
	if p.Noise != nil {
		run.Noise = p.Noise[from:to]
	}
	if p.Averages != nil {
		_, classes := p.Averages.Dims()
		run.Averages = p.Averages.Slice(from, to, 0, classes).(*mat.Dense)
	}
	run.Intervals = p.Intervals.between(from, to)
	if p.learned != nil {
		run.learned = p.learned.Between(from, to)
	}
	return &run
}

// Runs passes the predictions on in runs of rows, in their order.
func (p *Prediction) Runs(use func(*Prediction) error) error {
	n, _ := p.Values.Dims()
	for from := 0; from < n; from += RunRows {
		if err := use(p.Between(from, min(n, from+RunRows))); err != nil {
			return err
		}
	}
	return nil
}
