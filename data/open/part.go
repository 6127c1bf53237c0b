package open

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
)

// part is a file of a table: it is compiled as a whole, or its splits are.
type part struct {
	path  string
	types map[string]data.Kind // that are forced, besides those of the options
	files []*file              // nil: they are to be compiled
	words []data.Tally         // of its columns; nil: they are to be counted
}

// file is a file, or a split of one, with its compiled file.
type file struct {
	Compilation
	table   *compiled.Table // nil: it is to be compiled
	made    *Compiled
	words   []data.Tally // that others have counted
	problem error
}

// length is how many bytes are read.
func (f *file) length() (bytes int64) {
	if f.Split == nil {
		if info, err := os.Stat(f.Options.at(f.Path)); err == nil {
			bytes = info.Size()
		}
		return bytes
	}
	for _, r := range f.Split.Reads {
		bytes += r.To - r.From
	}
	return bytes
}

// divide says which files are to be compiled.
func (p *part) divide(ctx context.Context, c Compilation) {
	p.files = nil
	for _, split := range c.splits(ctx) {
		p.files = append(p.files, &file{Compilation: split})
	}
	if p.files == nil {
		p.files = []*file{{Compilation: c}}
	}
}

// schema is that of the first file; all have the same columns.
func (p *part) schema() *data.Table { return p.files[0].table.Schema() }

// problem is why the part cannot be compiled.
func (p *part) problem() error { return p.files[0].problem }

// close closes the compiled files.
func (p *part) close() error {
	var problems []error
	for _, f := range p.files {
		if f.table != nil {
			problems = append(problems, f.table.Close())
		}
	}
	p.files = nil
	return errors.Join(problems...)
}

// blocks joins the compiled files.
func (p *part) blocks() (data.Blocks, error) {
	if len(p.files) == 1 {
		return p.files[0].table, nil
	}
	tables := make([]data.Blocks, len(p.files))
	for i, f := range p.files {
		tables[i] = f.table
	}
	return data.JoinBlocks(p.path, tables)
}

// count returns the words of the columns.
func (p *part) count(ctx context.Context) ([]data.Tally, error) {
	if p.words != nil {
		return p.words, nil
	}
	all := make([]data.Tally, len(p.schema().Columns))
	for _, f := range p.files {
		if f.words == nil {
			var err error
			if f.words, err = CountWords(ctx, f.table); err != nil {
				return nil, err
			}
		}
		for i, t := range f.words {
			all[i].Merge(t, 0)
		}
	}
	p.words = all
	return all, nil
}

// agree makes one file of the splits that were compiled: a column is what it would be without them,
// and rows are on the lines of the file. It returns false where some are to be compiled again:
//
//  1. Where a split cannot be compiled, the file is compiled as a whole, and an error is that of
//     the whole. Such a split may begin within a cell of several lines.
//  2. Where a column has words in some splits and numbers in others, these are compiled again as
//     text. Where the file as a whole would have settled for numbers, it is compiled as a whole,
//     which is an error.
//  3. The cells of all splits decide between categories and text.
func (p *part) agree(forced map[string]data.Kind) (agreed bool, err error) {
	if p.files[0].Split == nil {
		return true, nil
	}
	rows := 0
	for _, f := range p.files {
		if f.problem != nil {
			return false, p.whole()
		}
		rows += f.table.Starts()[len(f.table.Starts())-1]
	}
	found, settled := p.found()
	if rows == 0 || settled {
		return false, p.whole()
	}
	agreed = true
	for _, f := range p.files {
		split := *f.Split
		split.Text = maps.Clone(found)
		maps.Copy(split.Text, f.Split.Text)
		f.Split = &split
		if f.Split.agrees(f.table) {
			continue
		}
		if err := f.table.Close(); err != nil {
			return false, err
		}
		f.table, agreed = nil, false
	}
	if agreed {
		p.decide(forced)
	}
	return agreed, nil
}

