package predicted

import (
	"strconv"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
)

// DigitsHelp is the help of --digits, before its default.
const DigitsHelp = "round numbers to so many significant digits, 1 to 17; default: "

// CheckDigits refuses numbers of digits that no number has.
func CheckDigits(cmd *cobra.Command, digits int) error {
	if cmd.Flags().Changed("digits") && (digits < 1 || digits > 17) {
		return verb.Usagef("--digits is %d; give a number from 1 to 17, such as 4", digits)
	}
	return nil
}

// Rounded passes lines on with their numbers rounded to so many significant digits, for reading:
// what it writes does not give back the same numbers.
type Rounded struct {
	To     tabular.Writer
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

// RoundScores rounds scores to so many significant digits.
func RoundScores(scores []outcome.Scores, digits int) {
	for _, s := range scores {
		var numbers []*float64
		list := func(xs []float64) {
			for i := range xs {
				numbers = append(numbers, &xs[i])
			}
		}
		if n := s.NumberScores; n != nil {
			numbers = append(numbers, &n.RMSE, &n.MAE, &n.R2)
		}
		if l := s.LabelScores; l != nil {
			numbers = append(numbers, &l.Accuracy, &l.Balanced, &l.MacroF1, l.AUC, l.LogLoss, l.Brier, l.CalibrationError)
			for _, row := range l.Confusion {
				list(row)
			}
		}
		if q := s.QuantileScores; q != nil {
			list(q.Pinball)
			list(q.Below)
		}
		if a := s.StructuredScores; a != nil {
			numbers = append(numbers, &a.Loss, &a.Same, a.Hamming, a.F1, a.Kendall, a.Spearman)
		}
		for _, x := range numbers {
			if x != nil {
				*x = rounded(*x, digits)
			}
		}
	}
}
