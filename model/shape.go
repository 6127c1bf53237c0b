package model

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// checkFunction reports every way in which weights of rows×m and m biases cannot be
// a function; rowsAre says what the rows of the weights must be as many as.
func checkFunction(w *mat.Dense, bias []float64, rows int, weights, rowsAre string) error {
	if w == nil || w.IsEmpty() {
		return fmt.Errorf("model: %s is empty: a function needs a %d×outputs matrix", weights, rows)
	}
	var problems []error
	n, m := w.Dims()
	if n != rows {
		problems = append(problems, fmt.Errorf("model: %s is %d×%d, but there are %d %s: one row is needed for each", weights, n, m, rows, rowsAre))
	}
	if bias != nil && len(bias) != m {
		problems = append(problems, fmt.Errorf("model: %d biases for %d outputs (%s is %d×%d): one bias is needed for each, or none at all", len(bias), m, weights, n, m))
	}
	return errors.Join(problems...)
}

// checkLengths returns an error unless xs holds vectors of the given length; a set
// of anything but vectors passes.
func checkLengths[T any](xs data.Set[T], like T) error {
	first, ok := any(like).([]float64)
	if !ok {
		return nil
	}
	if v, ok := any(xs).(data.Vectors); ok && v.Len() > 0 && v.Dim() == len(first) {
		return nil
	}
	vs := any(xs).(data.Set[[]float64])
	for i := range vs.Len() {
		if got := len(vs.At(i)); got != len(first) {
			return fmt.Errorf("model: point %d has %d coordinates, but the model was trained on %d: prepare new points exactly as the training points were", i, got, len(first))
		}
	}
	return nil
}

// addBias adds bias[j] to column j; nil adds nothing.
func addBias(out *mat.Dense, bias []float64) {
	if bias == nil {
		return
	}
	raw := out.RawMatrix()
	for i := range raw.Rows {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
		for j, b := range bias {
			row[j] += b
		}
	}
}
