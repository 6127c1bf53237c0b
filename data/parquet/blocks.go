package parquet

import (
	"context"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
)

// Blocks reads what [Read] reads and passes it on in blocks of rows, of which one at a time is
// in memory beside one page of every column; height gives their number of rows for a number of
// columns. It returns the table without its cells, whose kinds are those of Read; in a block
// a column is numeric or text. groups are those that are read, as if there were no others but for
// the numbers of rows in messages; the zero value is all of them. What their cells say of the kinds
// of the columns is returned, too.
//
// words are columns of integers that are known to have more digits than numbers can keep: nil at
// first, then what a [*data.ColumnsBecameText] error says. The other errors are those of Read.
func Blocks(ctx context.Context, name string, r io.ReaderAt, size int64, groups Groups, words data.TextColumns, height func(columns int) int, budget *data.Budget, use func(*data.Table) error) (t *data.Table, part *data.PartTally, err error) {
	defer func() {
		if p := recover(); p != nil {
			t, part, err = nil, nil, damaged(name, fmt.Errorf("%v", p))
		}
	}()
	file, err := openFile(name, r, size)
	if err != nil {
		return nil, nil, err
	}
	columns, end, err := inBlocks(name, file, r, groups, words, budget)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range columns {
		defer c.close()
	}
	t = &data.Table{Source: name, Headed: true}
	rows := height(len(columns))
	if err := budget.Take(textBytes*int64(rows)*int64(len(columns)), name, 0); err != nil {
		return nil, nil, err
	}
	for {
		n, err := next(ctx, columns, t, rows)
		if err != nil {
			return nil, nil, err
		}
		if n > 0 {
			if err := use(t); err != nil {
				return nil, nil, err
			}
		}
		if t.Before += n; n < rows {
			break
		}
	}
	t, part = &data.Table{Source: name, Headed: true}, &data.PartTally{}
	for _, c := range columns {
		if err := c.complete(end); err != nil {
			return nil, nil, err
		}
		part.Columns = append(part.Columns, c.tally())
		out := c.finish()
		out.Numbers, out.Strings, out.Missing = nil, nil, nil
		t.Columns = append(t.Columns, out)
	}
	return t, part, nil
}

// inBlocks returns the columns at the first row of some groups, and the number of the row behind
// the last.
func inBlocks(name string, file *parquet.File, r io.ReaderAt, groups Groups, words data.TextColumns, budget *data.Budget) (columns []*column, end int64, err error) {
	groups, before, end, err := groups.of(name, file)
	if err != nil {
		return nil, 0, err
	}
	if columns, err = columnsOf(name, file, budget); err != nil {
		return nil, 0, err
	}
	for _, c := range columns {
		c.groups, c.Rows = groups, int(before)
		if _, err := c.weigh(file, r); err != nil {
			return nil, 0, err
		}
		if first, known := words[c.name]; known {
			c.Texts, c.Why = new(data.Texts), first.Why
			c.known = true
		}
	}
	return columns, end, nil
}

// next reads the next rows of all columns into a table.
func next(ctx context.Context, columns []*column, t *data.Table, rows int) (n int, err error) {
	t.Columns = t.Columns[:0]
	turned := data.TextColumns{}
	for i, c := range columns {
		got, err := c.pull(ctx, rows)
		if err != nil {
			return 0, err
		}
		if i > 0 && got != n {
			return 0, c.complete(int64(columns[0].Rows))
		}
		n = got
		if c.Texts != nil && c.passed {
			turned[c.name] = data.FirstText{Why: c.Why}
			continue
		}
		t.Columns = append(t.Columns, c.take())
	}
	if len(turned) > 0 {
		return 0, &data.ColumnsBecameText{Columns: turned}
	}
	return n, nil
}

// take hands the cells so far over.
func (c *column) take() data.Column {
	out := data.Column{Name: c.name, Kind: data.Numeric, Numbers: c.Numbers}
	if c.Some {
		out.Missing = c.Missing
	}
	if c.Texts != nil {
		out.Kind, out.Strings = data.Text, c.Texts.Take(out.Missing)
	} else {
		c.passed = true
	}
	c.Numbers, c.Missing, c.Some = nil, nil, false
	c.budget.Give(c.paid)
	c.Letters, c.paid = 0, 0
	return out
}

// tally is what the cells say of the kind of the column.
func (c *column) tally() data.Tally {
	if c.Texts == nil {
		return data.Tally{}
	}
	t := data.Tally{Counts: c.Texts.Counts(nil)}
	if c.Why != "" { // all are integers
		t.Numbers = t.Counts.Rows
		if !c.known {
			t.First.Why = c.Why
		}
	}
	return t
}
