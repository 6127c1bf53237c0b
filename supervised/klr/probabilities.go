package klr

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
)

// Probabilities turns the values of a fitted model, plus offsets where there are any,
// into the probabilities of the classes, one column each: σ(−f) and σ(f) for one
// column of values, e^f_c / Σ e^f otherwise.
func Probabilities(values *mat.Dense) *mat.Dense {
	n, m := values.Dims()
	out := mat.NewDense(n, max(2, m), nil)
	for i := range n {
		p := out.RawRowView(i)
		if m == 1 {
			f := values.At(i, 0)
			p[0], p[1] = loss.Sigmoid(-f), loss.Sigmoid(f)
			continue
		}
		copy(p, values.RawRowView(i))
		loss.Softmax(p)
	}
	return out
}

// Classes returns the most probable class of each row, the first where several are: it
// is the place of the largest of [Probabilities] by construction.
func Classes(values *mat.Dense) []int {
	p := Probabilities(values)
	out := make([]int, p.RawMatrix().Rows)
	for i := range out {
		row := p.RawRowView(i)
		for c, v := range row {
			if v > row[out[i]] {
				out[i] = c
			}
		}
	}
	return out
}
