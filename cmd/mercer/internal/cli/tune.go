package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/compute"
	"example.org/mercer/pipeline"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// tuned is what `mercer tune` prints.
type tuned struct {
	*pipeline.Tuned
	Exact      string               `json:"exact,omitempty"` // the command that would not approximate
	Assessment *pipeline.Assessment `json:"assessment,omitempty"`
	Model      *fit                 `json:"model,omitempty"`
}

func (t tuned) text(w io.Writer) {
	if t.Assessment != nil {
		t.assessment(w)
		return
	}
	score := num(t.Score)
	if t.Point != nil {
		score = fmt.Sprintf("%s (leave-one-out RMSE %s)", score, joinNumbers(t.Point.LOO.RMSE))
	}
	rows(w, [][]string{
		{"kernel", brief(t.Kernel)},
		{"λ", fmt.Sprintf("%s (ridge Nλ = %s)", num(t.Lambda), num(t.Ridge))},
		{strings.TrimSpace(fmt.Sprint(t.Criterion, " ", t.Scored)), score},
		{"search", fmt.Sprintf("%s, %d trials, %s", t.Method, len(t.Trials), compute.FormatSeconds(t.Seconds))},
	})
	if t.Model == nil { // which says it, too
		rows(w, slices.Concat(describeApproximation(t.Approximation, t.Exact), describeFeatures(t.FeatureMap, t.Exact)))
	}
	rows(w, describeMetric(t.Metric))
	t.best(w)
	if t.Model != nil {
		fmt.Fprintln(w)
		t.Model.text(w)
	}
}

// best lists the best trials.
func (t tuned) best(w io.Writer) {
	const shown = 5
	trials := slices.DeleteFunc(slices.Clone(t.Trials), func(x tune.Trial) bool { return x.Failed != "" })
	slices.SortStableFunc(trials, func(a, b tune.Trial) int {
		if t.Scored.LargerIsBetter() {
			a, b = b, a
		}
		return cmp.Compare(a.Score, b.Score)
	})
	if len(t.Parameters) > 4 || len(trials) < 2 {
		return
	}
	header := []string{"\nbest trials"}
	for _, p := range t.Parameters {
		header = append(header, p.Name)
	}
	lines := [][]string{append(header, "λ")}
	for _, x := range trials[:min(shown, len(trials))] {
		line := []string{num(x.Score)}
		for _, v := range x.Values {
			line = append(line, num(v))
		}
		lines = append(lines, append(line, num(x.Lambda)))
	}
	rows(w, lines)
}

func (t tuned) assessment(w io.Writer) {
	what := "test RMSE"
	if t.Assessment.Accuracy != nil {
		what = "test accuracy"
	}
	lines := [][]string{{"split", "train", "test", what, "λ", "kernel"}}
	for k, s := range t.Assessment.Splits {
		var scores []float64
		for _, score := range s.Scores {
			if t.Assessment.Accuracy != nil {
				scores = append(scores, score.Accuracy)
				continue
			}
			scores = append(scores, score.RMSE)
		}
		lines = append(lines, []string{fmt.Sprint(k + 1), fmt.Sprint(s.Train), fmt.Sprint(s.Test), joinNumbers(scores), num(s.Lambda), brief(s.Kernel)})
	}
	rows(w, lines)
	if a := t.Assessment.Accuracy; a != nil {
		fmt.Fprintf(w, "mean test accuracy over %d splits: %s (standard deviation %s)\n", len(t.Assessment.Splits), num(a.Mean), num(a.Deviation))
		return
	}
	fmt.Fprintf(w, "mean test RMSE over %d splits: %s ± %s\n", len(t.Assessment.Splits), num(t.Assessment.Mean), num(t.Assessment.StandardError))
}

func joinNumbers(xs []float64) string {
	var parts []string
	for _, x := range xs {
		parts = append(parts, num(x))
	}
	return strings.Join(parts, ", ")
}

// tuneFlags say what to search, and how.
type tuneFlags struct {
	table tableFlags
	prep  prepFlags

	kernel      string
	noIntercept bool
	criterion   string
	search      string
	score       string
	trials      int
	folds       int
	splits      string
	assess      assessFlags
	ard         bool
	lambda      []float64
	precision   string
	resume      string
	out         string
	low         landmarkFlags
	maps        featureFlags
	metric      metricFlags
}

