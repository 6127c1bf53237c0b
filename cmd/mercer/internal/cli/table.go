package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/data/open"
	"example.org/mercer/data/png"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
)

// tableFlags say how to read a table.
type tableFlags struct {
	format    string
	header    string
	delimiter string
	types     []string
	tokens    []string
	key       string
	labels    string
	zeroBased bool
	dim       int
	bins      int
	bag       string
	keep      []string
	// outcomes returns columns that have one value in every bag beside those of keep; nil: there
	// are none.
	outcomes func() []string
}

func (f *tableFlags) register(cmd *cobra.Command) {
	defer tableGroup.claim(cmd.Flags())()
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "format of the table; default: found by name and content ("+strings.Join(open.Formats(), ", ")+")")
	flags.StringVar(&f.header, "header", "auto", "first row holds names: auto, yes or no")
	flags.StringVar(&f.delimiter, "delimiter", "", "cell delimiter of a text table, such as ';', or tab, or blank; default: found out")
	flags.StringSliceVar(&f.types, "type", nil, "force the type of a column: name=numeric, name=categorical or name=text (repeatable)")
	flags.StringSliceVar(&f.tokens, "missing-token", nil, "cells that mean a missing value, instead of the usual ones (repeatable)")
	flags.BoolVar(&f.zeroBased, "zero-based", false, "indices of a LIBSVM file count from 0")
	flags.IntVar(&f.dim, "features", 0, "number of features of a LIBSVM file whose last features are all zero")
	flags.StringVar(&f.key, "key", "", "array of an .npz archive; default: all, side by side")
	flags.StringVar(&f.labels, "labels", "", "file with the labels of images in the idx format; default: found by name beside them")
	flags.IntVar(&f.bins, "bins", 0, "bins for each of the three colours in the histograms of a folder of images, 1 to 32; default 4")
	flags.StringVar(&f.bag, "bag", "", "column that rows of one bag have in common: each bag becomes one row, its numbers a column bag of vectors")
	flags.StringSliceVar(&f.keep, "bag-keep", nil, "columns with one value in every bag, which are no part of it, beside the target (repeatable)")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(open.Formats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("header", cobra.FixedCompletions([]string{"auto", "yes", "no"}, cobra.ShellCompDirectiveNoFileComp))
}

// options turns the flags into the reader's options; text names columns that must not
// lose digits, such as ids.
func (f *tableFlags) options(inv *invocation, text ...string) (open.Options, error) {
	o := open.Options{Stdin: inv.stdin, Missing: f.tokens, Key: f.key, Labels: f.labels, Types: map[string]data.Kind{},
		LibSVM: libsvm.Options{ZeroBased: f.zeroBased, Dim: f.dim, Limit: max(inv.limit(), libsvm.DefaultLimit)}}
	var err error
	if o.Format, err = open.ParseFormat(f.format); err != nil {
		return o, usagef("--format: %w", err)
	}
	headers := map[string]csv.Header{"auto": csv.HeaderAuto, "yes": csv.HeaderYes, "no": csv.HeaderNo}
	var ok bool
	if o.Header, ok = headers[f.header]; !ok {
		return o, usagef("--header is %q; use auto, yes or no", f.header)
	}
	if o.Delimiter, err = parseDelimiter(f.delimiter); err != nil {
		return o, err
	}
	for _, spec := range f.types {
		name, kind, ok := strings.Cut(spec, "=")
		if !ok {
			return o, usagef("--type %q is not of the form name=numeric", spec)
		}
		if o.Types[name], err = data.ParseKind(kind); err != nil {
			return o, usagef("--type %q: %w", spec, err)
		}
	}
	if o.Bins = f.bins; f.bins < 0 || f.bins > png.MostBins {
		return o, usagef("--bins is %d; give a number from 1 to %d", f.bins, png.MostBins)
	}
	if o.Bag, o.Keep = f.bag, f.keep; f.outcomes != nil {
		o.Keep = slices.Concat(o.Keep, f.outcomes())
	}
	if len(f.keep) > 0 && f.bag == "" {
		return o, usagef("--bag-keep names columns that bags keep; name the column of the bags (--bag), too")
	}
	for _, name := range append(text, f.bag) {
		if name != "" {
			o.Types[name] = data.Text
		}
	}
	return o, nil
}

