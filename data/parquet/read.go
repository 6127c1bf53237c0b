package parquet

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"mercer/data"
)

// Read reads a file of the given size as a table. name is what messages call it. The
// package comment says which columns become what. Errors are *data.Error, except those
// of ctx. Time is linear in the file; memory is that of the table and of one page.
func Read(ctx context.Context, name string, r io.ReaderAt, size int64) (t *data.Table, err error) {
	// The decoder is not ours, and damaged pages can make it panic.
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, damaged(name, fmt.Errorf("%v", p))
		}
	}()
	if err := checkFooter(name, r, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damaged(name, err)
	}
	if file.NumRows() == 0 {
		return nil, &data.Error{Source: name, Reason: "has no rows", Fix: "give a file with at least one row"}
	}
	t = &data.Table{Source: name, Headed: true}
	at := make(map[string]int)
	for i, leaf := range file.Root().Columns() {
		if first, twice := at[leaf.Name()]; twice {
			return nil, &data.Error{Source: name, Column: i + 1, Value: leaf.Name(), Reason: fmt.Sprintf("is also the name of column %d", first+1), Fix: "rename one of them"}
		}
		at[leaf.Name()] = i
		c, err := newColumn(name, i, leaf)
		if err != nil {
			return nil, err
		}
		if err := c.read(ctx, leaf); err != nil {
			return nil, err
		}
		if int64(c.rows) != file.NumRows() {
			return nil, damaged(name, fmt.Errorf("column %d (%s) has %d rows and the file declares %d", i+1, c.name, c.rows, file.NumRows()))
		}
		t.Columns = append(t.Columns, c.finish())
	}
	if len(t.Columns) == 0 {
		return nil, &data.Error{Source: name, Reason: "has no columns"}
	}
	return t, nil
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

// read appends the values of all pages of a column.
func (c *column) read(ctx context.Context, leaf *parquet.Column) error {
	pages := leaf.Pages()
	defer pages.Close()
	values := make([]parquet.Value, 1024)
	for {
		if ctx.Err() != nil {
			return fmt.Errorf("%s: reading: %w", c.source, context.Cause(ctx))
		}
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return damaged(c.source, err)
		}
		err = c.page(page.Values(), values)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}

// page appends the values of one page.
func (c *column) page(r parquet.ValueReader, values []parquet.Value) error {
	for {
		n, err := r.ReadValues(values)
		for _, v := range values[:n] {
			if bad := c.add(v); bad != nil {
				return bad
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return damaged(c.source, err)
		}
		if n == 0 {
			return damaged(c.source, io.ErrNoProgress)
		}
	}
}