func (f *tuneFlags) register(cmd *cobra.Command) {
	f.metric.register(cmd)
	f.table.register(cmd)
	f.prep.register(cmd)
	f.low.register(cmd)
	f.maps.register(cmd)
	flags := cmd.Flags()
	registerKernel(cmd, &f.kernel, "rbf(sigma=?)")
	flags.BoolVar(&f.noIntercept, "no-intercept", false, "no free constant")
	flags.StringVar(&f.criterion, "criterion", "", "what to minimise: loo (exact leave-one-out), gcv, evidence (−log), or cv; default: loo, and evidence for more than two parameters")
	flags.StringVar(&f.search, "search", "auto", "auto, gradient, grid or random")
	flags.StringVar(&f.score, "score", "rmse", "score of the criterion cv: rmse, mae, r2 or accuracy")
	flags.IntVar(&f.trials, "trials", 0, "gradient: starts; grid: values of each parameter; random: kernels")
	flags.IntVar(&f.folds, "folds", 0, "cross-validation with this many random parts (criterion cv)")
	flags.StringVar(&f.splits, "splits", "", "cross-validation on the splits of a file: line k lists the test rows of split k, counted from 0 (criterion cv)")
	f.assess.register(cmd)
	flags.BoolVar(&f.ard, "ard", false, "one sigma for each column (automatic relevance determination)")
	flags.Float64SliceVar(&f.lambda, "lambda-range", nil, "smallest and largest λ, such as 1e-8,1")
	flags.StringVar(&f.precision, "precision", compute.Double.String(), "of the fit with -o: double, or single as in mercer fit krr; the search is in double precision")
	registerResume(cmd, &f.resume)
	registerModel(cmd, &f.out)
	complete := func(name string, words ...string) {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	complete("criterion", "loo", "gcv", "evidence", "cv")
	complete("search", "auto", "gradient", "grid", "random")
	complete("precision", precisions...)
	complete("score", "rmse", "mae", "r2", "accuracy")
}

// plan returns the search that the flags describe.
func (f *tuneFlags) plan(cmd *cobra.Command, inv *invocation) (pipeline.Search, error) {
	s := pipeline.Search{Folds: f.folds, SplitsFile: f.splits, PerColumn: f.ard, Journal: f.resume}
	s.Options = tune.Options{Criterion: tune.Criterion(f.criterion), Method: tune.Method(f.search), Score: tune.Score(f.score),
		Trials: f.trials, Seed: inv.seed, Fit: krr.PathOptions{NoIntercept: f.noIntercept}}
	if (f.folds != 0 || f.splits != "") && !cmd.Flags().Changed("criterion") {
		s.Options.Criterion = tune.CV
	}
	if s.Options.Criterion == tune.CV && f.folds == 0 && f.splits == "" {
		s.Folds = 5
	}
	var err error
	if s.Metric, err = f.metric.metric(); err != nil {
		return s, err
	}
	switch len(f.lambda) {
	case 0:
	case 2:
		s.Options.Lambda = tune.Range{Lower: f.lambda[0], Upper: f.lambda[1]}
	default:
		return s, usagef("--lambda-range takes two numbers, such as 1e-8,1 (got %d)", len(f.lambda))
	}
	if c := s.Options.Criterion; c != "" && !slices.Contains(tune.Criteria, c) {
		return s, usagef("--criterion %q is not known; there are %q", c, tune.Criteria)
	}
	if m := s.Options.Method; !slices.Contains(tune.Methods, m) {
		return s, usagef("--search %q is not known; there are %q", m, tune.Methods)
	}
	if _, err := inPrecision(compute.Options{}, f.precision); err != nil {
		return s, err
	}
	if f.assess.wanted() && f.out != "" {
		return s, usagef("--assess and --train-per-class test the method on splits and leave no model: leave -o out, or run tune twice")
	}
	return s, f.assess.check()
}

func newTune(inv *invocation) *cobra.Command {
	return byMethod(&cobra.Command{
		Use:   "tune METHOD TABLE",
		Short: "Find the free parameters of a kernel and of a method; with -o fit and write the model",
		Long: `tune searches every ? in the kernel and the penalty of the method for the best score on rows that were not learned
from. The same data, options and seed give the same bits.`,
		Example: `  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' -o house.mercer
  mercer tune svc train.csv --target kind --kernel 'rbf(sigma=?)' --score balanced -o kinds.mercer`,
	}, func(l learner) *cobra.Command {
		if l.name == ridgeLearner.name {
			return newTuneRidge(inv)
		}
		if l.tuned == nil {
			return nil
		}
		return newTuneMethod(inv, l)
	})
}

func newTuneRidge(inv *invocation) *cobra.Command {
	f := &tuneFlags{}
	cmd := &cobra.Command{
		Use:   "krr TABLE",
		Short: "Find λ and the free parameters of a kernel; with -o fit and write the model",
		Long: `tune minimises a criterion over λ and every ? in the kernel. With one or two parameters the default is the exact
leave-one-out error, on a grid of which the best neighbourhood is taken; with more it is the evidence, along its exact
gradient. The same data, options and seed give the same bits.

With --landmarks or --random-features the search is in these features, which for each kernel are those of all rows: no Gram
matrix is held, and one decomposition of their moments serves all λ. They have no gradient: several parameters are
searched by --search grid or random.

With --assess FILE nothing is chosen on the test rows: for every split of the file, preparation, tuning and fit see the
training rows alone, and the error is that of the others.

With --metric the distance of the kernel is learned, too: the kernel that is found is mahalanobis(of=…), and its model
predicts from the columns as they are.`,
		Example: `  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' -o house.mercer
  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' --ard --criterion evidence --json
  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?) + poly(degree=2, offset=?)' --search random --folds 10
  mercer tune krr big.csv --target price --kernel 'rbf(sigma=?)' --landmarks 500 -o house.mercer
  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' --metric full -o house.mercer
  mercer tune krr concrete.txt --target last --assess concrete_test_splits.txt`,
		Args: oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			search, err := f.plan(cmd, inv)
			if err != nil {
				return err
			}
			if f.out != "" {
				if err := canWrite(f.out); err != nil {
					return err
				}
			}
			result, err := inv.tune(cmd, f, args[0], search)
			if err != nil {
				return err
			}
			return inv.emit(result)
		},
	}
	f.register(cmd)
	return inv.cached(cmd)
}

