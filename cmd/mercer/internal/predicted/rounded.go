package predicted

import "strconv"

// Rounded passes lines on with their numbers rounded to so many significant digits, for reading:
// what it writes does not give back the same numbers.
type Rounded struct {
	To     Writer
	Digits int
}

func (r Rounded) Write(header []string, lines [][]any) error {
	for _, line := range lines {
		for j, v := range line {
			if x, ok := v.(float64); ok {
				line[j] = rounded(x, r.Digits)
			}
		}
	}
	return r.To.Write(header, lines)
}

func (r Rounded) End() error { return r.To.End() }

// rounded is the number with so many significant digits that is nearest to x.
func rounded(x float64, digits int) float64 {
	near, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64) // of its own text
	return near
}
