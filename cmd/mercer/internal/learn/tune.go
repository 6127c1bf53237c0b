package learn

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/flags"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/search"
	"example.org/mercer/tune"
)

func NewTune(inv *verb.Invocation) *cobra.Command {
	return inv.Prints(byMethod(inv, &cobra.Command{
		Use:   "tune [METHOD] TABLE",
		Short: "Find the free parameters of a kernel and of a method; with -o fit and write the model",
		Long: `tune searches every ? in the kernel and the penalty of the method for the best score on rows that were not learned
from. The same data, options and seed give the same bits.`,
		Example: `  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' -o house.mercer
  mercer tune svc train.csv --target kind --kernel 'rbf(sigma=?)' --score balanced -o kinds.mercer`,
	}, func(s *learner.Spec) *cobra.Command {
		f := searchFlagsFor(s)
		if f == nil {
			return nil
		}
		dry := false
		cmd := &cobra.Command{
			Use:   s.Name + " TABLE",
			Short: "Tune " + s.Title + " by cross-validation; with -o fit and write the model",
			Long: s.Purpose + `

tune searches every ? in the kernel and the parameters of the method for the best mean score on rows that were not
learned from. For every kernel one Gram matrix serves all splits and all values of the method's parameters; falkon
learns from rows and landmarks alone, the largest λ first. With --landmarks or --random-features the search is in these
features, which for each kernel are those of all rows and shared by the splits: no Gram matrix is held.

With --metric the distance of the kernel is learned, too: the kernel that is found is mahalanobis(of=…), and its model
predicts from the columns as they are.`,
			Example: fmt.Sprintf(`  mercer tune %[1]s train.csv --target y --kernel 'rbf(sigma=?)' -o best.mercer
  mercer tune %[1]s train.csv --target y --search halving --trials 81 --checkpoint trials.jsonl --resume
  mercer tune %[1]s train.csv --target y --metric diagonal --metric-plot relevance.png
  mercer tune %[1]s train.csv --target y --nested 5 --json`, s.Name),
			Args: oneTable,
			RunE: func(cmd *cobra.Command, args []string) error {
				if dry {
					return planSearch(inv, cmd, f, args[0])
				}
				return tuneMethod(inv, cmd, s, f, args[0])
			},
		}
		f.register(cmd)
		registerDryRun(cmd, &dry)
		if !s.Path {
			return inv.Cached(cmd)
		}
		cmd.Short, cmd.Long, cmd.Example = tunePathShort, tunePathLong, tunePathExample
		return inv.Cached(cmd)
	}), pathTuned{}, splitsTuned{}, Planned{})
}

const (
	tunePathShort = "Find λ and the free parameters of a kernel; with -o fit and write the model"
	tunePathLong  = `tune minimises a criterion over λ and every ? in the kernel. With one or two parameters the default is the exact
leave-one-out error, on a grid of which the best neighbourhood is taken; with more it is the evidence, along its exact
gradient. The same data, options and seed give the same bits.

With --landmarks or --random-features the search is in these features, which for each kernel are those of all rows: no Gram
matrix is held, and one decomposition of their moments serves all λ. They have no gradient: several parameters are
searched by --search grid or random.

With --assess FILE nothing is chosen on the test rows: for every split of the file, preparation, tuning and fit see the
training rows alone, and the error is that of the others.

With --metric the distance of the kernel is learned, too: the kernel that is found is mahalanobis(of=…), and its model
predicts from the columns as they are.`
	tunePathExample = `  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' -o house.mercer
  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' --ard --criterion evidence --json
  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?) + poly(degree=2, offset=?)' --search random --folds 10
  mercer tune krr big.csv --target price --kernel 'rbf(sigma=?)' --landmarks 500 -o house.mercer
  mercer tune krr train.csv --target price --kernel 'rbf(sigma=?)' --metric full -o house.mercer
  mercer tune krr concrete.txt --target last --assess concrete_test_splits.txt`
)

// searchFlagsFor returns the flags of a search for the parameters of a method; nil: it has none.
func searchFlagsFor(s *learner.Spec) searchFlags {
	if !s.Path && s.Tuned == nil {
		return nil
	}
	f, own := flags.For(s)
	if along, ok := own.Settings.(alongPath); ok && s.Path {
		return &pathTuneFlags{tuneFlags: tuneFlags{Problem: f}, of: along}
	}
	return &splitTuneFlags{tuneFlags: tuneFlags{Problem: f}, of: s, own: own}
}

