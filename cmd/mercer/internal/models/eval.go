package models

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/predicted"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
)

// evaluated is what `mercer eval` prints.
type evaluated struct {
	Model   string           `json:"model"`
	Table   string           `json:"table"`
	Rows    int              `json:"rows"`
	Targets []outcome.Scores `json:"targets"`
	Plot    string           `json:"plot,omitempty"`

	digits int // of the numbers that are printed; 0: as usual
}

func (e evaluated) Text(w io.Writer) {
	fmt.Fprintf(w, "%s on %s: %d rows\n", e.Model, e.Table, e.Rows)
	num := verb.Num
	if e.digits > 0 {
		num = func(x float64) string { return strconv.FormatFloat(x, 'g', e.digits, 64) }
	}
	for _, s := range e.Targets {
		if s.LabelScores != nil {
			labelScores(w, s, num)
			continue
		}
		if s.StructuredScores != nil {
			verb.Columns(w, answerScores(s.StructuredScores, s.Target, num))
			continue
		}
		if q := s.QuantileScores; q != nil {
			lines := [][]string{{s.Target, "quantile", "rows below", "pinball loss"}}
			for j, tau := range q.Taus {
				lines = append(lines, []string{"", num(tau), num(q.Below[j]), num(q.Pinball[j])})
			}
			verb.Columns(w, lines)
			continue
		}
		verb.Columns(w, [][]string{{s.Target, "RMSE", num(s.RMSE)}, {"", "MAE", num(s.MAE)}, {"", "R²", num(s.R2)}})
	}
}

// labelScores lists the scores of a target with labels, and who is taken for whom.
func labelScores(w io.Writer, s outcome.Scores, num func(float64) string) {
	lines := [][]string{{s.Target, "accuracy", num(s.Accuracy)}, {"", "errors", fmt.Sprint(s.Errors)},
		{"", "balanced accuracy", num(s.Balanced)}, {"", "macro F1", num(s.MacroF1)}}
	for _, known := range []struct {
		name  string
		value *float64
	}{{"AUC", s.AUC}, {"log loss", s.LogLoss}, {"Brier score", s.Brier}, {"calibration error", s.CalibrationError}} {
		if known.value != nil {
			lines = append(lines, []string{"", known.name, num(*known.value)})
		}
	}
	verb.Columns(w, lines)
	const most = 12
	if len(s.Labels) > most {
		return
	}
	table := [][]string{append([]string{"  true \\ predicted"}, s.Labels...)}
	for i, label := range s.Labels {
		line := []string{"  " + label}
		for _, v := range s.Confusion[i] {
			line = append(line, num(v))
		}
		table = append(table, line)
	}
	verb.Columns(w, table)
}

func NewEval(inv *verb.Invocation) *cobra.Command {
	f := &flags.Apply{}
	var plot string
	var digits int
	cmd := &cobra.Command{
		Use:     "eval MODEL TABLE",
		Aliases: []string{"evaluate", "score"},
		Short:   "Compare predictions with the targets of a table",
		Example: `  mercer eval house.mercer test.csv --json
  mercer eval house.mercer test.csv --digits 3
  mercer eval house.mercer test.csv --plot fit.png`,
		Args: flags.ModelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(predicted.CheckDigits(cmd, digits), verb.CanDraw(plot)); err != nil {
				return err
			}
			m, p, err := f.Load(cmd, inv, args, true)
			if err != nil {
				return err
			}
			if err := f.Passes.RefusePlot(plot); err != nil {
				return err
			}
			scores, err := p.Scores()
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}
			n, _ := p.Values.Dims()
			if digits > 0 {
				predicted.RoundScores(scores, digits)
			}
			result := evaluated{Model: args[0], Table: args[1], Rows: n, Targets: scores, Plot: plot, digits: digits}
			if plot != "" {
				s := predicted.Picture{Cmd: cmd, Inv: inv, Model: m, On: p}
				if args[1] != "-" {
					if s.Table, err = f.Read(cmd, inv, args[1], m.Prep.ID()); err != nil {
						return err
					}
				}
				if err := s.Draw(plot); err != nil {
					return err
				}
			}
			return inv.Emit(result)
		},
	}
	f.Register(cmd)
	f.Passes.Register(cmd)
	cmd.Flags().IntVar(&digits, "digits", 0, predicted.DigitsHelp+"6 in text, and all that a number has in JSON")
	cmd.Flags().StringVar(&plot, "plot", "", predicted.PictureHelp)
	return inv.Prints(inv.Cached(cmd), evaluated{})
}

// answerScores lists the scores of answers that have parts.
func answerScores(s *outcome.StructuredScores, target string, num func(float64) string) [][]string {
	lines := [][]string{{target, "mean loss", num(s.Loss)}, {"", "wholly right", num(s.Same)}}
	hamming := "wrong labels"
	if s.Form == prep.Sequence {
		hamming = "wrong places"
	}
	for _, known := range []struct {
		name  string
		value *float64
	}{{hamming, s.Hamming}, {"F1", s.F1}, {"Kendall's τ", s.Kendall}, {"Spearman's ρ", s.Spearman}} {
		if known.value != nil {
			lines = append(lines, []string{"", known.name, num(*known.value)})
		}
	}
	return lines
}
