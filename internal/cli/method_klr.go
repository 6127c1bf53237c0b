package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/gram"
	"mercer/klr"
	"mercer/pipeline"
)

var klrLearner = learner{
	name:   "klr",
	short:  "kernel logistic regression",
	labels: true,
	long: `Kernel logistic regression minimises (1/N) Σ wᵢ ln(1 + e^(−yᵢ(f(xᵢ) + b))) + (λ/2)‖f‖² by Newton's method, each step of
which is a weighted kernel ridge regression; more than two classes are multinomial. It gives probabilities.`,
	examples: []string{
		`heart_scale --kernel 'rbf(sigma=median)' --lambda 1e-2`,
		`iris.csv --target species --kernel linear --ridge 1`,
	},
	flags: func() methodFlags { return &klrFlags{} },
	tuned: []string{"lambda"},
}

// klrFlags are the flags of kernel logistic regression.
type klrFlags struct {
	lambda, ridge float64
	noIntercept   bool
}

func (f *klrFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.lambda, "lambda", 0, "λ in (1/N)Σ w·loss + (λ/2)‖f‖²; default 1e-2")
	flags.Float64Var(&f.ridge, "ridge", 0, "Nλ instead of --lambda; 1/C of scikit-learn's LogisticRegression")
	flags.BoolVar(&f.noIntercept, "no-intercept", false, "no free constant")
}

// defaultLogistic is the λ of logistic regression where none is given; it is said so.
const defaultLogistic = 1e-2

func (f *klrFlags) method(cmd *cobra.Command, inv *invocation, _ *pipeline.Problem, compute gram.Options) (pipeline.Method, error) {
	lambda, given := f.lambda, cmd.Flags().Changed("lambda")
	switch ridge := cmd.Flags().Changed("ridge"); {
	case given && ridge:
		return nil, usagef("--lambda and --ridge are two ways to give one number (ridge = Nλ): give one")
	case given && !(lambda > 0), ridge && !(f.ridge > 0):
		return nil, usagef("--lambda is %g and --ridge %g: logistic regression needs a penalty above 0", lambda, f.ridge)
	case !given && !ridge:
		lambda = defaultLogistic
		inv.note("λ = %g (default; give --lambda or --ridge, or let mercer tune choose)", lambda)
	}
	return pipeline.KLR{Options: klr.Options{Lambda: lambda, Ridge: f.ridge, NoIntercept: f.noIntercept, Compute: compute}}, nil
}

func describeLogistic(r *klr.Report, form []string) [][]string {
	return [][]string{
		{"λ", fmt.Sprintf("%s (ridge Nλ = %s)", num(r.Lambda), num(r.Ridge))},
		{"rows", fmt.Sprint(r.N)},
		{"solver", fmt.Sprintf("%s (%s)", r.Solver, r.Why)},
		form,
		{"objective", num(r.Objective)},
		{"Newton", fmt.Sprintf("%d steps, gap %s", r.Newton.Iterations, num(r.Newton.Gap))},
		{"deviance", fmt.Sprintf("%s of %s", num(r.Deviance), num(r.NullDeviance))},
		{"training accuracy", num(r.Accuracy)},
	}
}
