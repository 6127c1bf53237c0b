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
		if s.AnswerScores != nil {
			rows(w, answerScores(s.AnswerScores, s.Target))
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
			m, p, err := f.load(cmd, inv, args, true)
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
				if err := inv.drawEval(cmd, f, m, p, args[1], plot); err != nil {
					return err
				}
			}
			return inv.emit(result)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&plot, "plot", "", "write a picture, a .png or .svg file: of numbers fit and residuals; of labels the regions (two features), hits against false alarms, and the reliability of probabilities")
	return cmd
}

// drawEval draws what suits the target.
func (inv *invocation) drawEval(cmd *cobra.Command, f *applyFlags, m *pipeline.Model, p *pipeline.Prediction, path, plot string) error {
	if p.FirstNumeric() >= 0 {
		return drawFit(cmd, p, plot)
	}
	curves, err := p.Curves()
	if err != nil {
		return err
	}
	pic := figure.Classes{Title: m.Method + ": " + p.Targets[0].Name}
	for _, c := range curves {
		roc, bins := figure.Curve{Name: c.Label}, figure.Curve{Name: c.Label}
		for _, t := range c.ROC {
			roc.X, roc.Y = append(roc.X, t.FalseAlarm), append(roc.Y, t.TruePositive)
		}
		for _, b := range c.Bins {
			bins.X, bins.Y = append(bins.X, b.Predicted), append(bins.Y, b.Observed)
		}
		if roc.X != nil {
			pic.ROC = append(pic.ROC, roc)
		}
		if bins.X != nil {
			pic.Reliability = append(pic.Reliability, bins)
		}
	}
	if path != "-" {
		if pic.Regions, err = inv.regions(cmd, f, m, p, path); err != nil {
			return err
		}
	}
	return writePicture(cmd, plot, pic)
}

// regions returns what the model says around the rows of a table; nil for a model that
// has not two features.
func (inv *invocation) regions(cmd *cobra.Command, f *applyFlags, m *pipeline.Model, p *pipeline.Prediction, path string) (*figure.Regions, error) {
	t, err := f.read(cmd, inv, path, m.Prep.ID())
	if err != nil {
		return nil, err
	}
	compute, stop := inv.compute()
	defer stop()
	const side = 160
	plane, err := m.Plane(cmd.Context(), t, side, compute)
	if plane == nil || err != nil {
		return nil, err
	}
	r := &figure.Regions{X: plane.X, Y: plane.Y, Labels: p.Targets[0].Labels, Xs: plane.Xs, Ys: plane.Ys, Class: plane.Class, Sure: plane.Sure}
	x, err := t.Find(plane.X)
	if err != nil {
		return nil, err
	}
	y, err := t.Find(plane.Y)
	if err != nil {
		return nil, err
	}
	for i, row := range p.Rows.Rows {
		r.Points = append(r.Points, figure.Point{X: t.Columns[x].Numbers[row], Y: t.Columns[y].Numbers[row], Class: p.Targets[0].Class(p.Rows.Y.RawRowView(i))})
	}
	return r, nil
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
