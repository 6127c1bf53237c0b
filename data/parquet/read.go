package parquet

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
)

// Read reads a file of the given size as a table. name is what messages call it. The
// package comment says which columns become what. Errors are *data.Error, except those
// of ctx. Time is linear in the file; memory is that of the table and of one page, and comes from
// the budget (nil: any).
func Read(ctx context.Context, name string, r io.ReaderAt, size int64, budget *data.Budget) (t *data.Table, err error) {
	// The decoder is not ours, and damaged pages can make it panic.
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, damaged(name, fmt.Errorf("%v", p))
		}
	}()
	file, err := openFile(name, r, size)
	if err != nil {
		return nil, err
	}
	t = &data.Table{Source: name, Headed: true}
	columns, err := columnsOf(name, file, budget)
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		if err := budget.Take(c.cellBytes()*file.NumRows(), name, 0); err != nil {
			return nil, err
		}
	}
	for _, c := range columns {
		held, err := c.weigh(file, r)
		if err != nil {
			return nil, err
		}
		if err := c.read(ctx, file.NumRows()); err != nil {
			return nil, err
		}
		budget.Give(held)
		t.Columns = append(t.Columns, c.finish())
	}
	return t, nil
}

// openFile reads the footer of a file.
func openFile(name string, r io.ReaderAt, size int64) (*parquet.File, error) {
	if err := checkFooter(name, r, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damaged(name, err)
	}
	if file.NumRows() == 0 {
		return nil, data.NoRows(name, "has no rows", "give a file with at least one row")
	}
	return file, nil
}

// cellBytes is what a cell of a column takes from the budget without its letters.
func (c *column) cellBytes() int64 {
	if c.Texts != nil {
		return textBytes
	}
	return numberBytes
}

// columnsOf returns an empty column for every one of the file.
func columnsOf(name string, file *parquet.File, budget *data.Budget) ([]*column, error) {
	if err := budget.Take(columnBytes*int64(len(file.Root().Columns())), name, 0); err != nil {
		return nil, err
	}
	var columns []*column
	at := make(map[string]int)
	for i, leaf := range file.Root().Columns() {
		if first, twice := at[leaf.Name()]; twice {
			return nil, &data.Error{Source: name, Column: i + 1, Value: leaf.Name(), Reason: fmt.Sprintf("is also the name of column %d", first+1), Fix: "rename one of them"}
		}
		at[leaf.Name()] = i
		c, err := newColumn(name, i, file, leaf)
		if err != nil {
			return nil, err
		}
		c.budget = budget
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil, &data.Error{Source: name, Reason: "has no columns"}
	}
	return columns, nil
}

// damaged wraps what the decoder says.
func damaged(name string, err error) error {
	return &data.Error{Source: name, Reason: "is no Parquet file, or damaged", Err: err, Fix: "write or copy it again"}
}

// checkFooter compares the length that the file gives its footer with the size of the
// file, before memory is allocated for it.
func checkFooter(name string, r io.ReaderAt, size int64) error {
	const ends = 4 + 8 // magic in front; length and magic behind
	var tail [8]byte
	if size < ends {
		return damaged(name, fmt.Errorf("%d bytes are too few", size))
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return damaged(name, err)
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); string(tail[4:]) == "PAR1" && n > size-ends {
		return damaged(name, fmt.Errorf("its footer of %d bytes does not fit its %d bytes", n, size))
	}
	return nil
}

// read appends all values of a column, which the file declares to be as many as rows.
func (c *column) read(ctx context.Context, rows int64) error {
	defer c.close()
	for {
		n, err := c.pull(ctx, atATime)
		if err != nil {
			return err
		}
		if n < atATime {
			break
		}
	}
	return c.complete(rows)
}

// complete refuses a column that ends early or late.
func (c *column) complete(rows int64) error {
	if int64(c.Rows) != rows {
		return damaged(c.source, fmt.Errorf("column %d (%s) has %d rows and the file declares %d", c.index+1, c.name, c.Rows, rows))
	}
	return nil
}

// atATime is the number of values that are read at a time.
const atATime = 1024

// pull appends up to count values, and returns how many there were: fewer only at the end.
func (c *column) pull(ctx context.Context, count int) (done int, err error) {
	if c.values == nil {
		c.values = make([]parquet.Value, atATime)
	}
	for done < count {
		if c.page == nil {
			if ctx.Err() != nil {
				return done, fmt.Errorf("%s: reading: %w", c.source, context.Cause(ctx))
			}
			if err := c.nextPage(); err == io.EOF {
				return done, nil
			} else if err != nil {
				return done, damaged(c.source, err)
			}
		}
		n, err := c.left.ReadValues(c.values[:min(atATime, count-done)])
		for _, v := range c.values[:n] {
			if bad := c.add(v); bad != nil {
				return done, bad
			}
		}
		if err := c.budget.Take(c.Letters-c.paid, c.source, 0); err != nil {
			return done, err
		}
		c.paid = c.Letters
		done += n
		switch {
		case err == io.EOF:
			parquet.Release(c.page)
			c.page = nil
		case err != nil:
			return done, damaged(c.source, err)
		case n == 0:
			return done, damaged(c.source, io.ErrNoProgress)
		}
	}
	return done, nil
}

// nextPage reads the next page; io.EOF behind the last of the groups.
func (c *column) nextPage() error {
	for {
		if c.pages == nil {
			if c.groups.From == c.groups.To {
				return io.EOF
			}
			c.pages = c.file.RowGroups()[c.groups.From].ColumnChunks()[c.index].Pages()
			c.groups.From++
		}
		page, err := c.pages.ReadPage()
		if err == nil {
			c.page, c.left = page, page.Values()
			return nil
		}
		if err != io.EOF {
			return err
		}
		err = c.pages.Close()
		c.pages = nil
		if err != nil {
			return err
		}
	}
}

// close gives back what reading has taken.
func (c *column) close() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
	if c.pages != nil {
		c.pages.Close()
	}
}
