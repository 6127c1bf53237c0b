package conformal

import "slices"

// Unlikely is the score 1 − p[class] of a label with the probabilities p: the least
// ambiguous sets.
func Unlikely(p []float64, class int) float64 { return 1 - p[class] }

// Ranked is the adaptive score: the probability of all labels that are likelier than
// class, of equally likely ones those of smaller number, and the share u of its own. With
// u drawn from [0, 1] the coverage is as chosen; u = 1 needs no random number and gives
// sets that are somewhat larger.
func Ranked(p []float64, class int, u float64) float64 {
	sum := 0.0
	for c, v := range p {
		if v > p[class] || v == p[class] && c < class {
			sum += v
		}
	}
	return sum + u*p[class]
}

// Set returns the classes whose score is at most q, rising, and always the class named:
// the label of the classifier, so that a set never contradicts it and is never empty.
func Set(classes, label int, q float64, score func(class int) float64) []int {
	return SetByClass(slices.Repeat([]float64{q}, classes), label, score)
}

// SetByClass is [Set] with a quantile for each class, from scores by class.
func SetByClass(q []float64, label int, score func(class int) float64) []int {
	var out []int
	for c, most := range q {
		if c == label || score(c) <= most {
			out = append(out, c)
		}
	}
	return out
}
