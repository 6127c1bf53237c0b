package learn

import (
	"github.com/spf13/cobra"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data/graph"
	"example.org/mercer/learner"
	"example.org/mercer/metric"
	"example.org/mercer/task"
)

// clusterVerb is the verb of methods that find clusters.
const clusterVerb = "cluster"

// agreement compares clusters with the labels of a column that the method was not told.
type agreement struct {
	Target       string      `json:"target"`
	Labels       int         `json:"labels"`
	AdjustedRand verb.Number `json:"adjusted_rand"`
	Information  verb.Number `json:"normalized_information"`
}

func NewCluster(inv *verb.Invocation) *cobra.Command {
	return inv.Prints(byMethod(inv, &cobra.Command{
		Use:   "cluster [METHOD] TABLE",
		Short: "Find clusters of the rows of a table",
		Long: `cluster groups the rows of a table without a target, and writes the cluster of every row with -o, a model for new rows with --model
(see predict), a picture with --plot: the rows in a plane, and how well the clusters are apart; or the graph, if the kernel is on its nodes. A column named by --target is kept out
of the features and compared with the clusters: adjusted Rand index and normalised mutual information.`,
		Example: `  mercer cluster kmeans iris.csv --target species --clusters 3 -o labels.csv --plot iris.png
  mercer cluster kernel-kmeans rings.csv --clusters 2 --kernel 'rbf(sigma=0.5)' --model rings.mercer
  mercer cluster spectral rings.csv --clusters 2..10 --kernel 'rbf(sigma=0.3)'
  mercer cluster gmm faithful.csv --clusters 1..6 --shape full,tied --by bic --plot faithful.png
  mercer predict rings.mercer new.csv`,
	}, func(s *learner.Spec) *cobra.Command {
		if s.Verb != clusterVerb {
			return nil
		}
		return newDiscovery(inv, s, "labels.csv")
	}), discovery{}, Planned{})
}

// agree compares the clusters with the groups of the target.
func (d *discovery) agree() {
	if d.groups == nil || d.labels == nil {
		return
	}
	w := d.problem.Rows.W
	d.Agreement = &agreement{Target: d.target, Labels: len(d.groups),
		AdjustedRand: verb.Number(metric.AdjustedRand(d.group, d.labels, w)), Information: verb.Number(metric.NormalizedInformation(d.group, d.labels, w))}
}

// drawClusters draws the clusters in a plane, with the ellipses of a mixture, and their
// silhouettes where there are two clusters; on the nodes of a graph that is not too large, the
// graph.
func (d *discovery) drawClusters(inv *verb.Invocation) error {
	how, stop := inv.Compute()
	defer stop()
	ctx, labels := d.cmd.Context(), d.on.Clusters()
	if g := d.problem.Graph(); g != nil && g.Len() <= graph.LayoutLimit {
		return d.drawGraph(inv, g, labels)
	}
	view, err := mercer.ViewRows(ctx, d.problem, how)
	if err != nil {
		return err
	}
	pic := figure.Views{Scatter: d.scatter(view, d.on.Outputs, labels)}
	if _, mixed := task.MixtureOf(d.fitted.Function); mixed && view.Linear() {
		shadows, err := view.Shadows(d.fitted, d.problem)
		if err != nil {
			return err
		}
		for j, s := range shadows {
			pic.Scatter.Ellipses = append(pic.Scatter.Ellipses, figure.Ellipse{Mean: s.Mean, Covariance: s.Covariance, Class: j})
		}
		pic.Scatter.Title += ", 50 and 95 %"
	}
	if values, mean, err := mercer.Silhouettes(ctx, d.problem, labels, how); err == nil {
		pic.Silhouettes = &figure.Silhouettes{Values: values, Clusters: labels, Names: d.on.Outputs, Mean: mean}
	} else if ctx.Err() != nil {
		return err
	}
	return verb.WritePicture(d.cmd, d.Plot, pic)
}