// whole has the file compiled as a whole.
func (p *part) whole() error {
	c := p.files[0].Compilation
	c.Split = nil
	err := p.close()
	p.files = []*file{{Compilation: c}}
	return err
}

// tally merges what the splits say of a column, where there are some lines in front of each.
func (p *part) tally(column int) data.Tally {
	var all data.Tally
	for i, lines := range p.lines() {
		all.Merge(p.files[i].table.Part().Columns[column], lines)
	}
	return all
}

// lines returns how many lines are in front of each split.
func (p *part) lines() []int {
	out, lines := make([]int, len(p.files)), 0
	if l := p.files[0].Split.Layout; l != nil {
		lines = l.Lines
	}
	for i, f := range p.files {
		out[i] = lines
		lines += f.table.Part().Lines
	}
	return out
}

// found returns the columns with words in some splits and numbers in others; settled where a word
// comes too late.
func (p *part) found() (words data.TextColumns, settled bool) {
	words = data.TextColumns{}
	for i, c := range p.schema().Columns {
		numeric := func(f *file) bool { return f.table.Schema().Columns[i].Kind == data.Numeric }
		if !slices.ContainsFunc(p.files, numeric) || !slices.ContainsFunc(p.files, func(f *file) bool { return !numeric(f) }) {
			continue
		}
		words[c.Name] = p.tally(i).First
		settled = settled || words[c.Name].Before >= data.SettledNumbers
	}
	return words, settled
}

// decide says of all splits what kinds the columns have, and where their lines are.
func (p *part) decide(forced map[string]data.Kind) {
	decided := make([]compiled.Decided, len(p.schema().Columns))
	for i, c := range p.schema().Columns {
		_, by := forced[c.Name]
		switch {
		case by:
			decided[i] = compiled.Decided{Kind: c.Kind, Why: c.Why}
		case c.Kind == data.Numeric:
			decided[i] = p.numeric(i)
		default:
			t := p.tally(i)
			if first, known := p.files[0].Split.Text[c.Name]; known && t.First == (data.FirstText{}) {
				t.First = first
			}
			decided[i].Kind, decided[i].Why = t.Kind()
		}
	}
	for i, lines := range p.lines() {
		p.files[i].table.As(decided)
		p.files[i].table.After(lines)
	}
}

// numeric is a column of numbers: what is said of it all splits say.
func (p *part) numeric(column int) compiled.Decided {
	why := p.schema().Columns[column].Why
	for _, f := range p.files {
		if f.table.Schema().Columns[column].Why != why {
			why = ""
		}
	}
	return compiled.Decided{Kind: data.Numeric, Why: why}
}

// as says what kinds columns of strings have in all parts of a table.
func (p *part) as(kinds map[string]data.Kind) {
	decided := make([]compiled.Decided, len(p.schema().Columns))
	for i, c := range p.schema().Columns {
		decided[i] = compiled.Decided{Kind: c.Kind, Why: c.Why}
		if kind, of := kinds[c.Name]; of && c.Kind != data.Numeric && c.Kind != kind {
			decided[i] = compiled.Decided{Kind: kind}
		}
	}
	for _, f := range p.files {
		f.table.As(decided)
	}
}

// shards are the compiled files, with the kinds of their columns where others decide them, too.
func (p *part) shards(together bool) []Shard {
	out := make([]Shard, len(p.files))
	for i, f := range p.files {
		out[i] = Shard{Path: f.table.Path(), Of: f.table.Origin(), Continues: i > 0}
		if !together && len(p.files) == 1 {
			continue
		}
		for _, c := range f.table.Schema().Columns {
			out[i].Columns = append(out[i].Columns, compiled.Decided{Kind: c.Kind, Why: c.Why})
		}
	}
	if len(p.files) > 1 {
		for i, lines := range p.lines() {
			out[i].Lines = lines
		}
	}
	return out
}
