package learn

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
)

// embedVerb is the verb of methods that find components.
const embedVerb = "embed"

func NewEmbed(inv *verb.Invocation) *cobra.Command {
	return inv.Prints(byMethod(inv, &cobra.Command{
		Use:   "embed [METHOD] TABLE",
		Short: "Find the components along which the rows of a table vary most",
		Long: `embed analyses the rows of a table without a target, tells how much of their variance the components explain, and writes
their scores with -o, a model for new rows with --model (see predict), a picture with --plot. A column named by --target is
kept out of the features and colours the picture.`,
		Example: `  mercer embed kpca iris.csv --target species --kernel 'rbf(sigma=median)' -o scores.csv --plot iris.png
  mercer embed pca wide.csv --components 20 --model wide.mercer
  mercer predict wide.mercer new.csv`,
	}, func(s *learner.Spec) *cobra.Command {
		if s.Verb != embedVerb {
			return nil
		}
		return newDiscovery(inv, s, "scores.csv")
	}), discovery{})
}

// drawComponents draws the rows in the plane of the first two components, and how much of
// the variance they explain.
func (d *discovery) drawComponents() error {
	pic := figure.Views{Scatter: d.scatter(mercer.ViewOf(d.on.Values, d.on.Outputs), d.groups, d.group)}
	if r, ok := d.Report.(components); ok {
		pic.Explained = r.ExplainedRatio()
	}
	return verb.WritePicture(d.cmd, d.Plot, pic)
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
