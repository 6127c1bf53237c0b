package outcome

import "gonum.org/v1/gonum/mat"

// Raw are raw predictions: the numbers of each row for which a model needs its kernel, in the units
// in which it has learned. What a [Prediction] has beside them needs no kernel.
type Raw struct {
	Values    *mat.Dense // of the function, rows × outputs
	Averages  *mat.Dense // over a posterior, rows × classes; nil: the model has none
	Intervals *Intervals // nil: none are asked for
}

// Numbers returns those of each row, one row after the other: values, lower and upper bounds, and
// averages, as far as there are such.
func (r *Raw) Numbers() []float64 {
	parts := []*mat.Dense{r.Values}
	if r.Intervals != nil {
		parts = append(parts, r.Intervals.Lo, r.Intervals.Hi)
	}
	if r.Averages != nil {
		parts = append(parts, r.Averages)
	}
	rows, _ := r.Values.Dims()
	var out []float64
	for i := range rows {
		for _, p := range parts {
			out = append(out, p.RawRowView(i)...)
		}
	}
	return out
}

// RawOf is the inverse of [Raw.Numbers] for a model with so many outputs.
func RawOf(numbers *mat.Dense, outputs int, a Asked) *Raw {
	rows, columns := numbers.Dims()
	next := 0
	take := func(width int) *mat.Dense {
		next += width
		return mat.DenseCopyOf(numbers.Slice(0, rows, next-width, next))
	}
	r := &Raw{Values: take(outputs)}
	if a.Level > 0 {
		r.Intervals = &Intervals{Asked: a, Lo: take(outputs), Hi: take(outputs)}
	}
	if next < columns {
		r.Averages = take(columns - next)
	}
	return r
}
