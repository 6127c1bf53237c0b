package metric

import (
	"math"
	"slices"
)

// Threshold is one point of a receiver operating characteristic: what happens if rows
// with a score of at least Score are taken for positive.
type Threshold struct {
	Score        float64 `json:"score"`
	TruePositive float64 `json:"true_positive"`  // share of the positive rows that are taken
	FalseAlarm   float64 `json:"false_positive"` // share of the negative rows that are taken
}

// ROC returns the receiver operating characteristic of scores that should be larger
// for positive rows: a point for every different score, descending, after the point
// (0, 0) at +Inf. It is nil unless both classes have weight. O(n log n).
func ROC(positive []bool, score, w []float64) []Threshold {
	order := make([]int, len(score))
	totals := [2]float64{}
	for i, p := range positive {
		order[i] = i
		totals[side(p)] += weight(w, i)
	}
	if !(totals[0] > 0 && totals[1] > 0) {
		return nil
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case score[i] > score[j]:
			return -1
		case score[i] < score[j]:
			return 1
		}
		return 0
	})
	curve := []Threshold{{Score: math.Inf(1)}}
	taken := [2]float64{}
	for at, i := range order {
		taken[side(positive[i])] += weight(w, i)
		if at+1 < len(order) && score[order[at+1]] == score[i] {
			continue
		}
		curve = append(curve, Threshold{Score: score[i], TruePositive: taken[1] / totals[1], FalseAlarm: taken[0] / totals[0]})
	}
	return curve
}

func side(positive bool) int {
	if positive {
		return 1
	}
	return 0
}

// AUC returns the area under [ROC]: the probability that a positive row has a larger
// score than a negative one, ties counting one half (Mann and Whitney). NaN unless
// both classes have weight.
func AUC(positive []bool, score, w []float64) float64 {
	curve := ROC(positive, score, w)
	if curve == nil {
		return math.NaN()
	}
	area := 0.0
	for i := 1; i < len(curve); i++ {
		a, b := curve[i-1], curve[i]
		area += (b.FalseAlarm - a.FalseAlarm) * (a.TruePositive + b.TruePositive) / 2
	}
	return area
}
