package svm

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Decision turns the values of binary problems into a class. It is plain data, so
// that a model file can hold it.
type Decision struct {
	// Scheme is [OneVsOne] or [OneVsRest]; of two classes there is one binary problem, and the
	// schemes agree.
	Scheme Scheme `json:"scheme"`
	// Positive and Negative are the classes that binary classifier j prefers where its value is
	// above 0, and where it is not; Negative[j] = −1 is all the others.
	Positive []int `json:"positive"`
	Negative []int `json:"negative"`
	// Order lists the classes that were learned; of equally good ones the first counts.
	Order []int `json:"order"`
}

// newDecision returns the rule for the given classes, in rising order. With two classes
// a value above 0 speaks for the second; with more, binary classifier (i, j), i < j, prefers i
// above 0, the convention of LIBSVM and scikit-learn.
func newDecision(scheme Scheme, classes []int) Decision {
	d := Decision{Scheme: scheme, Order: classes}
	add := func(positive, negative int) {
		d.Positive, d.Negative = append(d.Positive, positive), append(d.Negative, negative)
	}
	switch {
	case len(classes) == 2:
		d.Scheme = OneVsOne
		add(classes[1], classes[0])
	case scheme == OneVsRest:
		for _, c := range classes {
			add(c, -1)
		}
	default:
		for i, c := range classes {
			for _, other := range classes[i+1:] {
				add(c, other)
			}
		}
	}
	return d
}

// Class returns the class for one row of decision values. One-vs-one counts a vote for
// each binary classifier, and of the classes with the most the first in Order wins, as in LIBSVM;
// one-vs-rest takes the largest value.
func (d Decision) Class(values []float64) int {
	best, most := d.Order[0], -1
	if d.Scheme == OneVsRest {
		at := 0
		for j, v := range values {
			if v > values[at] {
				at = j
			}
		}
		return d.Positive[at]
	}
	votes := map[int]int{}
	for j, v := range values {
		if v > 0 {
			votes[d.Positive[j]]++
		} else {
			votes[d.Negative[j]]++
		}
	}
	for _, c := range d.Order {
		if votes[c] > most {
			best, most = c, votes[c]
		}
	}
	return best
}

// Classes returns the class of every row of a matrix of decision values, one column per
// binary problem.
func (d Decision) Classes(values *mat.Dense) []int {
	n, _ := values.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = d.Class(values.RawRowView(i))
	}
	return out
}

// Check returns why d cannot be a rule for the given number of classes: what was read
// from a file may be anything.
func (d Decision) Check(classes int) error {
	valid := func(c int) bool { return 0 <= c && c < classes }
	switch {
	case d.Scheme != OneVsOne && d.Scheme != OneVsRest:
		return fmt.Errorf("svm: scheme %q is not known; %q and %q are", d.Scheme, OneVsOne, OneVsRest)
	case len(d.Positive) == 0 || len(d.Positive) != len(d.Negative) || len(d.Order) < 2:
		return fmt.Errorf("svm: a decision by %d positive and %d negative classes of %d is none", len(d.Positive), len(d.Negative), len(d.Order))
	}
	for j, positive := range d.Positive {
		if negative := d.Negative[j]; !valid(positive) || !valid(negative) && (negative != -1 || d.Scheme != OneVsRest) {
			return fmt.Errorf("svm: binary problem %d tells class %d from class %d, and there are %d classes", j, positive, negative, classes)
		}
	}
	for _, c := range d.Order {
		if !valid(c) {
			return fmt.Errorf("svm: class %d is in the order of %d classes", c, classes)
		}
	}
	return nil
}
