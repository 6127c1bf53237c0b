package svm

import "fmt"

// PerClass returns the weights of rows that give row i the weight of its class,
// classes[y[i]], times its own (nil: 1): the way to put a price on a class. It is an
// error if a class has no weight.
func PerClass(y []int, classes, rows []float64) ([]float64, error) {
	if rows != nil && len(rows) != len(y) {
		return nil, fmt.Errorf("svm: %d weights for %d rows: one is needed for each", len(rows), len(y))
	}
	out := make([]float64, len(y))
	for i, c := range y {
		if c < 0 || c >= len(classes) {
			return nil, fmt.Errorf("svm: row %d is of class %d, and there are weights for classes 0 … %d", i, c, len(classes)-1)
		}
		if out[i] = classes[c]; rows != nil {
			out[i] *= rows[i]
		}
	}
	return out, nil
}

// Balanced returns weights of rows with which every class that has any weight has the
// same total, and whose sum is that of the rows' own weights (nil: all ones): row i has
// wᵢ·W/(m·W_c), with W the sum of all weights, W_c that of its class and m the number of
// such classes. With wᵢ = 1 this is n/(m·n_c), scikit-learn's "balanced".
func Balanced(y []int, rows []float64) ([]float64, error) {
	if rows == nil {
		rows = make([]float64, len(y))
		for i := range rows {
			rows[i] = 1
		}
	}
	m := 0
	for i, c := range y {
		if c < 0 {
			return nil, fmt.Errorf("svm: row %d is of class %d: classes are numbered from 0", i, c)
		}
		m = max(m, c+1)
	}
	if len(rows) != len(y) {
		return nil, fmt.Errorf("svm: %d weights for %d rows: one is needed for each", len(rows), len(y))
	}
	total, present, perClass := 0.0, 0, make([]float64, m)
	for i, c := range y {
		perClass[c] += rows[i]
		total += rows[i]
	}
	for _, w := range perClass {
		if w > 0 {
			present++
		}
	}
	for c, w := range perClass {
		if w > 0 {
			perClass[c] = total / (float64(present) * w)
		}
	}
	return PerClass(y, perClass, rows)
}
