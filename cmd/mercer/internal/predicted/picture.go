package predicted

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
)

// PictureHelp is the help of --plot where it draws a model over rows.
const PictureHelp = "write a picture, a .png or .svg file: of numbers the function (one feature), fit and residuals; of labels the regions (two features), the margin of svc (two labels), hits against false alarms, and the reliability of probabilities; of components and clusters what embed and cluster draw"

// Picture is a model and what it says of the rows of a table, for a picture of both.
type Picture struct {
	Cmd   *cobra.Command
	Inv   *verb.Invocation
	Model *mercer.Model
	On    *outcome.Prediction
	Table *data.Table // nil: it cannot be read again
	Open  []int       // rows of the table that were learned from without a target
}

// Draw draws what suits the outputs of the model: of numbers the function over one feature
// and its residuals, of labels the regions over two, hits and reliability.
func (s Picture) Draw(plot string) error {
	switch {
	case s.On.FirstNumeric() >= 0 || s.Model.Decision.Rule == outcome.Ordered:
		return s.numbers(plot)
	case s.Model.Decision.Rule == outcome.Sign:
		regions, err := s.regions([]string{"member", "stranger"}, func(i int) int {
			if s.On.Values.At(i, 0) < 0 {
				return 1
			}
			return 0
		})
		if err != nil {
			return err
		}
		return verb.WritePicture(s.Cmd, plot, figure.Classes{Title: s.Model.Method, Regions: regions})
	}
	return s.labels(plot)
}

// labels draws how well the classes of the only target are told apart.
func (s Picture) labels(plot string) error {
	curves, err := s.On.Curves()
	if err != nil {
		return err
	}
	target := s.On.Targets[0]
	pic := figure.Classes{Title: s.Model.Method + ": " + target.Name}
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
	if pic.Regions, err = s.regions(target.Labels, func(i int) int { return target.Class(s.On.Rows.Y.RawRowView(i)) }); err != nil {
		return err
	}
	pic.Margin = s.margin(target)
	return verb.WritePicture(s.Cmd, plot, pic)
}

// margin shows how the rows of two classes lie about the margin of a support vector machine; nil
// for any other model.
func (s Picture) margin(target prep.Target) *figure.Margin {
	report, has := s.Model.Report.(interface {
		Margin() (rows, support, bounded int, ok bool)
	})
	if !has {
		return nil
	}
	rows, support, bounded, ok := report.Margin()
	if !ok {
		return nil
	}
	m := &figure.Margin{Labels: target.Labels, Values: make([][]float64, len(target.Labels)),
		Title: fmt.Sprintf("%d support vectors of %d rows, %d at the bound", support, rows, bounded)}
	n, _ := s.On.Values.Dims()
	for i := range n {
		class := target.Class(s.On.Rows.Y.RawRowView(i))
		m.Values[class] = append(m.Values[class], s.On.Values.At(i, 0))
	}
	return m
}

// regions returns what the model says around the rows, which have classes; nil for a model
// that has not two features.
func (s Picture) regions(labels []string, class func(row int) int) (*figure.Regions, error) {
	if s.Table == nil {
		return nil, nil
	}
	how, stop := s.Inv.Compute()
	defer stop()
	const side = 160
	plane, err := s.Model.Plane(s.Cmd.Context(), s.Table, side, how)
	if plane == nil || err != nil {
		return nil, err
	}
	r := &figure.Regions{X: plane.X, Y: plane.Y, Labels: labels, Xs: plane.Xs, Ys: plane.Ys, Class: plane.Class, Sure: plane.Sure}
	x, err := s.Table.Find(plane.X)
	if err != nil {
		return nil, err
	}
	y, err := s.Table.Find(plane.Y)
	if err != nil {
		return nil, err
	}
	for i, row := range s.On.Rows.Rows {
		r.Points = append(r.Points, figure.Point{X: s.Table.Columns[x].Numbers[row], Y: s.Table.Columns[y].Numbers[row], Class: class(i)})
	}
	for _, row := range s.Open {
		r.Open = append(r.Open, figure.Point{X: s.Table.Columns[x].Numbers[row], Y: s.Table.Columns[y].Numbers[row]})
	}
	return r, nil
}

// numbers draws the first numeric target, or the quantile that is nearest to the median.
func (s Picture) numbers(plot string) error {
	j, y := max(0, s.On.FirstNumeric()), max(0, s.On.FirstNumeric())
	if s.Model.Decision.Rule == outcome.Ordered {
		y = 0
		for k, tau := range s.Model.Decision.Taus {
			if math.Abs(tau-0.5) < math.Abs(s.Model.Decision.Taus[j]-0.5) {
				j = k
			}
		}
	}
	n, _ := s.On.Values.Dims()
	pic := figure.Fit{Title: s.Model.Method, Target: s.On.Outputs[j]}
	for i := range n {
		pic.Observed = append(pic.Observed, s.On.Rows.Y.At(i, y))
		pic.Predicted = append(pic.Predicted, s.On.Values.At(i, j))
	}
	var err error
	if pic.Curves, err = s.function(pic.Observed, j); err != nil {
		return err
	}
	return verb.WritePicture(s.Cmd, plot, pic)
}

// coverage is that of the bands in pictures.
const coverage = 0.9

// function draws what the model says along its only feature over the observed numbers, all
// quantiles or output j; nil for a model that has not one feature.
func (s Picture) function(observed []float64, j int) (*figure.Curves, error) {
	if s.Table == nil {
		return nil, nil
	}
	how, stop := s.Inv.Compute()
	defer stop()
	trace, err := s.Model.Trace(s.Cmd.Context(), s.Table, s.On.Rows.Rows, how)
	if trace == nil || err != nil {
		return nil, err
	}
	c := &figure.Curves{Title: s.Model.Method + ": " + verb.Brief(s.Model.Kernel()), XLabel: trace.Feature, YLabel: s.On.Targets[0].Name, X: trace.X, Y: observed}
	add := func(name string, output int) {
		line := figure.Curve{Name: name, X: trace.At}
		for i := range trace.At {
			line.Y = append(line.Y, trace.Said.Values.At(i, output))
		}
		c.Lines = append(c.Lines, line)
	}
	if s.Model.Decision.Rule != outcome.Ordered {
		add("predicted "+s.On.Outputs[j], j)
	} else {
		for k, name := range s.On.Outputs {
			add(name, k)
		}
	}
	if j > 0 && s.Model.Decision.Rule != outcome.Ordered {
		return c, nil // intervals are of the first output
	}
	low, high, err := s.Model.Within(s.Cmd.Context(), trace.Said, coverage, how)
	if low == nil || err != nil {
		return c, err
	}
	c.Bands = []figure.Band{{Name: fmt.Sprintf("%.0f %% of observations", 100*coverage), X: trace.At, Low: low, Top: high}}
	return c, nil
}