// tune reads the table, searches, and fits where a model is wanted.
func (inv *invocation) tune(cmd *cobra.Command, f *tuneFlags, path string, search pipeline.Search) (*tuned, error) {
	ctx := cmd.Context()
	spec, err := f.prep.spec()
	if err != nil {
		return nil, err
	}
	spec.Labels = spec.Labels || f.assess.perClass != 0
	t, err := f.table.read(ctx, inv, path, f.prep.id)
	if err != nil {
		return nil, err
	}
	how, stop := inv.compute()
	defer stop()
	search.Options.Fit.Compute = how
	if search.Reduction, err = reductionOf(&f.low, &f.maps, inv, how); err != nil {
		return nil, err
	}
	if f.assess.wanted() {
		splits, err := f.assess.splits(inv, t, spec, f.kernel)
		if err != nil {
			return nil, err
		}
		a, err := pipeline.Assess(ctx, t, spec, f.kernel, search, splits, func(k int, s pipeline.AssessedSplit) {
			inv.detail("split %d: %s, λ = %s", k+1, s.Kernel, num(s.Lambda))
			how.Progress("assess", int64(k+1), int64(len(splits)))
		})
		if err != nil {
			return nil, blame(err)
		}
		return &tuned{Assessment: a}, nil
	}
	p, found, err := pipeline.Tune(ctx, t, spec, f.kernel, search)
	if err != nil {
		return nil, blame(err)
	}
	stop()
	inv.notes(p.Rows.Notes)
	inv.notes(found.Warnings)
	if found.Resumed > 0 {
		inv.note("%d kernels come from %s", found.Resumed, f.resume)
	}
	result := &tuned{Tuned: found}
	if search.Reduction.Wanted() {
		result.Exact = exactCommand(cmd, cmd.Flags().Args())
	}
	if err := f.metric.draw(cmd, found.Metric); err != nil || f.out == "" {
		return result, err
	}
	n, _, _ := p.Dims()
	result.Model, err = inv.fit(cmd, p, f.out, afterSearch(f.resume != ""), f.out, func(how compute.Options) (pipeline.Method, error) {
		how, err := inPrecision(how, f.precision)
		return pipeline.KRR{Options: krr.Options{Lambda: found.Lambda, NoIntercept: f.noIntercept, LOO: n <= freeLOO && n > 2 && how.Precision == compute.Double, Compute: how}}, err
	})
	return result, err
}
