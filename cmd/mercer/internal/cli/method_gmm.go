package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
)

var mixtureLearner = methodSpec{
	name:     "gmm",
	short:    "mixture of Gaussians",
	noTarget: true,
	aside:    true,
	kernel:   "linear",
	verb:     clusterVerb,
	long: `A mixture of Gaussians Σ π_j N(x | μ_j, Σ_j), made likely by EM from several starts by k-means. predict gives the most probable
component, the probability of each, and the logarithm of the density. Ranges of --clusters and several --shape are compared by
--by: bic, aic or icl; smaller is better. Mixtures whose covariances have collapsed to the floor are passed over.`,
	examples: []string{
		`faithful.csv --clusters 3 --shape tied --no-standardize`,
		`faithful.csv --clusters 1..6 --shape full,tied,diagonal,spherical --by bic`,
	},
	flags: func() methodFlags { return &mixtureFlags{} },
}

// mixtureFlags are the flags of mixtures.
type mixtureFlags struct {
	clusters string
	shapes   []string
	by       string
	restarts int
	limit    int
	floor    float64
}

func (f *mixtureFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	registerClusters(cmd, &f.clusters, "--by")
	flags.StringSliceVar(&f.shapes, "shape", []string{string(gmm.Full)}, "covariances: full, tied, diagonal, spherical, or several to choose from")
	flags.StringVar(&f.by, "by", string(gmm.BIC), "criterion of the choice: bic, aic or icl")
	flags.IntVar(&f.restarts, "restarts", 0, "starts, of which the likeliest result is kept; default 5")
	flags.IntVar(&f.limit, "iterations", 0, "limit of the iterations of a start; default 500")
	flags.Float64Var(&f.floor, "floor", 0, "least variance in any direction; default 1e-6 of the mean variance of the columns")
	_ = cmd.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"bic", "aic", "icl"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *mixtureFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	k, err := clusterRange(cmd, f.clusters, p)
	if err != nil {
		return nil, err
	}
	choices := gmm.Choices{Least: k.Least, Most: k.Most, By: gmm.Criterion(f.by)}
	for _, name := range f.shapes {
		shape := gmm.Shape(name)
		if !slices.Contains(gmm.Shapes, shape) {
			return nil, usagef("--shape %q is not known; there are full, tied, diagonal and spherical", name)
		}
		choices.Shapes = append(choices.Shapes, shape)
	}
	if !slices.Contains(gmm.Criteria, choices.By) {
		return nil, usagef("--by %q is not known; there are bic, aic and icl", f.by)
	}
	return learner.GMM{Choices: choices,
		Options: gmm.Options{Restarts: f.restarts, MaxIterations: f.limit, Floor: f.floor, Seed: inv.seed, Compute: how}}, nil
}
