package learn

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
)

// The demonstration learns Friedman's first benchmark function (J. H. Friedman,
// "Multivariate adaptive regression splines", Annals of Statistics 19, 1991, §4.3):
// ten columns uniform on [0, 1], of which five matter and two of these only together,
//
//	y = 10 sin(π x₁x₂) + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ + ε,   ε ~ N(0, 1).
//
// No method can have a test error below the noise, 1; a linear one stays near 2.6.
const (
	friedmanText    = "y = 10 sin(π x1·x2) + 20 (x3 − ½)² + 10 x4 + 5 x5 + noise of standard deviation 1; x6 … x10 do not matter (Friedman 1991)"
	friedmanColumns = 10
	friedmanTrain   = 400
	friedmanTest    = 200
)

// friedman returns one row: ten columns and the target.
func friedman(r *rand.Rand) []float64 {
	row := make([]float64, friedmanColumns+1)
	for j := range friedmanColumns {
		row[j] = r.Float64()
	}
	row[friedmanColumns] = 10*math.Sin(math.Pi*row[0]*row[1]) + 20*(row[2]-0.5)*(row[2]-0.5) + 10*row[3] + 5*row[4] + r.NormFloat64()
	return row
}

// writeFriedman writes n rows as CSV with a header.
func writeFriedman(w io.Writer, r *rand.Rand, n int) error {
	out := csv.NewWriter(w)
	cells := make([]string, friedmanColumns+1)
	for j := range friedmanColumns {
		cells[j] = fmt.Sprintf("x%d", j+1)
	}
	cells[friedmanColumns] = "y"
	if err := out.Write(cells); err != nil {
		return err
	}
	for range n {
		for j, v := range friedman(r) {
			cells[j] = strconv.FormatFloat(v, 'g', 8, 64)
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
