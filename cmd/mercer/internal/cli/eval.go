package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

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
}

func (e evaluated) text(w io.Writer) {
	fmt.Fprintf(w, "%s on %s: %d rows\n", e.Model, e.Table, e.Rows)
	for _, s := range e.Targets {
		if s.LabelScores != nil {
			labelScores(w, s)
			continue
		}
		if s.StructuredScores != nil {
			rows(w, answerScores(s.StructuredScores, s.Target))
			continue
		}
		if q := s.QuantileScores; q != nil {
			lines := [][]string{{s.Target, "quantile", "rows below", "pinball loss"}}
			for j, tau := range q.Taus {
				lines = append(lines, []string{"", num(tau), num(q.Below[j]), num(q.Pinball[j])})
			}
			rows(w, lines)
			continue
		}
		rows(w, [][]string{{s.Target, "RMSE", num(s.RMSE)}, {"", "MAE", num(s.MAE)}, {"", "R²", num(s.R2)}})
	}
}

// labelScores lists the scores of a target with labels, and who is taken for whom.
func labelScores(w io.Writer, s outcome.Scores) {
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
	rows(w, lines)
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
	rows(w, table)
}

// modelPicture is the help of --plot where it draws a model over rows.
const modelPicture = "write a picture, a .png or .svg file: of numbers the function (one feature), fit and residuals; of labels the regions (two features), hits against false alarms, and the reliability of probabilities; of components and clusters what embed and cluster draw"

func newEval(inv *invocation) *cobra.Command {
	f := &applyFlags{}
	var plot string
	cmd := &cobra.Command{
		Use:   "eval MODEL TABLE",
		Short: "Compare predictions with the targets of a table",
		Example: `  mercer eval house.mercer test.csv --json
  mercer eval house.mercer test.csv --plot fit.png`,
		Args: modelAndTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := canDraw(plot); err != nil {
				return err
			}
			m, p, err := f.load(cmd, inv, args, true)
			if err != nil {
				return err
			}
			if err := f.passes.undrawn(plot); err != nil {
				return err
			}
			scores, err := p.Scores()
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}
			n, _ := p.Values.Dims()
			result := evaluated{Model: args[0], Table: args[1], Rows: n, Targets: scores, Plot: plot}
			if plot != "" {
				s := shown{cmd: cmd, inv: inv, model: m, on: p}
				if args[1] != "-" {
					if s.table, err = f.read(cmd, inv, args[1], m.Prep.ID()); err != nil {
						return err
					}
				}
				if err := s.draw(plot); err != nil {
					return err
				}
			}
			return inv.emit(result)
		},
	}
	f.register(cmd)
	f.passes.register(cmd)
	cmd.Flags().StringVar(&plot, "plot", "", modelPicture)
	return inv.cached(cmd)
}

// answerScores lists the scores of answers that have parts.
func answerScores(s *outcome.StructuredScores, target string) [][]string {
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
