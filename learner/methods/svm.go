package methods

import (
	"context"
	"errors"
	"fmt"

	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// SVC is classification by support vector machines: C-SVC or ν-SVC. Its options take
// the row weights from the problem.
type SVC struct {
	svm.Options
	// Balanced gives every class the same total weight.
	Balanced bool
	// Classes are weights of labels, by which those of their rows are multiplied; a
	// label that is not named has 1.
	Classes map[string]float64
	Refinement
}

// SVR is regression by support vector machines: ε-SVR or ν-SVR.
type SVR struct {
	svm.Options
	Refinement
}

// OneClass learns where the rows lie, without a target.
type OneClass struct{ svm.Options }

// Name returns "svc".
func (SVC) Name() string { return "svc" }

// Name returns "svr".
func (SVR) Name() string { return "svr" }

// Name returns "one-class".
func (OneClass) Name() string { return "one-class" }

// ComputeOptions are those of the fit.
func (o SVC) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
// axes are C, from a quarter to 2^10, or ν.
func (o SVC) Axes(*task.Task) []tune.Axis {
	if o.Type == svm.NuSVC {
		return []tune.Axis{{Name: "nu", Values: []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}}}
	}
	return []tune.Axis{tune.Powers("C", 2, -2, 10, 2).SimplerAt(tune.Below)}
}

func (o SVC) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// ComputeOptions are those of the fit.
func (o SVR) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o SVR) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// ComputeOptions are those of the fit.
func (o OneClass) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o OneClass) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o SVC) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if p.Indefinite != "" {
		return learner.FitOnGram(ctx, p, o)
	}
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	if o.Weights, err = o.weigh(t, y, p.Rows.W); err != nil {
		return nil, err
	}
	return o.fit(ctx, p, problem{
		o:     o.Options,
		solve: func(rows svm.Rows) (*svm.Solution, *svm.Report, error) { return svm.Solve(ctx, rows, y, o.Options) },
		from: func(rows svm.Dual, start svm.Start) (*svm.Solution, *svm.Report, error) {
			return svm.SolveFrom(ctx, rows, y, start, o.Options)
		},
	}, func(r *svm.Report) outcome.Decision { return outcome.ForVotes(t, r.Decision) })
}

func (o SVR) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if p.Indefinite != "" {
		return learner.FitOnGram(ctx, p, o)
	}
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	return o.fit(ctx, p, problem{
		o: o.Options,
		solve: func(rows svm.Rows) (*svm.Solution, *svm.Report, error) {
			return svm.SolveRegression(ctx, rows, y, o.Options)
		},
		from: func(rows svm.Dual, start svm.Start) (*svm.Solution, *svm.Report, error) {
			return svm.SolveRegressionFrom(ctx, rows, y, start, o.Options)
		},
	}, func(*svm.Report) outcome.Decision { return outcome.ForTargets(p.Prep) })
}

func (o OneClass) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if p.Indefinite != "" {
		return learner.FitOnGram(ctx, p, o)
	}
	o.Type, o.Weights = svm.OneClass, p.Rows.W
	return Refinement{}.fit(ctx, p, problem{
		o: o.Options,
		solve: func(rows svm.Rows) (*svm.Solution, *svm.Report, error) {
			return svm.SolveOneClass(ctx, rows, o.Options)
		},
	}, func(*svm.Report) outcome.Decision { return outcome.ForMembers() })
}

// FunctionOnly is without what follows with the kernel itself.
func (o SVC) FunctionOnly() learner.Learner {
	o.Refinement = Refinement{}
	return o
}

// FunctionOnly is without what follows with the kernel itself.
func (o SVR) FunctionOnly() learner.Learner {
	o.Refinement = Refinement{}
	return o
}

