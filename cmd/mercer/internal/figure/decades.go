package figure

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// decades marks the powers of ten of a logarithmic axis, and labels so many of them
// that the labels do not touch.
type decades struct{}

// mostLabels is the number of labels that an axis has space for.
const mostLabels = 8

// Ticks returns the marks between two numbers above 0. A range without four powers of ten
// has marks at 1, 2 and 5 times a power, or at round numbers where that is still too few.
func (decades) Ticks(low, high float64) []plot.Tick {
	first, last := int(math.Ceil(math.Log10(low)-1e-9)), int(math.Floor(math.Log10(high)+1e-9))
	if last-first+1 < leastLabels {
		return fewTicks(low, high, first-1, last+1)
	}
	step := 1 + (last-first)/mostLabels
	for (last-first)/step+1 < leastLabels {
		step--
	}
	var out []plot.Tick
	for e := first; e <= last; e++ {
		t := plot.Tick{Value: math.Pow(10, float64(e))}
		if (last-e)%step == 0 {
			t.Label = powerLabel(1, e)
		}
		out = append(out, t)
	}
	return out
}

// fewTicks marks the times 1, 3 of powers of ten where these are four, else 1, 2 and 5.
func fewTicks(low, high float64, first, last int) []plot.Tick {
	for _, times := range [][]int{{1, 3}, {1, 2, 5}} {
		var out []plot.Tick
		for e := first; e <= last; e++ {
			for _, m := range times {
				if v := float64(m) * math.Pow(10, float64(e)); low*(1-1e-9) <= v && v <= high*(1+1e-9) {
					out = append(out, plot.Tick{Value: v, Label: powerLabel(m, e)})
				}
			}
		}
		if len(out) >= leastLabels {
			return out
		}
	}
	return ticks{}.Ticks(low, high)
}

// powerLabel writes m·10ᵉ as short as it can be read.
func powerLabel(m, e int) string {
	v := float64(m) * math.Pow(10, float64(e))
	if -3 <= e && e <= 4 {
		return strconv.FormatFloat(v, 'f', max(0, -e), 64)
	}
	return fmt.Sprintf("%de%d", m, e)
}
