package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data/prep"
	"example.org/mercer/data/prep/transform"
	"example.org/mercer/learner"
)

// Preparation say what the columns of a training table are for.
type Preparation struct {
	Targets       []string
	Weights       string
	ID            string
	drop          []string
	missing       string
	raw           []string
	noStandardize bool
	noOneHot      bool
	levels        int
	ordered       []string
	transform     string
	Learns        learner.Target // what the verb or the method learns to predict
	Unlabelled    bool           // rows without a target are learned from, too
	own           columned       // what flags of the method name; nil: nothing
	answer        string
}

func (f *Preparation) Register(cmd *cobra.Command) {
	defer verb.PreparationGroup.Claim(cmd.Flags())()
	set := cmd.Flags()
	set.StringSliceVar(&f.Targets, "target", nil, "column to predict: a name, #3 (counted from 1), first or last (repeatable); methods that learn without a target keep it out of the features")
	set.StringVar(&f.Weights, "weights", "", "column of row weights ≥ 0")
	set.StringVar(&f.ID, "id", "", "column that names the rows; not a feature")
	set.StringSliceVar(&f.drop, "drop", nil, "columns to leave out (repeatable)")
	set.StringVar(&f.missing, "missing", "refuse", "missing cells: refuse, drop, mean, indicator, or keep for kernels with nan=ignore or nan=penalise, which is their default")
	set.StringSliceVar(&f.raw, "raw", nil, "numeric columns to use as they are, such as 'hist*', instead of standardised (repeatable)")
	set.BoolVar(&f.noStandardize, "no-standardize", false, "use all numeric columns as they are")
	set.BoolVar(&f.noOneHot, "no-one-hot", false, "leave categorical columns out of the vectors")
	set.IntVar(&f.levels, "one-hot-up-to", 0, "numeric columns of three to so many values have a 0/1 feature for each value, too")
	set.StringArrayVar(&f.ordered, "ordered", nil, "a categorical column whose levels have an order, from the lowest on, such as 'size=small<medium<large' (repeatable)")
	if f.Learns < learner.LabelTarget { // which may be numbers
		set.StringVar(&f.transform, "target-transform", "", "function of a target of numbers that is learned, and taken back in predictions: "+strings.Join(transform.Names(), ", ")+", or none, the default of fit; where it is skewed, a search for a kernel tries "+strings.Join(transform.Parametric(), " and ")+" and takes what has the least error")
		verb.Choices(cmd, "target-transform", append(transform.Names(), transform.None))
	}
	if f.Learns == learner.StructuredTarget {
		defer verb.MethodGroup.Claim(set)()
		set.StringVar(&f.answer, "answer", "", "what a cell of the target holds: "+strings.Join(formNames(), ", "))
		verb.Choices(cmd, "answer", formNames())
	}
	verb.Choices(cmd, "missing", []string{"refuse", "drop", "mean", "indicator", "keep"})
}

func (f *Preparation) Spec() (prep.Spec, error) {
	missing, err := prep.ParseMissing(f.missing)
	if err != nil {
		return prep.Spec{}, verb.Usagef("--missing: %w", err)
	}
	form := prep.One
	if f.Learns == learner.StructuredTarget {
		if form, err = parseForm(f.answer); err != nil {
			return prep.Spec{}, err
		}
	}
	raw := f.raw
	if f.noStandardize {
		raw = []string{"*"}
	}
	if f.transform != "" {
		if err := transform.Known(f.transform); err != nil {
			return prep.Spec{}, verb.Usagef("--target-transform: %w", err)
		}
	}
	var ordered []prep.Ordering
	for _, text := range f.ordered {
		o, err := prep.ParseOrdering(text)
		if err != nil {
			return prep.Spec{}, verb.Usagef("--ordered: %w", err)
		}
		ordered = append(ordered, o)
	}
	drop := f.drop
	if f.own != nil {
		drop = slices.Concat(drop, f.own.Columns())
	}
	if f.Learns == learner.AsideTarget {
		return prep.Spec{Weights: f.Weights, ID: f.ID, Drop: slices.Concat(drop, f.Targets), Missing: missing,
			NoTarget: true, Raw: raw, NoOneHot: f.noOneHot, Ordered: ordered, Levels: f.levels}, nil
	}
	return prep.Spec{Targets: f.Targets, Weights: f.Weights, ID: f.ID, Drop: drop, Missing: missing, Unlabelled: f.Unlabelled,
		NoTarget: f.Learns == learner.NoTarget && len(f.Targets) == 0, Labels: f.Learns == learner.LabelTarget, Form: form, Raw: raw, NoOneHot: f.noOneHot, Ordered: ordered, Levels: f.levels, Transform: f.transform}, nil
}

// parseForm returns the form of answers of a name.
func parseForm(name string) (prep.Form, error) {
	if form := prep.Form(name); slices.Contains(prep.Forms, form) {
		return form, nil
	}
	return "", verb.Usagef("--answer is %q: say what a cell of the target holds, one of %s", name, strings.Join(formNames(), ", "))
}

func formNames() []string {
	var names []string
	for _, f := range prep.Forms {
		names = append(names, string(f))
	}
	return names
}
