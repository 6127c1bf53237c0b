package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/pipeline"
	"example.org/mercer/tune"
)

// crossTuned is what `mercer tune METHOD` prints for methods that are tuned by
// cross-validation.
type crossTuned struct {
	*pipeline.CrossTuned
	Exact      string                    `json:"exact,omitempty"` // the command that would not approximate
	Assessment *pipeline.CrossAssessment `json:"assessment,omitempty"`
	Model      *fit                      `json:"model,omitempty"`
}

func (t crossTuned) text(w io.Writer) {
	if t.Assessment != nil {
		lines := [][]string{{"split", "train", "test", t.Assessment.Score, "within", "kernel"}}
		for k, s := range t.Assessment.Splits {
			lines = append(lines, []string{fmt.Sprint(k + 1), fmt.Sprint(s.Train), fmt.Sprint(s.Test), num(s.Score), num(s.Inner), brief(s.Kernel)})
		}
		rows(w, lines)
		fmt.Fprintf(w, "mean %s over %d splits: %s ± %s (standard error; deviation %s)\n", t.Assessment.Score, len(t.Assessment.Splits), num(t.Assessment.Mean), num(t.Assessment.StandardError), num(t.Assessment.Deviation))
		return
	}
	lines := [][]string{{"kernel", brief(t.Kernel)}}
	for i, p := range t.Parameters {
		lines = append(lines, []string{p.Name, num(t.Best.Values[i])})
	}
	rows(w, append(lines,
		[]string{t.Score, fmt.Sprintf("%s ± %s over %d splits", num(t.Best.Score), num(t.Best.Error), t.Splits)},
		[]string{"search", fmt.Sprintf("%s, %d trials, %s", t.Strategy, len(t.Trials), compute.FormatSeconds(t.Seconds))}))
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
func (t crossTuned) best(w io.Writer) {
	const shown = 5
	trials := slices.DeleteFunc(slices.Clone(t.Trials), func(x tune.CrossTrial) bool { return x.Failed != "" || x.Share < 1 })
	slices.SortStableFunc(trials, func(a, b tune.CrossTrial) int {
		if t.Larger {
			a, b = b, a
		}
		return cmp.Compare(a.Score, b.Score)
	})
	header := []string{"\nbest trials", "error"}
	for _, p := range t.Parameters {
		header = append(header, p.Name)
	}
	lines := [][]string{header}
	for _, x := range trials[:min(shown, len(trials))] {
		line := []string{num(x.Score), num(x.Error)}
		for _, v := range x.Values {
			line = append(line, num(v))
		}
		lines = append(lines, line)
	}
	rows(w, lines)
}

// registerResume adds the flag of the file that a search goes on from.
func registerResume(cmd *cobra.Command, file *string) {
	defer resuming.claim(cmd.Flags())()
	cmd.Flags().StringVar(file, "resume", "", resumeHelp)
}

// crossFlags say how to cross-validate.
type crossFlags struct {
	search  string
	score   string
	trials  int
	folds   int
	splits  string
	group   string
	forward bool
	grid    []string
	resume  string
	nested  int
	assess  assessFlags
	out     string
	plot    string
	metric  metricFlags
}

func (f *crossFlags) register(cmd *cobra.Command) {
	search := searching.claim(cmd.Flags())
	flags := cmd.Flags()
	strategies := []string{string(tune.Grid), string(tune.Random), string(tune.Halving), string(tune.Bayes)}
	flags.StringVar(&f.search, "search", string(tune.Grid), "grid, random, halving (few rows first), or bayes (a Gaussian process on the scores)")
	flags.StringVar(&f.score, "score", "", strings.Join(pipeline.ScoreNames(), ", ")+"; default: accuracy for labels, rmse for numbers")
	flags.IntVar(&f.trials, "trials", 0, "grid: values of each parameter of the kernel (7); else candidates (40)")
	flags.IntVar(&f.folds, "folds", 0, "parts of the cross-validation, 5, stratified by labels")
	flags.StringVar(&f.splits, "splits", "", "splits from a file: line k lists the test rows of split k, counted from 0")
	flags.StringVar(&f.group, "group", "", "column whose equal values are never divided by a split; not a feature")
	flags.BoolVar(&f.forward, "forward", false, "rows are in the order of time: test on what comes after")
	flags.StringSliceVar(&f.grid, "grid", nil, "values of a parameter of the method, such as C=0.1:1:10 (repeatable)")
	flags.IntVar(&f.nested, "nested", 0, "nested cross-validation with this many outer parts: what tuning and fitting together can be expected to do")
	search()
	f.assess.register(cmd)
	f.metric.register(cmd)
	registerResume(cmd, &f.resume)
	registerModel(cmd, &f.out)
	flags.StringVar(&f.plot, "plot", "", "write a heat map of the scores over two parameters: a .png or .svg file")
	_ = cmd.RegisterFlagCompletionFunc("search", cobra.FixedCompletions(strategies, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("score", cobra.FixedCompletions(pipeline.ScoreNames(), cobra.ShellCompDirectiveNoFileComp))
}

// searchOf returns the search that the flags describe. A parameter of the method that
// is given by its own flag is not searched.
func (f *crossFlags) searchOf(cmd *cobra.Command, inv *invocation, l learner, how compute.Options) (pipeline.CrossSearch, error) {
	s := pipeline.CrossSearch{Folds: f.folds, Group: f.group, Forward: f.forward, SplitsFile: f.splits, Score: f.score, Journal: f.resume, Grid: map[string][]float64{}}
	s.Options = tune.CrossOptions{Strategy: tune.Method(f.search), Trials: f.trials, Seed: inv.seed, Compute: how}
	for _, spec := range f.grid {
		name, list, ok := strings.Cut(spec, "=")
		if !ok {
			return s, usagef("--grid %q is not of the form name=value:value:…", spec)
		}
		for _, text := range strings.Split(list, ":") {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return s, usagef("--grid %s: %q is not a number", name, text)
			}
			s.Grid[name] = append(s.Grid[name], v)
		}
	}
	for _, name := range l.tuned {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || !flag.Changed || s.Grid[name] != nil {
			continue
		}
		v, err := strconv.ParseFloat(flag.Value.String(), 64)
		if err != nil {
			return s, usagef("--%s: %q is not a number", name, flag.Value)
		}
		s.Grid[name] = []float64{v}
	}
	if (f.nested != 0 || f.assess.wanted()) && (f.out != "" || f.plot != "") {
		return s, usagef("--nested, --assess and --train-per-class test the method and leave no model or picture: run tune twice")
	}
	if f.nested == 1 || f.nested < 0 {
		return s, usagef("--nested is %d; there must be at least 2 outer parts", f.nested)
	}
	var err error
	if s.Metric, err = f.metric.metric(); err != nil {
		return s, err
	}
	return s, f.assess.check()
}

func newTuneMethod(inv *invocation, l learner) *cobra.Command {
	f, own := l.start()
	search := &crossFlags{}
	cmd := &cobra.Command{
		Use:   l.name + " TABLE",
		Short: "Tune " + l.short + " by cross-validation; with -o fit and write the model",
		Long: l.long + `

tune searches every ? in the kernel and the parameters of the method for the best mean score on rows that were not
learned from. For every kernel one Gram matrix serves all splits and all values of the method's parameters; falkon
learns from rows and landmarks alone, the largest λ first. With --landmarks or --random-features the search is in these
features, which for each kernel are those of all rows and shared by the splits: no Gram matrix is held.

With --metric the distance of the kernel is learned, too: the kernel that is found is mahalanobis(of=…), and its model
predicts from the columns as they are.`,
		Example: fmt.Sprintf(`  mercer tune %[1]s train.csv --target y --kernel 'rbf(sigma=?)' -o best.mercer
  mercer tune %[1]s train.csv --target y --search halving --trials 81 --resume trials.jsonl
  mercer tune %[1]s train.csv --target y --metric diagonal --metric-plot relevance.png
  mercer tune %[1]s train.csv --target y --nested 5 --json`, l.name),
		Args: oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range []string{search.out, search.plot} {
				if path == "" {
					continue
				}
				if err := canWrite(path); err != nil {
					return err
				}
			}
			result, err := inv.tuneMethod(cmd, l, f, own, search, args[0])
			if err != nil {
				return err
			}
			return inv.emit(result)
		},
	}
	f.registerSearch(cmd)
	registerOwn(cmd, own)
	search.register(cmd)
	return cmd
}

// registerSearch adds the flags of a problem whose kernel is searched.
func (f *problemFlags) registerSearch(cmd *cobra.Command) {
	f.register(cmd)
	cmd.Flags().Lookup("kernel").DefValue = "rbf(sigma=?)"
	f.kernel = "rbf(sigma=?)"
	f.registerReduction(cmd)
}

// tuneMethod reads the table, searches, and fits where a model is wanted.
func (inv *invocation) tuneMethod(cmd *cobra.Command, l learner, f *problemFlags, own methodFlags, search *crossFlags, path string) (*crossTuned, error) {
	ctx := cmd.Context()
	spec, err := f.prep.spec()
	if err != nil {
		return nil, err
	}
	how, stop := inv.compute()
	defer stop()
	s, err := search.searchOf(cmd, inv, l, how)
	if err != nil {
		return nil, err
	}
	if s.Reduction, err = f.reduction(inv, how); err != nil {
		return nil, err
	}
	silent := *inv
	silent.quiet = true // what the flags leave open is what is searched
	method, err := own.method(cmd, &silent, nil, how)
	if err != nil {
		return nil, err
	}
	t, err := f.table.read(ctx, inv, path, f.prep.id)
	if err != nil {
		return nil, err
	}
	if search.nested != 0 || search.assess.wanted() {
		var splits []tune.Split
		if search.assess.wanted() {
			if splits, err = search.assess.splits(inv, t, spec, f.kernel); err != nil {
				return nil, err
			}
		}
		a, err := pipeline.CrossAssess(ctx, t, spec, f.kernel, method, s, search.nested, splits, func(k, of int, a pipeline.CrossAssessedSplit) {
			inv.detail("split %d of %d: %s", k+1, of, num(a.Score))
		})
		if err != nil {
			return nil, blame(err)
		}
		return &crossTuned{CrossTuned: &pipeline.CrossTuned{Method: l.name}, Assessment: a}, nil
	}
	p, best, found, err := pipeline.CrossTune(ctx, t, spec, f.kernel, method, s)
	if err != nil {
		return nil, blame(err)
	}
	stop()
	inv.notes(p.Rows.Notes)
	inv.notes(found.Warnings)
	if found.Resumed > 0 {
		inv.note("%d of %d trials come from %s", found.Resumed, len(found.Trials), search.resume)
	}
	result := &crossTuned{CrossTuned: found}
	if s.Reduction.Wanted() {
		result.Exact = exactCommand(cmd, cmd.Flags().Args())
	}
	if err := search.metric.draw(cmd, found.Metric); err != nil {
		return nil, err
	}
	if search.plot != "" {
		if err := drawScores(cmd, found, search.plot); err != nil {
			return nil, err
		}
	}
	if search.out != "" {
		result.Model, err = inv.fit(cmd, p, search.out, afterSearch(search.resume != ""), search.out, func(compute.Options) (pipeline.Method, error) { return best, nil })
	}
	return result, err
}

// drawScores draws the scores over the first two parameters that have more than one
// value; of trials that differ in others the best counts.
func drawScores(cmd *cobra.Command, found *pipeline.CrossTuned, path string) error {
	var axes []int
	for i := range found.Parameters {
		seen := map[float64]bool{}
		for _, t := range found.Trials {
			seen[t.Values[i]] = true
		}
		if len(seen) > 1 && len(axes) < 2 {
			axes = append(axes, i)
		}
	}
	if len(axes) < 2 {
		return usagef("--plot draws scores over two parameters, and this search moved %d", len(axes))
	}
	pic := figure.Scores{Title: "mean " + found.Score, X: found.Parameters[axes[0]].Name, Y: found.Parameters[axes[1]].Name, LargerIsBetter: found.Larger}
	for _, t := range found.Trials {
		if t.Failed == "" {
			pic.Points = append(pic.Points, figure.Scored{X: t.Values[axes[0]], Y: t.Values[axes[1]], Score: t.Score})
		}
	}
	return writePicture(cmd, path, pic)
}
