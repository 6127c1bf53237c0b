package cli

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/internal/atomicfile"
	"example.org/mercer/outcome"
)

// canDraw reports a picture that cannot be written, before anything is read.
func canDraw(path string) error {
	if path == "" {
		return nil
	}
	if e := ext(path); e != ".png" && e != ".svg" {
		return usagef("picture %q: the name must end in .png or .svg", path)
	}
	return canWrite(path)
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

// shown is a model and what it says of the rows of a table, for a picture of both.
type shown struct {
	cmd   *cobra.Command
	inv   *invocation
	model *mercer.Model
	on    *outcome.Prediction
	table *data.Table // nil: it cannot be read again
}

// draw draws what suits the outputs of the model: of numbers the function over one feature
// and its residuals, of labels the regions over two, hits and reliability.
func (s shown) draw(plot string) error {
	switch {
	case s.on.FirstNumeric() >= 0 || s.model.Decision.Rule == outcome.Ordered:
		return s.numbers(plot)
	case s.model.Decision.Rule == outcome.Sign:
		regions, err := s.regions([]string{"member", "stranger"}, func(i int) int {
			if s.on.Values.At(i, 0) < 0 {
				return 1
			}
			return 0
		})
		if err != nil {
			return err
		}
		return writePicture(s.cmd, plot, figure.Classes{Title: s.model.Method, Regions: regions})
	}
	return s.labels(plot)
}

// labels draws how well the classes of the only target are told apart.
func (s shown) labels(plot string) error {
	curves, err := s.on.Curves()
	if err != nil {
		return err
	}
	target := s.on.Targets[0]
	pic := figure.Classes{Title: s.model.Method + ": " + target.Name}
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
	if pic.Regions, err = s.regions(target.Labels, func(i int) int { return target.Class(s.on.Rows.Y.RawRowView(i)) }); err != nil {
		return err
	}
	return writePicture(s.cmd, plot, pic)
}

// regions returns what the model says around the rows, which have classes; nil for a model
// that has not two features.
func (s shown) regions(labels []string, class func(row int) int) (*figure.Regions, error) {
	if s.table == nil {
		return nil, nil
	}
	how, stop := s.inv.compute()
	defer stop()
	const side = 160
	plane, err := s.model.Plane(s.cmd.Context(), s.table, side, how)
	if plane == nil || err != nil {
		return nil, err
	}
	r := &figure.Regions{X: plane.X, Y: plane.Y, Labels: labels, Xs: plane.Xs, Ys: plane.Ys, Class: plane.Class, Sure: plane.Sure}
	x, err := s.table.Find(plane.X)
	if err != nil {
		return nil, err
	}
	y, err := s.table.Find(plane.Y)
	if err != nil {
		return nil, err
	}
	for i, row := range s.on.Rows.Rows {
		r.Points = append(r.Points, figure.Point{X: s.table.Columns[x].Numbers[row], Y: s.table.Columns[y].Numbers[row], Class: class(i)})
	}
	return r, nil
}

// numbers draws the first numeric target, or the quantile that is nearest to the median.
func (s shown) numbers(plot string) error {
	j, y := max(0, s.on.FirstNumeric()), max(0, s.on.FirstNumeric())
	if s.model.Decision.Rule == outcome.Ordered {
		y = 0
		for k, tau := range s.model.Decision.Taus {
			if math.Abs(tau-0.5) < math.Abs(s.model.Decision.Taus[j]-0.5) {
				j = k
			}
		}
	}
	n, _ := s.on.Values.Dims()
	pic := figure.Fit{Title: s.model.Method, Target: s.on.Outputs[j]}
	for i := range n {
		pic.Observed = append(pic.Observed, s.on.Rows.Y.At(i, y))
		pic.Predicted = append(pic.Predicted, s.on.Values.At(i, j))
	}
	var err error
	if pic.Curves, err = s.function(pic.Observed, j); err != nil {
		return err
	}
	return writePicture(s.cmd, plot, pic)
}

// coverage is that of the bands in pictures.
const coverage = 0.9

// function draws what the model says along its only feature over the observed numbers, all
// quantiles or output j; nil for a model that has not one feature.
func (s shown) function(observed []float64, j int) (*figure.Curves, error) {
	if s.table == nil {
		return nil, nil
	}
	how, stop := s.inv.compute()
	defer stop()
	trace, err := s.model.Trace(s.cmd.Context(), s.table, s.on.Rows.Rows, how)
	if trace == nil || err != nil {
		return nil, err
	}
	c := &figure.Curves{Title: s.model.Method + ": " + brief(s.model.Kernel()), XLabel: trace.Feature, YLabel: s.on.Targets[0].Name, X: trace.X, Y: observed}
	add := func(name string, output int) {
		line := figure.Curve{Name: name, X: trace.At}
		for i := range trace.At {
			line.Y = append(line.Y, trace.Said.Values.At(i, output))
		}
		c.Lines = append(c.Lines, line)
	}
	if s.model.Decision.Rule != outcome.Ordered {
		add("predicted "+s.on.Outputs[j], j)
	} else {
		for k, name := range s.on.Outputs {
			add(name, k)
		}
	}
	if j > 0 && s.model.Decision.Rule != outcome.Ordered {
		return c, nil // intervals are of the first output
	}
	low, high, err := s.model.Within(s.cmd.Context(), trace.Said, coverage, how)
	if low == nil || err != nil {
		return c, err
	}
	c.Bands = []figure.Band{{Name: fmt.Sprintf("%.0f %% of observations", 100*coverage), X: trace.At, Low: low, Top: high}}
	return c, nil
}
