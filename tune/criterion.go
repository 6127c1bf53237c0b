package tune

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Criterion says how good a kernel is together with values of the parameters of a method:
// [CrossValidation] or [ClosedForm].
type Criterion[T any] interface {
	// Scale says what the scores are and what computing them takes. Its error says why n
	// points cannot be scored.
	Scale(n int) (Scale, error)
	// On does for a kernel what does not depend on the values of the method.
	On(ctx context.Context, b Bound[T]) (Scorer, error)
}

// Scale is what a search must know of the scores of a criterion.
type Scale struct {
	Name   string
	Larger bool // whether more is better
	Errors bool // scores are positive errors, whose ratios tell, and not their differences
	// Squares is the number of n×n matrices that are held at a time, that of the kernel among
	// them; 0: the criterion needs the points alone, and there is no Gram matrix.
	Squares int
	Train   int // the number of training rows of the first split; without splits all
}

// loss is a score with the sign with which it is minimised.
func (s Scale) loss(score float64) float64 {
	if s.Larger {
		return -score
	}
	return score
}

// Bound is a kernel with the points of a search, and with its Gram matrix where
// [Scale.Squares] asks for one.
type Bound[T any] struct {
	Kernel kernel.Kernel[T]
	Points data.Set[T]
	Gram   *mat.SymDense
	// Told, if not nil, is told by a scorer how many of the parts of its work are done.
	Told func(done, parts int)
}

// Scorer scores sets of values of a method with one kernel, on a share of the training rows.
// Many sets at once are cheaper than one by one. An error ends the search; a set that cannot
// be scored has its own.
type Scorer func(ctx context.Context, values [][]float64, share float64) ([]Scored, error)

// Scored is the score of one set of values.
type Scored struct {
	Value  float64
	Error  float64 // its standard error; 0 where it has none
	Failed error   // why there is no score; Value is then NaN
}
