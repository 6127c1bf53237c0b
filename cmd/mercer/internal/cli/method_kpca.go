package cli

import (
	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
)

var componentLearner = methodSpec{
	name:     "kpca",
	short:    "kernel principal components",
	noTarget: true,
	aside:    true,
	verb:     embedVerb,
	long: `Kernel principal components are the directions v of feature space along which the rows vary most about their mean μ; the
score of a row is ⟨v, φ(x) − μ⟩, an expansion in the kernel. With the linear kernel they are principal components. One triangle of
the Gram matrix is enough for a few components (--precision single: of 4-byte numbers), and with --max-mem none. With --landmarks or
--random-features no matrix of the rows is made, and a table larger than memory is read in passes (--out-of-core).`,
	examples: []string{
		`iris.csv --target species --kernel 'rbf(sigma=median)' --components 2`,
		`digits.csv --target digit --kernel 'rbf(sigma=median)' --components 20 --precision single --max-mem 2GiB`,
		`sky.csv --kernel 'rbf(sigma=median)' --landmarks 500 --components 5 --out-of-core`,
	},
	flags: func() methodFlags { return &componentFlags{} },
}

// componentFlags are the flags of kernel principal components.
type componentFlags struct {
	components        int
	solver, precision string
	tolerance         float64
}

func (f *componentFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	registerComponents(cmd, &f.components)
	flags.StringVar(&f.solver, "solver", "auto", "auto, exact or lanczos; with landmarks or random features primal: of their covariance")
	flags.StringVar(&f.precision, "precision", compute.Double.String(), "double, or single: a matrix of 4-byte numbers, for lanczos")
	flags.Float64Var(&f.tolerance, "tolerance", 0, "largest residual of lanczos, relative to the largest variance; default 1e-8")
	_ = cmd.RegisterFlagCompletionFunc("precision", cobra.FixedCompletions(precisions, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions([]string{"auto", "exact", "lanczos", "primal"}, cobra.ShellCompDirectiveNoFileComp))
}

// registerComponents adds the flag for the number of components.
func registerComponents(cmd *cobra.Command, to *int) {
	cmd.Flags().IntVar(to, "components", 2, "how many components; 0: all of positive variance")
}

// chosenComponents is the number of components that was asked for, or of those there can be.
func chosenComponents(cmd *cobra.Command, asked, most int) int {
	if cmd.Flags().Changed("components") {
		return asked
	}
	return min(asked, most)
}

func (f *componentFlags) method(cmd *cobra.Command, _ *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	how, err := inPrecision(how, f.precision)
	if err != nil {
		return nil, err
	}
	n, _, _ := p.Dims()
	return learner.KPCA{Options: kpca.Options{Components: chosenComponents(cmd, f.components, n), Solver: kpca.Solver(f.solver), Tolerance: f.tolerance, Compute: how}}, nil
}
