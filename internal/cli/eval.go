package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mercer/internal/atomicfile"
	"mercer/internal/figure"
	"mercer/pipeline"
)

// evaluated is what `mercer eval` prints.
type evaluated struct {
	Model   string            `json:"model"`
	Table   string            `json:"table"`
	Rows    int               `json:"rows"`
	Targets []pipeline.Scores `json:"targets"`
	Plot    string            `json:"plot,omitempty"`
}

func (e evaluated) text(w io.Writer) {
	fmt.Fprintf(w, "%s on %s: %d rows\n", e.Model, e.Table, e.Rows)
	for _, s := range e.Targets {
		if s.LabelScores != nil {
			labelScores(w, s)
			continue
		}
		rows(w, [][]string{{s.Target, "RMSE", num(s.RMSE)}, {"", "MAE", num(s.MAE)}, {"", "R²", num(s.R2)}})
	}
}

// labelScores lists the scores of a target with labels, and who is taken for whom.
func labelScores(w io.Writer, s pipeline.Scores) {
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
			_, p, err := f.load(cmd, inv, args, true)
			if err != nil {
				return err
			}
			scores, err := p.Scores()
			if err != nil {
				return fmt.Errorf("%s: %w", args[1], err)
			}
			n, _ := p.Values.Dims()
			result := evaluated{Model: args[0], Table: args[1], Rows: n, Targets: scores, Plot: plot}
			if plot != "" {
				if err := drawFit(cmd, p, plot); err != nil {
					return err
				}
			}
			return inv.emit(result)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&plot, "plot", "", "write a picture of fit and residuals: a .png or .svg file")
	return cmd
}

// drawFit draws the first numeric target.
func drawFit(cmd *cobra.Command, p *pipeline.Prediction, path string) error {
	j := p.FirstNumeric()
	if j < 0 {
		return usagef("--plot draws observed against predicted numbers, and the model has no numeric target")
	}
	n, _ := p.Values.Dims()
	pic := figure.Fit{Title: "fit", Target: p.Outputs[j]}
	for i := range n {
		pic.Observed = append(pic.Observed, p.Rows.Y.At(i, j))
		pic.Predicted = append(pic.Predicted, p.Values.At(i, j))
	}
	return writePicture(cmd, path, pic)
}

// writePicture draws a picture in the format that the name of its file says.
func writePicture(cmd *cobra.Command, path string, pic figure.Picture) error {
	draw := map[string]func() ([]byte, error){".png": pic.PNG, ".svg": pic.SVG}[ext(path)]
	if draw == nil {
		return usagef("picture %q: the name must end in .png or .svg", path)
	}
	picture, err := draw()
	if err != nil {
		return err
	}
	return atomicfile.Write(cmd.Context(), path, func(w io.Writer) error { _, err := w.Write(picture); return err })
}
