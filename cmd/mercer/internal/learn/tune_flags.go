package learn

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/search"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// searchFlags say what to search, and how: those of a method that is followed along its path of λ,
// or those of any other.
type searchFlags interface {
	register(cmd *cobra.Command)
	// common are the flags that all searches have.
	common() *tuneFlags
	// search returns the method, and the search that the flags describe.
	search(cmd *cobra.Command, inv *verb.Invocation, how compute.Options) (search.Search, learner.Learner, error)
	// last returns the best method as it is fitted to so many rows.
	last(best learner.Learner, rows int, how compute.Options) (learner.Learner, error)
}

// alongPath are settings of a method of which a search follows λ along its path, see
// [learner.Spec].
type alongPath interface {
	Along(noIntercept bool, o compute.Options) learner.Learner
}

// concluding is a method that does more where it is fitted to all rows at the end of a search.
type concluding interface {
	Concluded(rows int, o compute.Options) learner.Learner
}

// tuneFlags are the flags that all searches have.
type tuneFlags struct {
	*flags.Problem
	strategy string
	score    string
	trials   int
	folds    int
	splits   string
	kept     flags.Steps
	journal  string // the file of kept
	nested   int
	simplest bool
	assess   assessFlags
	out      string
	plot     string
	metric   metricFlags
}

func (f *tuneFlags) common() *tuneFlags { return f }

// assesses reports whether tuning and fitting are tested on splits.
func (f *tuneFlags) assesses() bool { return f.nested != 0 || f.assess.wanted() }

// plan returns the search that the common flags describe.
func (f *tuneFlags) plan(inv *verb.Invocation, how compute.Options) (search.Search, error) {
	s := search.Search{Score: f.score, Splits: search.Splits{Folds: f.folds, File: f.splits},
		Options: tune.Options{Strategy: tune.Strategy(f.strategy), Trials: f.trials, Seed: inv.Seed, Simplest: f.simplest, Compute: how}}
	if f.assesses() && (f.out != "" || f.plot != "") {
		return s, verb.Usagef("--nested, --assess and --train-per-class test the method and leave no model or picture: run tune twice")
	}
	if f.nested == 1 || f.nested < 0 {
		return s, verb.Usagef("--nested is %d; there must be at least 2 outer parts", f.nested)
	}
	beside := ""
	if f.out != "" && f.out != verb.Stdout {
		beside = f.out + ".trials"
	}
	var err error
	if s.Network, err = f.Network.Options(); err != nil {
		return s, err
	}
	if f.journal, err = f.kept.File(beside); err != nil {
		return s, err
	}
	s.Journal = f.journal
	if s.Metric, err = f.metric.metric(); err != nil {
		return s, err
	}
	if s.Approximation, err = f.Approximation(inv, how); err != nil {
		return s, err
	}
	return s, f.assess.check()
}

// pathTuneFlags are the flags of a search that follows λ along its path.
type pathTuneFlags struct {
	tuneFlags
	of          alongPath
	noIntercept bool
	criterion   string
	ard         bool
	lambda      []float64
	precision   string
	budget      time.Duration // of [search.Auto]
	leaves      int           // of [search.Auto], see [search.Search]
	calibrated  bool          // what is found keeps probabilities and conformal scores of its labels
}

func (f *pathTuneFlags) register(cmd *cobra.Command) {
	f.RegisterSearch(cmd)
	f.metric.register(cmd)
	set := cmd.Flags()
	set.BoolVar(&f.noIntercept, "no-intercept", false, "no free constant")
	set.StringVar(&f.criterion, "criterion", "", "what to minimise: loo (exact leave-one-out), gcv, evidence (−log), or cv; default: loo, and evidence for more than two parameters")
	set.StringVar(&f.strategy, "search", "auto", "auto, gradient, grid or random")
	set.StringVar(&f.score, "score", "rmse", "score of the criterion cv: rmse, mae, r2 or accuracy")
	set.IntVar(&f.trials, "trials", 0, "gradient: starts; grid: values of each parameter; random: kernels")
	set.IntVar(&f.folds, "folds", 0, "cross-validation with this many random parts (criterion cv)")
	set.StringVar(&f.splits, "splits", "", "cross-validation on the splits of a file: line k lists the test rows of split k, counted from 0 (criterion cv)")
	set.BoolVar(&f.simplest, "simplest", false, simplestUsage+" (criterion cv)")
	f.assess.register(cmd)
	set.IntVar(&f.nested, "nested", 0, nestedUsage)
	set.BoolVar(&f.ard, "ard", false, "one sigma for each column (automatic relevance determination)")
	set.Float64SliceVar(&f.lambda, "lambda-range", nil, "smallest and largest λ, such as 1e-8,1")
	set.StringVar(&f.precision, "precision", compute.Double.String(), "of the fit with -o: double, or single as in mercer fit krr; the search is in double precision")
	f.kept.Register(cmd)
	registerModel(cmd, &f.out)
	complete := func(name string, words ...string) {
		verb.Choices(cmd, name, words)
	}
	complete("criterion", "loo", "gcv", "evidence", "cv")
	complete("search", "auto", "gradient", "grid", "random")
	complete("precision", compute.Double.String(), compute.Single.String())
	complete("score", "rmse", "mae", "r2", "accuracy")
}

// simplestUsage is the help of --simplest.
const simplestUsage = "of all that score within one standard error of the best take the simplest: larger λ or smaller C, then the wider kernel; without it so do those that tie"

// nestedUsage is the help of --nested.
const nestedUsage = "nested cross-validation with this many outer parts: what tuning and fitting together can be expected to do; 10 up to some thousand rows"

