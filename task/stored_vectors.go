package task

import (
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/model"
)

// tensorMissing holds the places of training coordinates that are missing, counted row by row
// from 0, where any is: numbers in a file are finite, and their place in the points has a 0.
const tensorMissing = "missing"

// storePoints puts training vectors among the tensors of a file.
func storePoints(xs data.Vectors, tensors map[string]model.Tensor) error {
	var missing []int64
	for i, v := range xs.Raw() {
		if v != v {
			missing = append(missing, int64(i))
		}
	}
	if missing == nil {
		tensors[tensorPoints] = model.Vectors(xs)
		return nil
	}
	filled := data.MakeVectors(xs.Len(), xs.Dim())
	copy(filled.Raw(), xs.Raw())
	for _, at := range missing {
		filled.Raw()[at] = 0
	}
	var err error
	tensors[tensorPoints] = model.Vectors(filled)
	tensors[tensorMissing], err = model.Int64s(missing, len(missing))
	return err
}

// readPoints reads what storePoints wrote: n vectors, any number for −1, of d coordinates.
func readPoints(file *model.File, n, d int) (data.Vectors, error) {
	xs, err := file.Vectors(tensorPoints, n, d)
	if err != nil || !file.Has(tensorMissing) {
		return xs, err
	}
	t, err := file.Tensor(tensorMissing)
	if err != nil {
		return xs, err
	}
	missing, err := t.Int64s()
	if err != nil {
		return xs, fmt.Errorf("tensor %q: %w", tensorMissing, err)
	}
	out := data.MakeVectors(xs.Len(), xs.Dim())
	copy(out.Raw(), xs.Raw())
	for _, at := range missing {
		if at < 0 || at >= int64(len(out.Raw())) {
			return xs, fmt.Errorf("tensor %q names coordinate %d of %d", tensorMissing, at, len(out.Raw()))
		}
		out.Raw()[at] = math.NaN()
	}
	return out, nil
}
