package outcome

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/supervised/krr"
)

// Asked is what is asked of a model with its predictions: intervals of the method's own.
type Asked struct {
	Level  float64 // their coverage, in (0, 1); 0: none are asked for
	Method krr.IntervalMethod
}

// Intervals are those that were asked for, of what is [Prediction.Learned].
type Intervals struct {
	Asked
	Lo, Hi *mat.Dense // rows × outputs
}

// For reports whether these are the intervals that are asked for.
func (i *Intervals) For(a Asked) bool { return i != nil && i.Asked == a }

// between returns those of some rows.
func (i *Intervals) between(from, to int) *Intervals {
	if i == nil {
		return nil
	}
	_, outputs := i.Lo.Dims()
	return &Intervals{i.Asked, i.Lo.Slice(from, to, 0, outputs).(*mat.Dense), i.Hi.Slice(from, to, 0, outputs).(*mat.Dense)}
}