// tuneMethod reads the table, searches, fits where a model is wanted, and prints the result.
func tuneMethod(inv *verb.Invocation, cmd *cobra.Command, s *learner.Spec, asked searchFlags, path string) error {
	ctx, f := cmd.Context(), asked.common()
	if err := f.canWrite(); err != nil {
		return err
	}
	spec, err := f.Prep.Spec()
	if err != nil {
		return err
	}
	spec.Labels = spec.Labels || f.assess.perClass != 0
	how, stop := inv.Compute()
	defer stop()
	wanted, method, err := asked.search(cmd, inv, how)
	if err != nil {
		return err
	}
	t, err := f.read(ctx, inv, path)
	if err != nil {
		return err
	}
	wanted.Options.Found = func(best tune.Trial) { inv.Found("best score " + verb.Num(best.Score)) }
	result := tuned{path: s.Path, method: s.Name}
	if f.assesses() {
		if result.assessed, err = assessTuning(inv, cmd.Context(), f, t.Schema(), spec, method, wanted); err != nil {
			return err
		}
		return inv.Emit(result)
	}
	p, best, found, err := search.Tune(ctx, t, spec, f.Kernel, method, wanted)
	if err != nil {
		return verb.Blame(err)
	}
	stop()
	result.found = found
	inv.Notes(p.Rows.Notes)
	inv.Notes(found.Warnings)
	noteResumed(inv, s.Path, found, f.journal)
	if wanted.Approximation.Wanted() {
		result.exact = flags.ExactCommand(cmd, cmd.Flags().Args())
	}
	if err := f.draw(cmd, found); err != nil {
		return err
	}
	if f.out != "" {
		n, _, _ := p.Dims()
		result.model, err = fitModel(inv, cmd, p, nil, f.out, flags.AfterSearch(f.journal != ""), f.out, func(how compute.Options) (learner.Learner, error) { return asked.last(best, n, how) })
		if err != nil {
			return err
		}
	}
	if f.out != "" {
		return inv.EmitReport(result)
	}
	return inv.Emit(result)
}

// read returns the table, which an assessment needs in memory.
func (f *tuneFlags) read(ctx context.Context, inv *verb.Invocation, path string) (data.Blocks, error) {
	t, err := f.Read(ctx, inv, path)
	if err == nil && f.assesses() && f.Passes.Compiled != nil {
		return nil, verb.Usagef("--nested, --assess and --train-per-class prepare every part of the rows anew, and the table is read in passes: assess on a part of it")
	}
	return t, err
}

// canWrite reports a model or a picture that cannot be written, before anything is read.
func (f *tuneFlags) canWrite() error {
	if err := verb.CanDraw(f.plot); err != nil || f.out == "" {
		return err
	}
	return verb.CanWrite(f.out)
}

// assessTuning tests tuning and fitting on splits.
func assessTuning(inv *verb.Invocation, ctx context.Context, f *tuneFlags, t *data.Table, spec prep.Spec, method learner.Learner, wanted search.Search) (*search.Assessment, error) {
	var splits []tune.Split
	if f.assess.wanted() {
		var err error
		if splits, err = f.assess.splits(inv, t, spec, f.Kernel); err != nil {
			return nil, err
		}
	}
	inv.Progress("assess", 0, 1)
	a, err := search.Assess(ctx, t, spec, f.Kernel, method, wanted, f.nested, splits, func(k, of int, a search.AssessedSplit) {
		inv.Detail("split %d of %d: %s, by %s", k+1, of, verb.Num(a.Score), a.Kernel)
		inv.Progress("assess", int64(k+1), int64(of))
	})
	if err != nil {
		return nil, verb.Blame(err)
	}
	return a, nil
}

// noteResumed says what a journal knew.
func noteResumed(inv *verb.Invocation, path bool, found *search.Tuned, journal string) {
	switch {
	case found.Resumed == 0:
	case path:
		inv.Note("%d kernels come from %s", found.Resumed, journal)
	default:
		inv.Note("%d of %d trials come from %s", found.Resumed, len(found.Trials), journal)
	}
}

// draw draws the pictures that are wanted.
func (f *tuneFlags) draw(cmd *cobra.Command, found *search.Tuned) error {
	if err := f.metric.draw(cmd, found.Metric); err != nil || f.plot == "" {
		return err
	}
	return drawScores(cmd, found, f.plot)
}
