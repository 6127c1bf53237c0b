package pass

import (
	"fmt"
	"math"

	"example.org/mercer/data"
)

// CheckFinite is an error that names the first number of rows that is not finite. It reads them one
// after another: methods ask where a sum tells that there is one.
func CheckFinite(xs data.Rows) error {
	for i := range xs.Len() {
		for j, v := range xs.At(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("row %d, column %d is %v, not a finite number", i, j, v)
			}
		}
	}
	return nil
}
