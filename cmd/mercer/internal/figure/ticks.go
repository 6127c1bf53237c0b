package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks marks round numbers of an axis. Their labels have as many decimals as they need,
// the same number each.
type ticks struct{}

// Ticks returns the marks between two numbers.
func (ticks) Ticks(low, high float64) []plot.Tick {
	marks := plot.DefaultTicks{}.Ticks(low, high)
	decimals := 0
	for _, t := range marks {
		if strings.Contains(t.Label, "e") {
			return marks // powers of ten are short as they are
		}
		if _, fraction, ok := strings.Cut(t.Label, "."); ok {
			decimals = max(decimals, len(strings.TrimRight(fraction, "0")))
		}
	}
	for i, t := range marks {
		if t.Label != "" {
			marks[i].Label = label(t.Value, decimals)
		}
	}
	return marks
}

// label writes a number with some decimals, and nothing as "0", never "-0".
func label(v float64, decimals int) string {
	if math.Abs(v) < math.Pow(10, -float64(decimals))/2 {
		v = 0
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// few are ticks with at most four labels.
type few struct{}

// Ticks returns every second label of the usual ticks where there are many.
func (few) Ticks(low, high float64) []plot.Tick {
	marks := ticks{}.Ticks(low, high)
	var labelled []int
	for i, t := range marks {
		if t.Label != "" {
			labelled = append(labelled, i)
		}
	}
	if len(labelled) > 4 {
		for k, i := range labelled {
			if k%2 == 1 {
				marks[i].Label = ""
			}
		}
	}
	return marks
}
