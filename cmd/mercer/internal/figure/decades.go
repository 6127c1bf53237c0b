package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// decades marks the powers of ten of a logarithmic axis, and labels so many of them
// that the labels do not touch.
type decades struct{}

// mostLabels is the number of labels that an axis has space for.
const mostLabels = 8

// Ticks returns the marks between two numbers above 0. A range without two powers of
// ten has marks at 1, 2 and 5 times a power.
func (decades) Ticks(low, high float64) []plot.Tick {
	first, last := int(math.Ceil(math.Log10(low)-1e-9)), int(math.Floor(math.Log10(high)+1e-9))
	if last-first < 1 {
		return fewTicks(low, high, first-1, last+1)
	}
	step := 1 + (last-first)/mostLabels
	var out []plot.Tick
	for e := first; e <= last; e++ {
		t := plot.Tick{Value: math.Pow(10, float64(e))}
		if (last-e)%step == 0 {
			t.Label = strconv.FormatFloat(t.Value, 'g', 1, 64)
			if -3 <= e && e <= 4 {
				t.Label = strconv.FormatFloat(t.Value, 'f', max(0, -e), 64)
			}
		}
		out = append(out, t)
	}
	return out
}

func fewTicks(low, high float64, first, last int) []plot.Tick {
	var out []plot.Tick
	for e := first; e <= last; e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, float64(e)); low <= v && v <= high {
				out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 2, 64)})
			}
		}
	}
	return out
}
