package cli

import (
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

var svcLearner = methodSpec{
	name:   "svc",
	short:  "support vector classification",
	labels: true,
	long: `Support vector classification minimises ½‖f‖² + C Σ wᵢ max(0, 1 − yᵢ(f(xᵢ) + b)), as LIBSVM does: C-SVC, the hard margin
with --C inf, or ν-SVC with --nu. More than two classes are told apart by binary problems for pairs of classes, which vote, or by
one for each class (--scheme one-vs-rest); all share one Gram matrix and one set of support vectors. The gap to
the optimum is computed exactly and reported.`,
	examples: []string{
		`heart_scale --kernel 'rbf(gamma=0.0769)' --C 1 --no-standardize`,
		`iris.csv --target species --kernel 'rbf(sigma=median)' --C 10`,
		`train.csv --target fraud --balanced --nu 0.1`,
		`train.csv --target fraud --C 2 --probabilities platt --conformal`,
	},
	held:  heldOut{probabilities: true, conformal: true},
	flags: func() methodFlags { return &svmFlags{kind: svm.CSVC} },
	tuned: []string{"C", "nu"},
}

var svrLearner = methodSpec{
	name:    "svr",
	numbers: true,
	short:   "support vector regression",
	long: `Support vector regression minimises ½‖f‖² + C Σ wᵢ max(0, |yᵢ − f(xᵢ) − b| − ε): errors up to ε are free, and larger ones
count by their size, so that outliers pull less than in least squares. With --nu the tube takes the width that leaves
out about that share of the rows.`,
	examples: []string{
		`train.csv --target price --kernel 'rbf(sigma=median)' --C 10 --epsilon 0.1`,
		`train.csv --target price --nu 0.3`,
	},
	held:  heldOut{conformal: true},
	flags: func() methodFlags { return &svmFlags{kind: svm.EpsilonSVR} },
	tuned: []string{"C", "nu", "epsilon"},
}

var oneClassLearner = methodSpec{
	name:     "one-class",
	short:    "one-class support vector machine",
	noTarget: true,
	long: `The one-class machine learns where the rows lie, without a target: the value of a new row is at least 0 if it looks like
them. At most a share ν of the training rows ends up outside.`,
	examples: []string{
		`normal.csv --kernel 'rbf(sigma=median)' --nu 0.05`,
		`log.csv --id when --kernel 'laplace(sigma=median)' --nu 0.01 --plot normal.png`,
	},
	flags: func() methodFlags { return &svmFlags{kind: svm.OneClass} },
}

// svmFlags are the flags of the support vector machines, those that suit the kind.
type svmFlags struct {
	kind      svm.Type
	c         string
	nu        float64
	epsilon   float64
	tolerance float64
	scheme    string
	balanced  bool
	after     learner.AfterLandmarks
	classes   []string
}

// afterNames are the flags that compare with the exact fit, whose command leaves them out.
var afterNames = []string{"exact-gap", "polish"}

func (f *svmFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	if f.kind != svm.OneClass {
		flags.StringVar(&f.c, "C", "1", "price of an error; inf for the hard margin of a classifier")
	}
	flags.Float64Var(&f.nu, "nu", 0, "ν in (0, 1]: bound on the share of errors (one-class: 0.5; else instead of --C or --epsilon)")
	flags.Float64Var(&f.tolerance, "tolerance", 0, "largest violation of the optimality conditions, as LIBSVM's -e; default 1e-3")
	if f.kind != svm.OneClass {
		flags.BoolVar(&f.after.ExactGap, afterNames[0], false, "with --landmarks or --random-features: report how far the solution is from the best one with the kernel itself; a kernel value for each support vector and row (default: where that is cheap)")
		flags.BoolVar(&f.after.Polish, afterNames[1], false, "with --landmarks or --random-features: search on from there with the kernel itself, among the rows that violate the optimality conditions, to the solution of the exact fit")
	}
	switch f.kind {
	case svm.EpsilonSVR:
		flags.Float64Var(&f.epsilon, "epsilon", 0, "half width of the tube; default 0.1")
	case svm.CSVC:
		flags.StringVar(&f.scheme, "scheme", string(svm.OneVsOne), "binary problems for more than two classes: one-vs-one or one-vs-rest")
		flags.BoolVar(&f.balanced, "balanced", false, "give every class the same total weight")
		flags.StringSliceVar(&f.classes, "class-weight", nil, "price of a class, such as yes=5 (repeatable)")
		_ = cmd.RegisterFlagCompletionFunc("scheme", cobra.FixedCompletions([]string{string(svm.OneVsOne), string(svm.OneVsRest)}, cobra.ShellCompDirectiveNoFileComp))
	}
}

func (f *svmFlags) method(cmd *cobra.Command, _ *invocation, _ *task.Task, how compute.Options) (learner.Learner, error) {
	o := svm.Options{Type: f.kind, Nu: f.nu, Epsilon: f.epsilon, Tolerance: f.tolerance, Scheme: svm.Scheme(f.scheme), Compute: how}
	if f.c != "" {
		c, err := strconv.ParseFloat(f.c, 64)
		if err != nil || !(c > 0) {
			return nil, usagef("--C is %q: it is a number above 0, or inf", f.c)
		}
		o.C = c
	}
	nu := cmd.Flags().Changed("nu")
	if nu && !(f.nu > 0 && f.nu <= 1) {
		return nil, usagef("--nu is %g: it is in (0, 1]", f.nu)
	}
	switch f.kind {
	case svm.OneClass:
		return learner.OneClass{Options: o}, nil
	case svm.EpsilonSVR:
		if nu && cmd.Flags().Changed("epsilon") {
			return nil, usagef("--nu finds the width of the tube that --epsilon gives: give one of the two")
		}
		if nu {
			o.Type = svm.NuSVR
		}
		return learner.SVR{Options: o, AfterLandmarks: f.after}, nil
	}
	if nu && cmd.Flags().Changed("C") {
		return nil, usagef("--nu takes the place of --C: give one of the two")
	}
	if nu {
		o.Type = svm.NuSVC
	}
	classes, err := classWeights(f.classes)
	return learner.SVC{Options: o, Balanced: f.balanced, Classes: classes, AfterLandmarks: f.after}, err
}

// classWeights reads label=weight pairs.
func classWeights(specs []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, spec := range specs {
		at := strings.LastIndex(spec, "=")
		if at < 0 {
			return nil, usagef("--class-weight %q is not of the form label=weight", spec)
		}
		w, err := strconv.ParseFloat(spec[at+1:], 64)
		if err != nil || !(w >= 0) || math.IsInf(w, 1) {
			return nil, usagef("--class-weight %q: %q is not a finite number ≥ 0", spec, spec[at+1:])
		}
		out[spec[:at]] = w
	}
	return out, nil
}
