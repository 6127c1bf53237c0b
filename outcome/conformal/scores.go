package conformal

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scores are those of rows that a model did not learn from, in rising order.
type Scores struct {
	values []float64
	reach  []float64 // weight of the scores up to here
}

// NewScores takes scores, which may be +Inf, with weights; nil weights are all 1. A row
// of weight 2 counts as two rows. Rows of weight 0 are left out.
func NewScores(values, weights []float64) (*Scores, error) {
	if weights != nil && len(weights) != len(values) {
		return nil, fmt.Errorf("conformal: there are %d scores and %d weights", len(values), len(weights))
	}
	var order []int
	for i, v := range values {
		if math.IsNaN(v) {
			return nil, fmt.Errorf("conformal: score %d is not a number", i)
		}
		if w := weight(weights, i); !(w >= 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("conformal: weight %d is %v: weights are finite and at least 0", i, w)
		} else if w > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	s, total := &Scores{}, 0.0
	for _, i := range order {
		total += weight(weights, i)
		s.values, s.reach = append(s.values, values[i]), append(s.reach, total)
	}
	return s, nil
}

func weight(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// Total returns the weight of all scores.
func (s *Scores) Total() float64 {
	if len(s.reach) == 0 {
		return 0
	}
	return s.reach[len(s.reach)-1]
}

// slack absorbs the rounding of (N+1)·level where the product is a whole number.
const slack = 1e-12

// Quantile returns the smallest score below or at which lies a weight of at least
// (N+1)·level, N the weight of all: the ⌈(n+1)·level⌉-th smallest of n scores of weight
// 1. The 1 is the weight of the new row, whose score may be the largest: +Inf is returned
// where even all scores do not reach (N+1)·level, that is for fewer than level/(1−level)
// rows. 0 < level < 1. O(log n).
func (s *Scores) Quantile(level float64) (float64, error) {
	if !(level > 0 && level < 1) {
		return 0, fmt.Errorf("conformal: the coverage %v is not between 0 and 1", level)
	}
	need := (s.Total() + 1) * level * (1 - slack)
	at, _ := slices.BinarySearch(s.reach, need)
	if at == len(s.values) {
		return math.Inf(1), nil
	}
	return s.values[at], nil
}

// ByGroup divides scores by the group of each row, 0…groups−1, so that the promise holds
// in every group. A group without rows has a quantile of +Inf.
func ByGroup(values []float64, group []int, groups int, weights []float64) ([]*Scores, error) {
	if len(group) != len(values) || weights != nil && len(weights) != len(values) {
		return nil, fmt.Errorf("conformal: there are %d scores, %d groups and %d weights", len(values), len(group), len(weights))
	}
	parts, mass := make([][]float64, groups), make([][]float64, groups)
	for i, g := range group {
		if g < 0 || g >= groups {
			return nil, fmt.Errorf("conformal: row %d is of group %d, and there are %d, from 0", i, g, groups)
		}
		parts[g], mass[g] = append(parts[g], values[i]), append(mass[g], weight(weights, i))
	}
	out, problems := make([]*Scores, groups), make([]error, groups)
	for g := range out {
		out[g], problems[g] = NewScores(parts[g], mass[g])
	}
	return out, errors.Join(problems...)
}
