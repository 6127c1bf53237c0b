package csv

import (
	"context"
	"fmt"
	"io"

	"example.org/mercer/data"
)

// blocks is what a parser does with rows that it does not keep.
type blocks struct {
	size int // rows of a block
	use  func(*data.Table) error
}

// Blocks reads what [Read] reads and passes it on in blocks of rows, of which one at a time is in
// memory; size gives their number of rows for a number of columns. It returns the table without
// its cells, whose kinds are those of Read.
//
// In a block a column is numeric or text: that it is categorical is known at the end alone. Missing
// marks of text are those of a category, with the word that means it in the cell; in a column that
// ends as text such a word is a cell like any other, unless Options.Missing lists it.
//
// words are columns that are known to hold no numbers: nil at first, then what a
// [*data.ColumnsBecameText] error says. The other errors are those of Read.
func Blocks(ctx context.Context, name string, r io.Reader, o Options, words data.TextColumns, size func(columns int) int, use func(*data.Table) error) (*data.Table, error) {
	p, err := open(name, r, o)
	if err != nil {
		return nil, err
	}
	if err := p.inBlocks(ctx, words, size, use); err != nil {
		return nil, err
	}
	if p.none() {
		return nil, p.noRows()
	}
	return p.schema()
}

// inBlocks passes all rows on.
func (p *parser) inBlocks(ctx context.Context, words data.TextColumns, size func(columns int) int, use func(*data.Table) error) error {
	p.blocks = &blocks{size: size(len(p.columns)), use: use}
	for _, c := range p.columns {
		c.unused = false // a block that was passed on cannot be emptied
		if first, known := words[c.name]; known && !c.forced {
			c.texts, c.first, c.known = new(data.Texts), first, true
		}
	}
	if err := p.rows(ctx); err != nil {
		return err
	}
	if err := p.pass(); err != nil {
		return err
	}
	for _, c := range p.columns {
		if err := c.notInBlocks(); err != nil {
			return err
		}
	}
	return nil
}

// schema returns the table without its cells.
func (p *parser) schema() (*data.Table, error) {
	t, err := p.finish()
	if err != nil {
		return nil, err
	}
	t.Lines, t.Before = nil, 0
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Numbers, c.Strings, c.Missing = nil, nil, nil
	}
	return t, nil
}

// pass hands the rows so far over, and forgets them.
func (p *parser) pass() error {
	if len(p.table.Lines) == 0 {
		return nil
	}
	block, turned := *p.table, data.TextColumns{}
	block.Columns = make([]data.Column, len(p.columns))
	for i, c := range p.columns {
		if c.texts != nil && c.passed {
			turned[c.name] = c.first
			continue
		}
		block.Columns[i] = c.take()
	}
	if len(turned) > 0 {
		return &data.ColumnsBecameText{Columns: turned}
	}
	if err := p.blocks.use(&block); err != nil {
		return err
	}
	p.budget.Give((rowBytes+numberBytes*int64(len(p.columns)))*int64(len(block.Lines)) + p.taken)
	p.held, p.taken = 0, 0
	p.table.Before += len(block.Lines)
	p.table.Lines = nil
	return nil
}

// take hands the cells so far over. A column of numbers can no longer become one of strings.
func (c *column) take() data.Column {
	if c.texts != nil {
		out := data.Column{Name: c.name, Kind: data.Text, Missing: c.absent, Strings: c.texts.Take(c.absent)}
		c.absent = nil
		if c.measure != nil {
			c.measure.Forget()
		}
		return out
	}
	out := c.finishNumbers()
	c.numbers, c.text, c.ends, c.passed = nil, nil, nil, true
	return out
}

// notInBlocks refuses amounts and dates, which are numbers where all cells are: that is known at
// the end alone, when the blocks have been passed on as text.
func (c *column) notInBlocks() error {
	if c.measure == nil {
		return nil
	}
	_, unit, _ := c.measure.Found()
	if unit == "" {
		return nil
	}
	return &data.Error{Source: c.source, Column: c.index + 1, Name: c.name, Reason: fmt.Sprintf("holds %v, which are read as numbers from tables in memory alone", unit),
		Fix: fmt.Sprintf("read it without --out-of-core, or name the type of the column (--type %s=categorical or %[1]s=text)", c.name)}
}
