package formula_test

import (
	"strconv"
	"strings"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/formula"
	"example.org/mercer/kernel/kerneltest"
)

// parseOne reads formula("…") back.
func parseOne(text string) (kernel.Kernel[[]float64], error) {
	quoted := strings.TrimSuffix(strings.TrimPrefix(text, "formula("), ")")
	inner, err := strconv.Unquote(quoted)
	if err != nil {
		return nil, err
	}
	return formula.New(inner)
}

func TestConformance(t *testing.T) {
	numbers := [][]float64{{0}, {0}, {1}, {-1}, {0.5}, {3}, {1e-9}, {20}, {-2.75}}
	plane := [][]float64{{0, 1}, {0, 1}, {1, 0}, {-1, 2}, {0.5, 0.25}, {3, -4}, {1e-9, 1}, {20, 7}}
	for text, points := range map[string][][]float64{
		"exp(-abs(x - y)^1.5)":             numbers,
		"1/(1 + (x - y)^2)":                numbers,
		"2^(x + y) + cos(x - y)":           numbers,
		"dot(x, y)/(norm(x)*norm(y))":      plane,
		"exp(-sqdist(x, y)/2) + x[0]*y[0]": plane,
	} {
		k, err := formula.New(text)
		if err != nil {
			t.Fatal(err)
		}
		// No Translate: a formula is evaluated as it is written, cancellation included.
		kerneltest.Run(t, k, points, kerneltest.Options[[]float64]{Parse: parseOne, Set: kerneltest.Vectors})
	}
}
