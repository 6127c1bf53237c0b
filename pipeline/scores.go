package pipeline

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"mercer/krr"
)

// Scores say how well the predictions of one target meet a table. Numeric targets
// have RMSE, MAE and R², targets with labels have an accuracy.
type Scores struct {
	Target   string   `json:"target"`
	RMSE     float64  `json:"rmse"`
	MAE      float64  `json:"mae"`
	R2       float64  `json:"r2"`
	Labels   []string `json:"labels,omitempty"`
	Accuracy *float64 `json:"accuracy,omitempty"`
	Errors   *int     `json:"errors,omitempty"` // rows with a wrong label
}

// Scores compares the predictions with the targets of the table they were made for,
// weighted by its row weights where it has them.
func (p *Prediction) Scores() ([]Scores, error) {
	if p.Rows.Y == nil {
		return nil, errors.New("the table has no target column to compare with")
	}
	n, _ := p.Values.Dims()
	if n == 0 {
		return nil, errors.New("the table has no rows to compare with")
	}
	var all []Scores
	from := 0
	for k, t := range p.Targets {
		width := t.Outputs()
		y := p.Rows.Y.Slice(0, n, from, from+width).(*mat.Dense)
		f := p.Values.Slice(0, n, from, from+width).(*mat.Dense)
		s := Scores{Target: t.Name, Labels: t.Labels}
		measured := krr.Measure(y, f, p.Rows.W)
		s.RMSE, s.MAE, s.R2 = mean(measured.RMSE), mean(measured.MAE), mean(measured.R2)
		if t.Labels != nil {
			p.count(&s, k, y)
		}
		all = append(all, s)
		from += width
	}
	return all, nil
}

// count compares labels.
func (p *Prediction) count(s *Scores, target int, y *mat.Dense) {
	n, _ := y.Dims()
	total, right, wrong := 0.0, 0.0, 0
	for i := range n {
		w := 1.0
		if p.Rows.W != nil {
			w = p.Rows.W[i]
		}
		total += w
		if p.Label(i, target) == p.Targets[target].Decode(y.RawRowView(i)) {
			right += w
		} else {
			wrong++
		}
	}
	accuracy := right / total
	s.Accuracy, s.Errors = &accuracy, &wrong
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// FirstNumeric returns the first output that is a numeric target, or −1.
func (p *Prediction) FirstNumeric() int {
	from := 0
	for _, t := range p.Targets {
		if t.Labels == nil {
			return from
		}
		from += t.Outputs()
	}
	return -1
}

// Labelled reports whether an output is the score of a target with labels.
func (p *Prediction) Labelled(output string) bool {
	for _, t := range p.Targets {
		for _, name := range t.Names() {
			if name == output && t.Labels != nil {
				return true
			}
		}
	}
	return false
}
