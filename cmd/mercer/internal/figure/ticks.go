package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// leastLabels is the number of labelled marks that an axis has at least.
const leastLabels = 4

// ticks marks round numbers of an axis: the widest steps of 1, 2, 2.5, 4 or 5 times a power of
// ten with at least four labels, which are at most eight, and unlabelled marks between them.
// Labels have as many decimals as they need, the same number each.
type ticks struct{}

// Ticks returns the marks between two numbers.
func (ticks) Ticks(low, high float64) []plot.Tick {
	if !(low < high) || math.IsInf(high-low, 0) {
		return []plot.Tick{{Value: low, Label: strconv.FormatFloat(low, 'g', 4, 64)}}
	}
	step, parts, decimals := roundSteps(low, high)
	fine := step / float64(parts)
	var out []plot.Tick
	for i := math.Ceil(low/fine - rounding); i <= math.Floor(high/fine+rounding); i++ {
		t := plot.Tick{Value: i * fine}
		if math.Mod(i, float64(parts)) == 0 {
			t.Label = label(i*fine, decimals, max(math.Abs(low), math.Abs(high)))
		}
		out = append(out, t)
	}
	return out
}

// rounding is the share of a step by which an end of an axis may miss a round number.
const rounding = 1e-9

// roundSteps returns the widest round step that has four multiples between two numbers, the parts
// into which unlabelled marks cut it, and the decimals that its multiples need (negative ones
// stand for zeros before the point).
func roundSteps(low, high float64) (step float64, parts, decimals int) {
	for e := int(math.Ceil(math.Log10(high - low))); ; e-- {
		for _, m := range []struct {
			times    float64
			parts    int
			decimals int // more than those of the power of ten
		}{{5, 5, 0}, {4, 4, 0}, {2.5, 5, 1}, {2, 2, 0}, {1, 2, 0}} {
			step = m.times * math.Pow10(e)
			if step == 2.5 { // steps above 1 count in whole numbers
				continue
			}
			if math.Floor(high/step+rounding)-math.Ceil(low/step-rounding)+1 >= leastLabels {
				return step, m.parts, m.decimals - e
			}
		}
	}
}

// label writes a number with some decimals, and nothing as "0", never "-0". On an axis that
// reaches far from 1 it is written with a power of ten.
func label(v float64, decimals int, far float64) string {
	if math.Abs(v) < math.Pow10(-decimals)/2 {
		v = 0
	}
	switch near := far >= 1e-4 && far < 1e6; {
	case near:
		return strconv.FormatFloat(v, 'f', max(0, decimals), 64)
	case v == 0:
		return "0"
	}
	digits := int(math.Floor(math.Log10(math.Abs(v))+rounding)) + decimals
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', max(0, digits), 64), "e")
	n, _ := strconv.Atoi(power)
	return mantissa + "e" + strconv.Itoa(n)
}