// SolvePath solves for rising values of C, each search from the solution of the one before.
func (o SVC) SolvePath(ctx context.Context, k gram.Operator, p *task.Task, values [][]float64) ([]*learner.Solution, error) {
	if o.ExactGap || o.Refine {
		return nil, errWholeMatrix
	}
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	if o.Weights, err = o.weigh(t, y, p.Rows.W); err != nil {
		return nil, err
	}
	if o.Type == svm.NuSVC {
		return nil, errors.New("learner: there is no path of ν")
	}
	cs := make([]float64, len(values))
	for i, v := range values {
		cs[i] = v[0]
	}
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	solutions, reports, err := svm.Path(ctx, src, y, cs, o.Options)
	if err != nil {
		return nil, err
	}
	out := make([]*learner.Solution, len(values))
	for i, s := range solutions {
		out[i] = &learner.Solution{Coef: s.All(src.Len()), Bias: s.Bias, Decision: outcome.ForVotes(t, reports[i].Decision), Report: reports[i]}
	}
	return out, nil
}

func (o SVC) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	if o.ExactGap || o.Refine {
		return nil, errWholeMatrix
	}
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	if o.Weights, err = o.weigh(t, y, p.Rows.W); err != nil {
		return nil, err
	}
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	s, r, err := svm.Solve(ctx, svm.Dual{Source: src}, y, o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: s.All(src.Len()), Bias: s.Bias, Decision: outcome.ForVotes(t, r.Decision), Report: r}, nil
}

// weigh returns the weights of the rows with those of their classes.
func (o SVC) weigh(t prep.Target, y []int, rows []float64) ([]float64, error) {
	var err error
	if o.Balanced {
		if rows, err = svm.Balanced(y, rows); err != nil {
			return nil, err
		}
	}
	if len(o.Classes) == 0 {
		return rows, nil
	}
	classes, known := make([]float64, len(t.Labels)), 0
	for c, label := range t.Labels {
		classes[c] = 1
		if w, ok := o.Classes[label]; ok {
			classes[c] = w
			known++
		}
	}
	if known < len(o.Classes) {
		return nil, fmt.Errorf("learner: weights are given for the labels %v, and target %s has %q", o.Classes, t.Name, t.Labels)
	}
	return svm.PerClass(y, classes, rows)
}

func (o SVR) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	if o.ExactGap || o.Refine {
		return nil, errWholeMatrix
	}
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	s, r, err := svm.SolveRegression(ctx, svm.Dual{Source: src}, y, o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: s.All(src.Len()), Bias: s.Bias, Decision: outcome.ForTargets(p.Prep), Report: r}, nil
}

func (o OneClass) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	o.Type, o.Weights = svm.OneClass, p.Rows.W
	src, err := gram.SourceOf(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	s, r, err := svm.SolveOneClass(ctx, svm.Dual{Source: src}, o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: s.All(src.Len()), Bias: s.Bias, Decision: outcome.ForMembers(), Report: r}, nil
}

func (o SVC) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	after := o.Refinement
	o.Refinement = Refinement{} // not of the sample that is timed
	plan, err := planSVM(ctx, p, o, o.Options, o.variables(p))
	return after.Plan(p, plan, err, o.Compute)
}

func (o SVC) WhyNotStreamed(p *task.Task) string { return o.Refinement.WhyNotStreamed(p, o.Options) }
func (o SVR) WhyNotStreamed(p *task.Task) string { return o.Refinement.WhyNotStreamed(p, o.Options) }
func (o OneClass) WhyNotStreamed(p *task.Task) string {
	return Refinement{}.WhyNotStreamed(p, o.Options)
}

func (o SVC) Mappings(p *task.Task) int      { return svmMaps(p, o.Options, o.variables(p)) }
func (o SVR) Mappings(p *task.Task) int      { return svmMaps(p, o.Options, variables{2, 1}) }
func (o OneClass) Mappings(p *task.Task) int { return svmMaps(p, o.Options, variables{1, 1}) }

func (o SVR) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	after := o.Refinement
	o.Refinement = Refinement{}
	plan, err := planSVM(ctx, p, o, o.Options, variables{2, 1})
	return after.Plan(p, plan, err, o.Compute)
}

func (o OneClass) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	return planSVM(ctx, p, o, o.Options, variables{1, 1})
}