// parseDelimiter reads one character, or the name of one that is hard to type.
func parseDelimiter(text string) (rune, error) {
	named := map[string]rune{"": 0, "comma": ',', "semicolon": ';', "tab": '\t', `\t`: '\t', "bar": '|', "blank": ' ', "space": ' '}
	if r, ok := named[text]; ok {
		return r, nil
	}
	if runes := []rune(text); len(runes) == 1 {
		return runes[0], nil
	}
	return 0, usagef("--delimiter is %q; give one character, or comma, semicolon, tab, bar or blank", text)
}

// read reads the table of a verb; "-" is standard input.
func (f *tableFlags) read(ctx context.Context, inv *invocation, path string, text ...string) (*data.Table, error) {
	o, err := f.options(inv, text...)
	if err != nil {
		return nil, err
	}
	return open.Read(ctx, path, o)
}

// prepFlags say what the columns of a training table are for.
type prepFlags struct {
	targets       []string
	weights       string
	id            string
	drop          []string
	missing       string
	raw           []string
	noStandardize bool
	noOneHot      bool
	learns        learner.Target // what the verb or the method learns to predict
	own           columned       // what flags of the method name; nil: nothing
	answer        string
}

func (f *prepFlags) register(cmd *cobra.Command) {
	defer prepGroup.claim(cmd.Flags())()
	flags := cmd.Flags()
	flags.StringSliceVar(&f.targets, "target", nil, "column to predict: a name, #3 (counted from 1), first or last (repeatable); methods that learn without a target keep it out of the features")
	flags.StringVar(&f.weights, "weights", "", "column of row weights ≥ 0")
	flags.StringVar(&f.id, "id", "", "column that names the rows; not a feature")
	flags.StringSliceVar(&f.drop, "drop", nil, "columns to leave out (repeatable)")
	flags.StringVar(&f.missing, "missing", "refuse", "missing cells: refuse, drop, mean, indicator, or keep for kernels with nan=ignore or nan=penalise, which is their default")
	flags.StringSliceVar(&f.raw, "raw", nil, "numeric columns to use as they are, such as 'hist*', instead of standardised (repeatable)")
	flags.BoolVar(&f.noStandardize, "no-standardize", false, "use all numeric columns as they are")
	flags.BoolVar(&f.noOneHot, "no-one-hot", false, "leave categorical columns out of the vectors")
	if f.learns == learner.StructuredTarget {
		defer ofMethod.claim(flags)()
		flags.StringVar(&f.answer, "answer", "", "what a cell of the target holds: "+strings.Join(formNames(), ", "))
		_ = cmd.RegisterFlagCompletionFunc("answer", cobra.FixedCompletions(formNames(), cobra.ShellCompDirectiveNoFileComp))
	}
	_ = cmd.RegisterFlagCompletionFunc("missing", cobra.FixedCompletions([]string{"refuse", "drop", "mean", "indicator", "keep"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *prepFlags) spec() (prep.Spec, error) {
	missing, err := prep.ParseMissing(f.missing)
	if err != nil {
		return prep.Spec{}, usagef("--missing: %w", err)
	}
	form := prep.One
	if f.learns == learner.StructuredTarget {
		if form, err = parseForm(f.answer); err != nil {
			return prep.Spec{}, err
		}
	}
	raw := f.raw
	if f.noStandardize {
		raw = []string{"*"}
	}
	drop := f.drop
	if f.own != nil {
		drop = slices.Concat(drop, f.own.Columns())
	}
	if f.learns == learner.AsideTarget {
		return prep.Spec{Weights: f.weights, ID: f.id, Drop: slices.Concat(drop, f.targets), Missing: missing,
			NoTarget: true, Raw: raw, NoOneHot: f.noOneHot}, nil
	}
	return prep.Spec{Targets: f.targets, Weights: f.weights, ID: f.id, Drop: drop, Missing: missing,
		NoTarget: f.learns == learner.NoTarget && len(f.targets) == 0, Labels: f.learns == learner.LabelTarget, Form: form, Raw: raw, NoOneHot: f.noOneHot}, nil
}

// parseForm returns the form of answers of a name.
func parseForm(name string) (prep.Form, error) {
	if form := prep.Form(name); slices.Contains(prep.Forms, form) {
		return form, nil
	}
	return "", usagef("--answer is %q: say what a cell of the target holds, one of %s", name, strings.Join(formNames(), ", "))
}

func formNames() []string {
	var names []string
	for _, f := range prep.Forms {
		names = append(names, string(f))
	}
	return names
}
