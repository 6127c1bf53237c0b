package learn

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/search"
	"example.org/mercer/tune"
)

// registerSplits adds the flags of how rows are divided for cross-validation.
func registerSplits(set *pflag.FlagSet, folds *int, file, group *string, forward *bool) {
	set.IntVar(folds, "folds", 0, "parts of the cross-validation, 5, stratified by labels")
	set.StringVar(file, "splits", "", "splits from a file: line k lists the test rows of split k, counted from 0")
	set.StringVar(group, "group", "", "column whose equal values are never divided by a split; not a feature")
	set.BoolVar(forward, "forward", false, "rows are in the order of time: test on what comes after")
}

// assessFlags say on which splits tuning and fitting together are tested.
type assessFlags struct {
	file     string
	perClass int
	draws    int
}

func (f *assessFlags) register(cmd *cobra.Command) {
	defer verb.SearchGroup.Claim(cmd.Flags())()
	cmd.Flags().StringVar(&f.file, "assess", "", "for every split of this file, tune on its training rows and test on the others")
	cmd.Flags().IntVar(&f.perClass, "train-per-class", 0, "as --assess, with random splits that have this many training rows of every label")
	cmd.Flags().IntVar(&f.draws, "draws", 10, "number of splits of --train-per-class")
}

// wanted reports whether there are splits to test on.
func (f *assessFlags) wanted() bool { return f.file != "" || f.perClass != 0 }

// check reports flags that contradict one another.
func (f *assessFlags) check() error {
	var problems []error
	if f.file != "" && f.perClass != 0 {
		problems = append(problems, verb.Usagef("--assess and --train-per-class both say on which splits to test: give one of them"))
	}
	if f.perClass < 0 || f.draws < 1 {
		problems = append(problems, verb.Usagef("--train-per-class %d --draws %d: both must be at least 1", f.perClass, f.draws))
	}
	return errors.Join(problems...)
}

// splits reads or draws the splits of the rows of a table.
func (f *assessFlags) splits(inv *verb.Invocation, t *data.Table, spec prep.Spec, kernel string) ([]tune.Split, error) {
	if f.perClass != 0 {
		return search.PerClassSplits(t, spec, kernel, f.perClass, f.draws, inv.Seed)
	}
	return search.ReadSplits(f.file, t.Rows())
}
