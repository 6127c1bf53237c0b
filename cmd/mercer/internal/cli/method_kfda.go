package cli

import (
	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/task"
)

var discriminantLearner = methodSpec{
	name:   "kfda",
	short:  "kernel Fisher discriminant",
	labels: true,
	long: `The kernel Fisher discriminant finds the directions v of feature space with the largest scatter between the classes beside
the scatter within them, ⟨v, S_b v⟩/⟨v, (S_w + λI) v⟩: at most one less than there are classes. predict gives the
coordinates along them (.LD1, .LD2, …), the class whose centre is nearest, and probabilities; they are those of linear
discriminant analysis in feature space.`,
	examples: []string{
		`iris.csv --target species --kernel 'rbf(sigma=median)' --lambda 1e-3`,
		`train.csv --target kind --directions 2 --equal-priors`,
	},
	flags: func() methodFlags { return &discriminantFlags{} },
	tuned: []string{"lambda"},
}

var barycentreLearner = methodSpec{
	name:   "barycentre",
	short:  "nearest class mean in feature space",
	labels: true,
	long: `Every class is its mean in feature space, and a row belongs to the class whose mean is nearest: ‖φ(x) − m_c‖² takes kernel
values alone. There is nothing to choose but the kernel, and nothing to solve.`,
	examples: []string{
		`iris.csv --target species --kernel 'rbf(sigma=1)'`,
		`train.csv --target kind --kernel 'rbf(sigma=median)' --landmarks 500`,
	},
	flags: func() methodFlags { return barycentreFlags{} },
	tuned: []string{},
}

// discriminantFlags are the flags of the Fisher discriminant.
type discriminantFlags struct {
	systems       systemFlags
	lambda, ridge float64
	directions    int
	equal         bool
}

func (f *discriminantFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.lambda, "lambda", 0, "λ added to the scatter within the classes; default 1e-2")
	flags.Float64Var(&f.ridge, "ridge", 0, "Nλ instead of --lambda")
	flags.IntVar(&f.directions, "directions", 0, "how many directions to keep; default: all")
	f.systems.register(cmd)
	flags.BoolVar(&f.equal, "equal-priors", false, "take the classes for equally probable, not as frequent as in the table")
}

func (f *discriminantFlags) method(cmd *cobra.Command, inv *invocation, p *task.Task, how compute.Options) (learner.Learner, error) {
	penalty := penaltyFlags{lambda: f.lambda, ridge: f.ridge}
	lambda, err := penalty.chosen(cmd, inv)
	if err != nil {
		return nil, err
	}
	if f.directions < 0 {
		return nil, usagef("--directions is %d: it is a number above 0", f.directions)
	}
	solver, how, err := f.systems.chosen(how)
	return learner.KFDA{Options: kfda.Options{Lambda: lambda, Ridge: f.ridge, Directions: f.directions, Solver: solver, Compute: how}, EqualPriors: f.equal}, err
}

// barycentreFlags are none.
type barycentreFlags struct{}

func (barycentreFlags) register(*cobra.Command) {}

func (barycentreFlags) method(_ *cobra.Command, _ *invocation, _ *task.Task, how compute.Options) (learner.Learner, error) {
	return learner.Barycentre{BarycentreOptions: kfda.BarycentreOptions{Compute: how}}, nil
}
