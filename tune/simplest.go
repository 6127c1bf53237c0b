package tune

import (
	"errors"
	"math"
	"slices"
)

// errNoStandardError refuses [Options.Simplest] where there are no splits.
var errNoStandardError = errors.New("tune: the simplest model within one standard error is asked for, and a criterion in closed form has no standard error: take splits (criterion cv)")

// Tie says of a search that its best trial was one of several.
type Tie struct {
	Among  int     `json:"among"`  // trials that tie, or are within a standard error of the best score
	Best   float64 `json:"best"`   // the best score
	Margin float64 `json:"margin"` // the standard error; 0: they tie
}

// tieRounding is the relative difference of scores that tie.
const tieRounding = 1e-12

// simplest makes of the trials that are as good as the best, on as many rows, the one with the
// simplest model the best: the values of the method decide, the last of them first, then those of
// the kernel; what they leave open stays with the earlier trial. Along a path of λ scores do not
// tie, and the neighbourhood has decided: see [search.smoothest].
func (s *search[T]) simplest() *Tie {
	best := s.trials[s.best]
	margin := 0.0
	if s.o.Simplest {
		margin = best.Error
	} else if s.space.Lambda != nil {
		return nil
	}
	limit := s.scale.loss(best.Score)
	limit += margin + tieRounding*max(1, math.Abs(limit))
	parameters, tie := s.space.all(), &Tie{Best: best.Score, Margin: margin}
	for i, t := range s.trials {
		if t.Failed != "" || t.Share != best.Share || !(s.scale.loss(t.Score) <= limit) {
			continue
		}
		tie.Among++
		if simpler(parameters, len(s.space.Parameters), t.Values, s.trials[s.best].Values) {
			s.best = i
		}
	}
	if tie.Among == 1 {
		return nil
	}
	return tie
}

// simpler reports whether the values a make a simpler model than b.
func simpler(parameters []Parameter, ofKernel int, a, b []float64) bool {
	order := make([]int, 0, len(parameters))
	for i := len(parameters) - 1; i >= ofKernel; i-- {
		order = append(order, i)
	}
	for i := range ofKernel {
		order = append(order, i)
	}
	at := slices.IndexFunc(order, func(i int) bool { return parameters[i].Simpler != 0 && a[i] != b[i] })
	return at >= 0 && (a[order[at]] > b[order[at]]) == (parameters[order[at]].Simpler == Above)
}
