package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

var meansLearner = methodSpec{
	name:     "kmeans",
	short:    "k-means",
	noTarget: true,
	aside:    true,
	kernel:   "linear",
	verb:     clusterVerb,
	long: `k-means finds clusters with a small sum of squared distances of the rows, as prepared, to the means of their clusters: Lloyd's
iteration from several starts by k-means++. A range such as --clusters 2..10 compares the clusterings by their mean silhouette, of all
rows or of some (--silhouette-rows).`,
	examples: []string{
		`iris.csv --target species --clusters 3`,
		`customers.csv --clusters 2..10`,
	},
	flags: func() methodFlags { return &clusterFlags{kind: learner.KMeans{}.Name()} },
}

var kernelMeansLearner = methodSpec{
	name:     "kernel-kmeans",
	short:    "k-means in feature space",
	noTarget: true,
	aside:    true,
	verb:     clusterVerb,
	long: `k-means in the feature space of the kernel: the means are combinations of the φ(xᵢ), and distances to them sums of kernel values.
Clusters need not be convex, and rows need not be vectors. A range such as --clusters 2..10 compares by the mean silhouette there. With
--landmarks or --random-features it is k-means of the rows of these, also of a table larger than memory (--out-of-core).`,
	examples: []string{
		`rings.csv --clusters 2 --kernel 'rbf(sigma=0.5)'`,
		`people.csv --id id --clusters 2..6 --kernel 'gram(file="K.npy")'`,
		`sky.csv --clusters 5 --landmarks 500 --out-of-core`,
	},
	flags: func() methodFlags { return &clusterFlags{kind: learner.KernelKMeans{}.Name()} },
}

var spectralLearner = methodSpec{
	name:     "spectral",
	short:    "spectral clustering",
	noTarget: true,
	aside:    true,
	verb:     clusterVerb,
	long: `Spectral clustering cuts the graph whose affinities are the values of the kernel into parts with small normalised cut: k-means on
eigenvectors of the normalised affinities, refined by weighted kernel k-means, which also says where new rows belong. A range such as
--clusters 2..10 takes the number after which the eigenvalues fall most. With --landmarks or --random-features no matrix of the rows
is made, and the table may be larger than memory (--out-of-core).`,
	examples: []string{
		`rings.csv --clusters 2 --kernel 'rbf(sigma=0.3)'`,
		`rings.csv --clusters 2..8 --kernel 'rbf(sigma=0.3)'`,
		`sky.csv --clusters 2..8 --landmarks 500 --out-of-core`,
	},
	flags: func() methodFlags { return &clusterFlags{kind: learner.Spectral{}.Name()} },
}

// clusterFlags are the flags of the methods of package kmeans.
type clusterFlags struct {
	kind      string
	clusters  string
	precision string
	restarts  int
	judges    int
	limit     int
}

// registerClusters adds the flag for the number of clusters.
func registerClusters(cmd *cobra.Command, to *string, by string) {
	cmd.Flags().StringVar(to, "clusters", "2..10", "how many clusters, or a range to choose from by "+by)
}

func (f *clusterFlags) register(cmd *cobra.Command) {
	by := "the mean silhouette"
	if f.kind == (learner.Spectral{}).Name() {
		by = "the eigengap"
	}
	registerClusters(cmd, &f.clusters, by)
	cmd.Flags().IntVar(&f.restarts, "restarts", 0, "starts, of which the best result is kept; default 10")
	cmd.Flags().IntVar(&f.limit, "iterations", 0, "limit of the iterations of a start; default 300")
	if f.kind != (learner.Spectral{}).Name() {
		cmd.Flags().IntVar(&f.judges, "silhouette-rows", 0, "compare a range of --clusters by the silhouettes of so many rows, drawn at random; default all, and 4096 of a table that is read in passes")
	}
	if f.kind != (learner.KMeans{}).Name() {
		cmd.Flags().StringVar(&f.precision, "precision", compute.Double.String(), "double, or single: a matrix of 4-byte numbers")
		_ = cmd.RegisterFlagCompletionFunc("precision", cobra.FixedCompletions(precisions, cobra.ShellCompDirectiveNoFileComp))
	}
}

func (f *clusterFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	k, err := clusterRange(cmd, f.clusters, p)
	if err != nil {
		return nil, err
	}
	if f.judges < 0 || f.judges == 1 {
		return nil, usagef("--silhouette-rows is %d: a silhouette needs two rows at least", f.judges)
	}
	if f.precision != "" {
		if how, err = inPrecision(how, f.precision); err != nil {
			return nil, err
		}
	}
	o := kmeans.Options{Restarts: f.restarts, MaxIterations: f.limit, Seed: inv.seed, Compute: how}
	switch f.kind {
	case learner.KMeans{}.Name():
		return learner.KMeans{Options: o, Clusters: k, SilhouetteRows: f.judges}, nil
	case learner.KernelKMeans{}.Name():
		return learner.KernelKMeans{Options: o, Clusters: k, SilhouetteRows: f.judges}, nil
	}
	return learner.Spectral{Options: o, Clusters: k}, nil
}

// clusterRange reads "3" or "2..10"; the default ends at the number of rows.
func clusterRange(cmd *cobra.Command, text string, p *task.Task) (kmeans.Range, error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		high = low
	}
	least, err1 := strconv.Atoi(low)
	most, err2 := strconv.Atoi(high)
	if err1 != nil || err2 != nil || least < 1 || most < least {
		return kmeans.Range{}, usagef("--clusters is %q: give a number such as 3, or a range such as 2..10", text)
	}
	if n, _, _ := p.Dims(); !cmd.Flags().Changed("clusters") {
		most = max(least, min(most, n-1))
	}
	return kmeans.Range{Least: least, Most: most}, nil
}