// search returns the search that the flags describe.
func (f *pathTuneFlags) search(cmd *cobra.Command, inv *verb.Invocation, how compute.Options) (search.Search, learner.Learner, error) {
	s, err := f.plan(inv, how)
	if err != nil {
		return s, nil, err
	}
	s.Criterion, s.Ranges.PerColumn, s.Budget, s.Leaves = krr.Criterion(f.criterion), f.ard, f.budget, f.leaves
	if (f.folds != 0 || f.splits != "") && !cmd.Flags().Changed("criterion") {
		s.Criterion = tune.CV
	}
	switch len(f.lambda) {
	case 0:
	case 2:
		s.Ranges.Lambda = tune.Range{Lower: f.lambda[0], Upper: f.lambda[1]}
	default:
		return s, nil, verb.Usagef("--lambda-range takes two numbers, such as 1e-8,1 (got %d)", len(f.lambda))
	}
	if c := s.Criterion; c != "" && !slices.Contains(tune.Criteria, c) {
		return s, nil, verb.Usagef("--criterion %q is not known; there are %q", c, tune.Criteria)
	}
	if can := tune.PathStrategies; !slices.Contains(can, s.Options.Strategy) {
		return s, nil, verb.Usagef("--search %q is not known; there are %q", s.Options.Strategy, can)
	}
	if _, err = compute.ParsePrecision(f.precision); err != nil {
		err = verb.Usagef("--precision %w", err)
	}
	return s, f.of.Along(f.noIntercept, how), err
}

// last is what was found, and does what it does beside.
func (f *pathTuneFlags) last(best learner.Learner, rows int, how compute.Options) (learner.Learner, error) {
	var err error
	how.Precision, err = compute.ParsePrecision(f.precision)
	if m, ok := best.(concluding); ok {
		best = m.Concluded(rows, how)
	} else { // a tree, whose factors have a precision of their own
		how.Precision = compute.Double
		best = best.WithCompute(how)
		if !f.calibrated {
			return learner.Calibrated{Learner: best, Conformal: true}, err
		}
	}
	if f.calibrated {
		best = learner.Calibrated{Learner: best, Probabilities: calibrate.Platt, Conformal: true}
	}
	return best, err
}

// splitTuneFlags are the flags of a search by cross-validation.
type splitTuneFlags struct {
	tuneFlags
	of      *learner.Spec
	own     *flags.Method
	group   string
	forward bool
	grid    []string
}

func (f *splitTuneFlags) register(cmd *cobra.Command) {
	f.RegisterSearch(cmd)
	f.own.Register(cmd)
	claimed := verb.SearchGroup.Claim(cmd.Flags())
	set := cmd.Flags()
	strategies := []string{string(tune.Grid), string(tune.Random), string(tune.Halving), string(tune.Bayes)}
	set.StringVar(&f.strategy, "search", string(tune.Grid), "grid, random, halving (few rows first), or bayes (a Gaussian process on the scores)")
	set.StringVar(&f.score, "score", "", strings.Join(search.ScoreNames(), ", ")+"; default: accuracy for labels, rmse for numbers")
	set.IntVar(&f.trials, "trials", 0, "grid: values of each parameter of the kernel (7); else candidates (40)")
	registerSplits(set, &f.folds, &f.splits, &f.group, &f.forward)
	set.StringSliceVar(&f.grid, "grid", nil, "values of a parameter of the method, such as C=0.1:1:10 (repeatable)")
	set.BoolVar(&f.simplest, "simplest", false, simplestUsage)
	set.IntVar(&f.nested, "nested", 0, nestedUsage)
	claimed()
	f.assess.register(cmd)
	f.metric.register(cmd)
	f.kept.Register(cmd)
	registerModel(cmd, &f.out)
	set.StringVar(&f.plot, "plot", "", "write a picture of the scores, over two parameters or of all families: .png or .svg")
	verb.Choices(cmd, "search", strategies)
	verb.Choices(cmd, "score", search.ScoreNames())
}

// search returns the search that the flags describe. A parameter of the method that
// is given by its own flag is not searched.
func (f *splitTuneFlags) search(cmd *cobra.Command, inv *verb.Invocation, how compute.Options) (search.Search, learner.Learner, error) {
	s, err := f.plan(inv, how)
	if err != nil {
		return s, nil, err
	}
	s.Splits.Group, s.Splits.Forward = f.group, f.forward
	if s.Ranges.Grid, err = f.ranges(cmd); err != nil {
		return s, nil, err
	}
	m, err := f.own.Learner(cmd, inv.Silent(), nil, how) // what the flags leave open is what is searched
	return s, m, err
}

// last is what was found.
func (f *splitTuneFlags) last(best learner.Learner, _ int, _ compute.Options) (learner.Learner, error) {
	return best, nil
}

// ranges returns the values of the parameters of the method that are given.
func (f *splitTuneFlags) ranges(cmd *cobra.Command) (map[string][]float64, error) {
	grid := map[string][]float64{}
	for _, spec := range f.grid {
		name, list, ok := strings.Cut(spec, "=")
		if !ok {
			return nil, verb.Usagef("--grid %q is not of the form name=value:value:…", spec)
		}
		for _, text := range strings.Split(list, ":") {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, verb.Usagef("--grid %s: %q is not a number", name, text)
			}
			grid[name] = append(grid[name], v)
		}
	}
	for _, name := range f.of.Tuned {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || !flag.Changed || grid[name] != nil {
			continue
		}
		v, err := strconv.ParseFloat(flag.Value.String(), 64)
		if err != nil {
			return nil, verb.Usagef("--%s: %q is not a number", name, flag.Value)
		}
		grid[name] = []float64{v}
	}
	return grid, nil
}
