package cli

import (
	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/pca"
)

var vectorComponentLearner = methodSpec{
	name:     "pca",
	short:    "principal components",
	noTarget: true,
	aside:    true,
	kernel:   "linear",
	verb:     embedVerb,
	long: `Principal components are the directions along which the rows, as prepared, vary most about their mean: the right singular
vectors of the centred rows, found exactly or, for a few of many, by randomised block Krylov iteration.`,
	examples: []string{
		`iris.csv --target species --components 2`,
		`wide.csv --components 20 --solver krylov`,
	},
	flags: func() methodFlags { return &vectorComponentFlags{} },
}

// vectorComponentFlags are the flags of principal components.
type vectorComponentFlags struct {
	components int
	solver     string
}

func (f *vectorComponentFlags) register(cmd *cobra.Command) {
	registerComponents(cmd, &f.components)
	cmd.Flags().StringVar(&f.solver, "solver", "auto", "auto, exact or krylov")
	_ = cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions([]string{"auto", "exact", "krylov"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *vectorComponentFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	n, d, _ := p.Dims()
	return learner.PCA{Options: pca.Options{Components: chosenComponents(cmd, f.components, min(n, d)), Solver: pca.Solver(f.solver), Seed: inv.seed, Compute: how}}, nil
}