var svcSpec = &learner.Spec{
	Name: "svc", Synonyms: []string{"svm", "classification"}, Default: learner.LabelTarget,
	Title:  "support vector classification",
	Target: learner.LabelTarget,
	Purpose: `Support vector classification minimises ½‖f‖² + C Σ wᵢ max(0, 1 − yᵢ(f(xᵢ) + b)), as LIBSVM does: C-SVC, the hard margin
with --C inf, or ν-SVC with --nu. More than two classes are told apart by binary problems for pairs of classes, which vote, or by
one for each class (--scheme one-vs-rest); all share one Gram matrix and one set of support vectors. The gap to
the optimum is computed exactly and reported.`,
	Examples: []string{
		`heart_scale --kernel 'rbf(gamma=0.0769)' --C 1 --no-standardize`,
		`iris.csv --target species --kernel 'rbf(sigma=median)' --C 10`,
		`train.csv --target fraud --balanced --nu 0.1`,
		`train.csv --target fraud --C 2 --probabilities platt --conformal`,
	},
	Probabilities: true,
	Conformal:     true,
	Settings:      func() learner.Settings { return &svmSettings{kind: svm.CSVC} },
	ReadReport:    learner.PlainReport[svm.Report],
	Tuned:         []string{"C", "nu"},
	Words: map[string][]string{
		"scheme": settings.Words(svm.OneVsOne, svm.OneVsRest),
	},
	Approximate: afterNames,
}

var svrSpec = &learner.Spec{
	Name: "svr", Synonyms: []string{"svm"},
	Title:  "support vector regression",
	Target: learner.NumericTarget,
	Purpose: `Support vector regression minimises ½‖f‖² + C Σ wᵢ max(0, |yᵢ − f(xᵢ) − b| − ε): errors up to ε are free, and larger ones
count by their size, so that outliers pull less than in least squares. With --nu the tube takes the width that leaves
out about that share of the rows.`,
	Examples: []string{
		`train.csv --target price --kernel 'rbf(sigma=median)' --C 10 --epsilon 0.1`,
		`train.csv --target price --nu 0.3`,
	},
	Conformal:   true,
	Settings:    func() learner.Settings { return &svmSettings{kind: svm.EpsilonSVR} },
	ReadReport:  learner.PlainReport[svm.Report],
	Tuned:       []string{"C", "nu", "epsilon"},
	Approximate: afterNames,
}

var oneClassSpec = &learner.Spec{
	Name: "one-class", Synonyms: []string{"oneclass", "one-class-svm", "novelty"},
	Title:  "one-class support vector machine",
	Target: learner.NoTarget,
	Purpose: `The one-class machine learns where the rows lie, without a target: the value of a new row is at least 0 if it looks like
them. At most a share ν of the training rows ends up outside.`,
	Examples: []string{
		`normal.csv --kernel 'rbf(sigma=median)' --nu 0.05`,
		`log.csv --id when --kernel 'laplace(sigma=median)' --nu 0.01 --plot normal.png`,
	},
	Settings:   func() learner.Settings { return &svmSettings{kind: svm.OneClass} },
	ReadReport: learner.PlainReport[svm.Report],
}

// svmSettings are the settings of the support vector machines, those that suit the kind.
type svmSettings struct {
	kind      svm.Type
	c         string
	nu        float64
	epsilon   float64
	tolerance float64
	scheme    string
	balanced  bool
	after     Refinement
	classes   []string
}

// afterNames are the flags that compare with the exact fit.
var afterNames = []string{"exact-gap", "polish"}

func (s *svmSettings) Flags(fs learner.Flags) {
	if s.kind != svm.OneClass {
		fs.StringVar(&s.c, "C", "1", "price of an error; inf for the hard margin of a classifier")
	}
	fs.Float64Var(&s.nu, "nu", 0, "ν in (0, 1]: bound on the share of errors (one-class: 0.5; else instead of --C or --epsilon)")
	fs.Float64Var(&s.tolerance, "tolerance", 0, "largest violation of the optimality conditions, as LIBSVM's -e; default 1e-3")
	if s.kind != svm.OneClass {
		fs.BoolVar(&s.after.ExactGap, afterNames[0], false, "with --landmarks or --random-features: report how far the solution is from the best one with the kernel itself; a kernel value for each support vector and row (default: where that is cheap)")
		fs.BoolVar(&s.after.Refine, afterNames[1], false, "with --landmarks or --random-features: search on from there with the kernel itself, among the rows that violate the optimality conditions, to the solution of the exact fit")
	}
	switch s.kind {
	case svm.EpsilonSVR:
		fs.Float64Var(&s.epsilon, "epsilon", 0, "half width of the tube; default 0.1")
	case svm.CSVC:
		fs.StringVar(&s.scheme, "scheme", string(svm.OneVsOne), "binary problems for more than two classes: one-vs-one or one-vs-rest")
		fs.BoolVar(&s.balanced, "balanced", false, "give every class the same total weight")
		fs.StringSliceVar(&s.classes, "class-weight", nil, "price of a class, such as yes=5 (repeatable)")
	}
}

