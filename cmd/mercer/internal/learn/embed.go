package learn

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
	"example.org/mercer/learner"
)

// embedVerb is the verb of methods that find components or coordinates.
const embedVerb = "embed"

func NewEmbed(inv *verb.Invocation) *cobra.Command {
	return inv.Prints(byMethod(inv, &cobra.Command{
		Use:   "embed [METHOD] TABLE",
		Short: "Find a few coordinates of the rows of a table: components, or places on a surface",
		Long: `embed gives the rows of a table a few coordinates without a target: components along which they vary most, or coordinates on a surface
that they lie on. It tells how much they explain, and writes them with -o, a model for new rows with --model (see predict), a
picture with --plot. A column named by --target is kept out of the features and colours the picture.`,
		Example: `  mercer embed kpca iris.csv --target species --kernel 'rbf(sigma=median)' -o scores.csv --plot iris.png
  mercer embed isomap roll.csv --target t --neighbours 8 --model roll.mercer --plot roll.png
  mercer embed pca wide.csv --components 20 --model wide.mercer
  mercer predict wide.mercer new.csv`,
	}, func(s *learner.Spec) *cobra.Command {
		if s.Verb != embedVerb {
			return nil
		}
		return newDiscovery(inv, s, "scores.csv")
	}), discovery{}, Planned{})
}

// drawComponents draws the rows in the plane of the first two components or coordinates, and how
// much of the variance they explain.
func (d *discovery) drawComponents() error {
	groups, shades := d.groups, d.shades()
	if shades != nil {
		groups = nil
	}
	pic := figure.Views{Scatter: d.scatter(mercer.ViewOf(d.on.Values, d.on.Outputs), groups, d.group)}
	pic.Scatter.Values, pic.Scatter.Value = shades, d.target
	if r, ok := d.Report.(components); ok {
		pic.Explained = r.ExplainedRatio()
	}
	return verb.WritePicture(d.cmd, d.Plot, pic)
}

// fewestShades is the number of different numbers from which on a target is drawn as a number, and
// not as so many groups.
const fewestShades = 11

// shades returns the numbers of a numeric target of many values, NaN where one is missing; nil: it
// is none.
func (d *discovery) shades() []float64 {
	if column, _ := d.problem.Raw.Column(d.target); len(d.groups) < fewestShades || column.Kind != data.Numeric {
		return nil
	}
	numbers := make([]float64, len(d.groups))
	for i, cell := range d.groups {
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			v = math.NaN()
		}
		numbers[i] = v
	}
	return data.Pick(numbers, d.group)
}

// scatter is the picture of the rows in a plane, in groups.
func (d *discovery) scatter(v *mercer.View, names []string, group []int) *figure.Scatter {
	s := &figure.Scatter{Title: fmt.Sprintf("%s: %s", d.Method, filepath.Base(d.problem.Source)), X: v.X, Y: v.Y, Groups: names}
	for i, p := range v.Points {
		q := figure.Point{X: p[0], Y: p[1]}
		if names != nil {
			q.Class = group[i]
		}
		s.Points = append(s.Points, q)
	}
	return s
}
