package arrow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"example.org/mercer/data"
)

// magic is how files begin, and continuation how streams do.
const (
	magic        = "ARROW1"
	continuation = "\xff\xff\xff\xff"
)

// Is reports whether a source begins like a file or a stream of Arrow.
func Is(start []byte) bool {
	return bytes.HasPrefix(start, []byte(magic)) || bytes.HasPrefix(start, []byte(continuation))
}

// Read reads a file or a stream of the given size as a table. name is what messages call it. The
// package comment says which columns become what. Errors are *data.Error, except those of ctx. Time
// is linear in the file; memory is that of the table and of one batch of rows, and comes from the
// budget (nil: any).
func Read(ctx context.Context, name string, r io.ReaderAt, size int64, budget *data.Budget) (t *data.Table, err error) {
	// The decoder is not ours, and damaged buffers can make it panic.
	defer func() {
		switch p := recover().(type) {
		case nil:
		case refusal:
			t, err = nil, p.err
		default:
			t, err = nil, damaged(name, fmt.Errorf("%v", p))
		}
	}()
	batches, err := open(io.NewSectionReader(r, 0, size), &account{name: name, most: mostTimes*size + leastBytes, budget: budget})
	if err != nil {
		return nil, damaged(name, err)
	}
	defer batches.Release()
	var columns []*column
	for i, f := range batches.Schema().Fields() {
		c, err := newColumn(name, i, f)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil, &data.Error{Source: name, Reason: "has no columns"}
	}
	rows, err := addAll(ctx, name, batches, columns, budget)
	if err != nil {
		return nil, err
	}
	if rows == 0 {
		return nil, &data.Error{Source: name, Reason: "has no rows", Fix: "give a file with at least one row"}
	}
	t = &data.Table{Source: name, Headed: true}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.finish())
	}
	return t, nil
}

// batchReader are the batches of rows of a file or a stream.
type batchReader interface {
	Schema() *arrow.Schema
	Next() bool
	RecordBatch() arrow.RecordBatch
	Err() error
	Release()
}

// open returns the batches of a file or a stream.
func open(r *io.SectionReader, memory *account) (batchReader, error) {
	var start [len(magic)]byte
	if _, err := r.ReadAt(start[:], 0); err != nil {
		return nil, err
	}
	options := []ipc.Option{ipc.WithBodySizeLimit(r.Size()), ipc.WithMetadataSizeLimit(r.Size()), ipc.WithAllocator(memory), ipc.WithCompressConcurrency(1)}
	if string(start[:]) != magic {
		if err := verifyStream(r); err != nil {
			return nil, err
		}
		return ipc.NewReader(r, options...)
	}
	if err := verifyFile(r); err != nil {
		return nil, err
	}
	f, err := ipc.NewFileReader(r, options...)
	if err != nil {
		return nil, err
	}
	return &fileBatches{file: f}, nil
}

// fileBatches are those of a file, in their order.
type fileBatches struct {
	file *ipc.FileReader
	next int
	now  arrow.RecordBatch
	err  error
}

func (b *fileBatches) Schema() *arrow.Schema          { return b.file.Schema() }
func (b *fileBatches) RecordBatch() arrow.RecordBatch { return b.now }
func (b *fileBatches) Err() error                     { return b.err }
func (b *fileBatches) Release()                       { b.file.Close() }

func (b *fileBatches) Next() bool {
	if b.next == b.file.NumRecords() || b.err != nil {
		return false
	}
	b.now, b.err = b.file.RecordBatch(b.next)
	b.next++
	return b.err == nil
}

// addAll adds the rows of all batches to the columns.
func addAll(ctx context.Context, name string, batches batchReader, columns []*column, budget *data.Budget) (rows int64, err error) {
	for batches.Next() {
		if ctx.Err() != nil {
			return 0, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		}
		batch := batches.RecordBatch()
		for i, c := range columns {
			if err := budget.Take(cellBytes*batch.NumRows(), name, 0); err != nil {
				return 0, err
			}
			if err := c.add(batch.Column(i)); err != nil {
				return 0, err
			}
			if err := budget.Take(c.Letters-c.paid, name, 0); err != nil {
				return 0, err
			}
			c.paid = c.Letters
		}
		rows += batch.NumRows()
	}
	if err := batches.Err(); err != nil && !errors.Is(err, io.EOF) {
		return 0, damaged(name, err)
	}
	return rows, nil
}

// cellBytes is what a cell takes from the budget without its letters.
const cellBytes = 32

// damaged wraps what the decoder says.
func damaged(name string, err error) error {
	return &data.Error{Source: name, Reason: "is no Arrow file or stream, or damaged", Err: err, Fix: "write or copy it again"}
}
