package flags

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/data/open"
	"example.org/mercer/data/png"
)

// Table say how to read a table.
type Table struct {
	format    string
	header    string
	delimiter string
	types     []string
	tokens    []string
	decimal   string
	thousands string
	encoding  string
	skip      int
	key       string
	sheet     string
	labels    string
	zeroBased bool
	dim       int
	bins      int
	resize    string
	crop      string
	grey      bool
	bag       string
	keep      []string
	// Unused returns columns that are read for nobody; nil: there are none.
	Unused func() []string
	// Outcomes returns columns that have one value in every bag beside those of keep; nil: there
	// are none.
	Outcomes func() []string
}

func (f *Table) Register(cmd *cobra.Command) {
	defer verb.TableGroup.Claim(cmd.Flags())()
	set := cmd.Flags()
	set.StringVar(&f.format, "format", "", "format of the table; default: found by name and content ("+strings.Join(open.Formats(), ", ")+")")
	set.StringVar(&f.header, "header", "auto", "first row holds names: auto, yes or no")
	set.StringVar(&f.delimiter, "delimiter", "", "cell delimiter of a text table, such as ';', or tab, or blank; default: found out")
	set.StringSliceVar(&f.types, "type", nil, "force the type of a column: name=numeric, name=categorical or name=text (repeatable)")
	set.StringSliceVar(&f.tokens, "missing-token", nil, "cells that mean a missing value, instead of the usual ones (repeatable)")
	set.StringVar(&f.decimal, "decimal", "", "decimal character of a text table, such as ','; default: a point")
	set.StringVar(&f.thousands, "thousands", "", "character between thousands, such as '.'; default: none")
	set.StringVar(&f.encoding, "encoding", "", "how text is written, such as latin1; default: utf-8, or as its byte order mark says")
	set.IntVar(&f.skip, "skip", 0, "lines in front of a text table, which are not read")
	set.BoolVar(&f.zeroBased, "zero-based", false, "indices of a LIBSVM file count from 0")
	set.IntVar(&f.dim, "features", 0, "number of features of a LIBSVM file whose last features are all zero")
	set.StringVar(&f.key, "key", "", "array of an .npz archive; default: all, side by side")
	set.StringVar(&f.sheet, "sheet", "", "sheet of a workbook of Excel; default: the first")
	set.StringVar(&f.labels, "labels", "", "file with the labels of images in the idx format; default: found by name beside them")
	set.IntVar(&f.bins, "bins", 0, "bins for each of the three colours in the histograms of a folder of images, 1 to 32; default 4")
	set.StringVar(&f.resize, "resize", "", "width and height to which images are scaled, such as 32x24, or 32 for a square")
	set.StringVar(&f.crop, "crop", "", "width and height of the middle of each image that is taken, after it was scaled")
	set.BoolVar(&f.grey, "grey", false, "one channel of the three of a colour image, its brightness; for --format pixels")
	set.StringVar(&f.bag, "bag", "", "column that rows of one bag have in common: each bag becomes one row, its numbers a column bag of vectors")
	set.StringSliceVar(&f.keep, "bag-keep", nil, "columns with one value in every bag, which are no part of it, beside the target (repeatable)")
	verb.Choices(cmd, "format", open.Formats())
	verb.Choices(cmd, "header", []string{"auto", "yes", "no"})
}

// options turns the flags into the reader's options; text names columns that must not
// lose digits, such as ids.
func (f *Table) options(inv *verb.Invocation, text ...string) (open.Options, error) {
	o := open.Options{Stdin: inv.Stdin, Missing: f.tokens, Key: f.key, Sheet: f.sheet, Labels: f.labels, Types: map[string]data.Kind{},
		LibSVM: libsvm.Options{ZeroBased: f.zeroBased, Dim: f.dim}, Budget: inv.Budget().Limit(), Progress: inv.Progress}
	var err error
	if o.Format, err = open.ParseFormat(f.format); err != nil {
		return o, verb.Usagef("--format: %w", err)
	}
	headers := map[string]csv.Header{"auto": csv.HeaderAuto, "yes": csv.HeaderYes, "no": csv.HeaderNo}
	var ok bool
	if o.Header, ok = headers[f.header]; !ok {
		return o, verb.Usagef("--header is %q; use auto, yes or no", f.header)
	}
	if o.Delimiter, err = parseDelimiter(f.delimiter); err != nil {
		return o, err
	}
	if err := f.text(&o); err != nil {
		return o, err
	}
	for _, spec := range f.types {
		name, kind, ok := strings.Cut(spec, "=")
		if !ok {
			return o, verb.Usagef("--type %q is not of the form name=numeric", spec)
		}
		if o.Types[name], err = data.ParseKind(kind); err != nil {
			return o, verb.Usagef("--type %q: %w", spec, err)
		}
	}
	if o.Bins = f.bins; f.bins < 0 || f.bins > png.MostBins {
		return o, verb.Usagef("--bins is %d; give a number from 1 to %d", f.bins, png.MostBins)
	}
	o.Grey = f.grey
	if o.Resize, err = png.ParseSize(f.resize); err != nil {
		return o, verb.Usagef("--resize: %w", err)
	}
	if o.Crop, err = png.ParseSize(f.crop); err != nil {
		return o, verb.Usagef("--crop: %w", err)
	}
	if o.Bag, o.Keep = f.bag, f.keep; f.Outcomes != nil {
		o.Keep = slices.Concat(o.Keep, f.Outcomes())
	}
	if f.Unused != nil {
		o.Unused = f.Unused()
	}
	if len(f.keep) > 0 && f.bag == "" {
		return o, verb.Usagef("--bag-keep names columns that bags keep; name the column of the bags (--bag), too")
	}
	for _, name := range append(text, f.bag) {
		if name != "" {
			o.Types[name] = data.Text
		}
	}
	return o, nil
}

// text adds how a table of text is written.
func (f *Table) text(o *open.Options) (err error) {
	if o.Encoding, err = open.ParseEncoding(f.encoding); err != nil {
		return verb.Usagef("--encoding %w", err)
	}
	for _, c := range []struct {
		flag, value string
		to          *byte
	}{{"decimal", f.decimal, &o.Numbers.Decimal}, {"thousands", f.thousands, &o.Numbers.Thousands}} {
		if len(c.value) > 1 {
			return verb.Usagef("--%s is %q; give one character, such as ','", c.flag, c.value)
		}
		if c.value != "" && c.value != "." || c.flag == "thousands" && c.value != "" {
			*c.to = c.value[0]
		}
	}
	if f.skip < 0 {
		return verb.Usagef("--skip is %d; give a number of lines", f.skip)
	}
	o.Skip = f.skip
	if err := o.Numbers.Check(); err != nil {
		return verb.Usagef("--decimal and --thousands: %w", err)
	}
	return nil
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
	return 0, verb.Usagef("--delimiter is %q; give one character, or comma, semicolon, tab, bar or blank", text)
}

// Read reads the table of a verb; "-" is standard input.
func (f *Table) Read(ctx context.Context, inv *verb.Invocation, path string, text ...string) (*data.Table, error) {
	o, err := f.options(inv, text...)
	if err != nil {
		return nil, err
	}
	if t := inv.Table; t != nil { // the command line is the same but for the method
		return t, nil
	}
	if _, several := open.Shards(path); several {
		return nil, verb.Usagef("%s is a pattern for several files, which are read in passes, and here one table is read at once", path)
	}
	defer inv.HoldReading()()
	return open.Read(ctx, path, o)
}
