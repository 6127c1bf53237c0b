package outcome

import (
	"errors"

	"example.org/mercer/metric"
)

// ClassCurve is a curve of one class.
type ClassCurve struct {
	Label string
	ROC   []metric.Threshold // nil: no output speaks for the class
	Bins  []metric.Bin       // nil: there are no probabilities
}

// Curves returns what can be drawn of the predictions of the only target, which has
// labels: for every class (of two, for the second) its receiver operating characteristic
// and the reliability of its probability.
func (p *Prediction) Curves() ([]ClassCurve, error) {
	if len(p.Targets) != 1 || p.Targets[0].Labels == nil || p.Rows.Y == nil {
		return nil, errors.New("outcome: curves need one target with labels, and a table that has it")
	}
	t, probabilities := p.Targets[0], p.Probabilities()
	n, _ := p.Values.Dims()
	truth := make([]int, n)
	for i := range truth {
		truth[i] = t.Class(p.Rows.Y.RawRowView(i))
	}
	var out []ClassCurve
	for c, label := range t.Labels {
		if len(t.Labels) == 2 && c == 0 {
			continue
		}
		is := make([]bool, n)
		for i, v := range truth {
			is[i] = v == c
		}
		curve := ClassCurve{Label: label}
		if score := p.classScore(0, c, probabilities); score != nil {
			curve.ROC = metric.ROC(is, score, p.Rows.W)
		}
		if probabilities != nil {
			q := make([]float64, n)
			for i := range q {
				q[i] = probabilities.At(i, c)
			}
			curve.Bins = metric.Reliability(is, q, p.Rows.W, reliabilityBins)
		}
		out = append(out, curve)
	}
	return out, nil
}