func (s *svmSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	o := svm.Options{Type: s.kind, Nu: s.nu, Epsilon: s.epsilon, Tolerance: s.tolerance, Scheme: svm.Scheme(s.scheme), Compute: g.Compute}
	if s.c != "" {
		c, err := strconv.ParseFloat(s.c, 64)
		if err != nil || !(c > 0) {
			return nil, settings.Errorf("--C is %q: it is a number above 0, or inf", s.c)
		}
		o.C = c
	}
	nu := g.Has("nu")
	if nu && !(s.nu > 0 && s.nu <= 1) {
		return nil, settings.Errorf("--nu is %g: it is in (0, 1]", s.nu)
	}
	if !(s.epsilon >= 0) || math.IsInf(s.epsilon, 1) {
		return nil, settings.Errorf("--epsilon is %g: it is a finite number, 0 or more", s.epsilon)
	}
	switch s.kind {
	case svm.OneClass:
		return OneClass{Options: o}, nil
	case svm.EpsilonSVR:
		if nu && g.Has("epsilon") {
			return nil, settings.Errorf("--nu finds the width of the tube that --epsilon gives: give one of the two")
		}
		if nu {
			o.Type = svm.NuSVR
		}
		return SVR{Options: o, Refinement: s.after}, nil
	}
	if nu && g.Has("C") {
		return nil, settings.Errorf("--nu takes the place of --C: give one of the two")
	}
	if nu {
		o.Type = svm.NuSVC
	}
	classes, err := classWeights(s.classes)
	return SVC{Options: o, Balanced: s.balanced, Classes: classes, Refinement: s.after}, err
}

// classWeights reads label=weight pairs.
func classWeights(specs []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, spec := range specs {
		at := strings.LastIndex(spec, "=")
		if at < 0 {
			return nil, settings.Errorf("--class-weight %q is not of the form label=weight", spec)
		}
		w, err := strconv.ParseFloat(spec[at+1:], 64)
		if err != nil || !(w >= 0) || math.IsInf(w, 1) {
			return nil, settings.Errorf("--class-weight %q: %q is not a finite number ≥ 0", spec, spec[at+1:])
		}
		out[spec[:at]] = w
	}
	return out, nil
}

func (o SVC) With(values []float64) learner.Tunable {
	if o.Type == svm.NuSVC {
		o.Nu = values[0]
	} else {
		o.C = values[0]
	}
	return o
}

// Axes are C and ε, or C and ν, in units of the spread of the target.
func (o SVR) Axes(p *task.Task) []tune.Axis {
	spread := 1.0
	if y, err := p.Number(); err == nil {
		if s := math.Sqrt(stat.PopVariance(y, p.Rows.W)); s > 0 {
			spread = s
		}
	}
	scaled := func(a tune.Axis) tune.Axis {
		for i := range a.Values {
			a.Values[i] *= spread
		}
		return a
	}
	c := scaled(tune.Powers("C", 2, -2, 10, 2).SimplerAt(tune.Below))
	if o.Type == svm.NuSVR {
		return []tune.Axis{c, {Name: "nu", Values: []float64{0.2, 0.4, 0.6, 0.8}}}
	}
	return []tune.Axis{c, scaled(tune.Axis{Name: "epsilon", Log: true, Simpler: tune.Above, Values: []float64{0.01, 0.03, 0.1, 0.3}})}
}

func (o SVR) With(values []float64) learner.Tunable {
	o.C = values[0]
	if o.Type == svm.NuSVR {
		o.Nu = values[1]
	} else {
		o.Epsilon = values[1]
	}
	return o
}
