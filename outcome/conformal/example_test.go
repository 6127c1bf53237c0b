package conformal_test

import (
	"fmt"

	"example.org/mercer/outcome/conformal"
)

// The errors of nine rows that a model did not learn from make intervals that cover the
// next row with a probability of at least 80 %.
func Example() {
	s, err := conformal.NewScores([]float64{0.3, 1.2, 0.1, 0.8, 0.5, 2.1, 0.4, 0.9, 0.2}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q, _ := s.Quantile(0.8) // the 8th smallest of 9
	lo, hi := conformal.Around(5, q)
	fmt.Printf("%.1f to %.1f\n", lo, hi)
	// Output: 3.8 to 6.2
}
