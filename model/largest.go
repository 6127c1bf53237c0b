package model

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Largest returns the column of the largest value of each row, the first of several: the
// class, or cluster, that the outputs of a function speak for.
func Largest(values *mat.Dense) []int {
	n, _ := values.Dims()
	columns := make([]int, n)
	for i := range columns {
		columns[i] = floats.MaxIdx(values.RawRowView(i))
	}
	return columns
}
