package outcome

import (
	"fmt"
	"math"
)

// Margins returns how far the rows of a target with labels are on the side of their own
// one: yᵢf(xᵢ) for two labels y = ±1 and one output, and for one output f_c per label c
// the log odds f_y − ln Σ_{c≠y} exp f_c of a softmax, of which the first is a case.
func (p *Prediction) Margins() ([]float64, error) {
	n, m := p.Values.Dims()
	if t := p.Targets[0]; p.Rows.Y == nil || t.Labels == nil || t.Outputs() != m {
		return nil, fmt.Errorf("outcome: margins are of the only target with labels and an output for each, or one for two: %s is none", t.Name)
	}
	out := make([]float64, n)
	for i := range out {
		f, class := p.Values.RawRowView(i), p.Targets[0].Class(p.Rows.Y.RawRowView(i))
		if m == 1 {
			out[i] = float64(2*class-1) * f[0]
			continue
		}
		others, largest := 0.0, math.Inf(-1)
		for c, v := range f {
			if c != class {
				largest = max(largest, v)
			}
		}
		for c, v := range f {
			if c != class {
				others += math.Exp(v - largest)
			}
		}
		out[i] = f[class] - largest - math.Log(others)
	}
	return out, nil
}
