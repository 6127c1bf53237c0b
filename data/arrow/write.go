package arrow

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Writer writes lines of cells as an Arrow file (Feather, version 2) or stream, a batch of rows for
// each call. A column has the type of its first cells: float64 and int stay numbers, all else is
// text. A nil cell is null.
type Writer struct {
	to     io.Writer
	stream bool
	schema *arrow.Schema
	out    interface {
		Write(batch arrow.RecordBatch) error
		Close() error
	}
}

// NewWriter returns a writer of a file.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// NewStreamWriter returns a writer of a stream, which can be read before it ends.
func NewStreamWriter(to io.Writer) *Writer { return &Writer{to: to, stream: true} }

// Write writes lines below a header, which is that of the first call. The error is that of the
// file, or about a cell of another kind than those before in its column.
func (w *Writer) Write(header []string, lines [][]any) error {
	if w.out == nil {
		if err := w.begin(header, lines); err != nil {
			return err
		}
	}
	rows := array.NewRecordBuilder(memory.DefaultAllocator, w.schema)
	defer rows.Release()
	for i, line := range lines {
		for j, cell := range line {
			if err := add(rows.Field(j), cell); err != nil {
				return fmt.Errorf("arrow: line %d, column %q: %w", i+1, w.schema.Field(j).Name, err)
			}
		}
	}
	batch := rows.NewRecordBatch()
	defer batch.Release()
	return w.out.Write(batch)
}

// begin writes the schema.
func (w *Writer) begin(header []string, lines [][]any) (err error) {
	fields := make([]arrow.Field, len(header))
	for j, name := range header {
		fields[j] = arrow.Field{Name: name, Type: typeOf(lines, j), Nullable: true}
	}
	w.schema = arrow.NewSchema(fields, nil)
	if w.stream {
		w.out = ipc.NewWriter(w.to, ipc.WithSchema(w.schema))
		return nil
	}
	w.out, err = ipc.NewFileWriter(w.to, ipc.WithSchema(w.schema))
	return err
}

// typeOf returns the type of the first cell of a column.
func typeOf(lines [][]any, j int) arrow.DataType {
	for _, line := range lines {
		switch line[j].(type) {
		case nil:
			continue
		case float64:
			return arrow.PrimitiveTypes.Float64
		case int:
			return arrow.PrimitiveTypes.Int64
		}
		break
	}
	return arrow.BinaryTypes.String
}

// add appends a cell to a column.
func add(to array.Builder, cell any) error {
	if cell == nil {
		to.AppendNull()
		return nil
	}
	switch to := to.(type) {
	case *array.StringBuilder:
		to.Append(fmt.Sprint(cell))
		return nil
	case *array.Float64Builder:
		if v, ok := cell.(float64); ok {
			to.Append(v)
			return nil
		}
	case *array.Int64Builder:
		if v, ok := cell.(int); ok {
			to.Append(int64(v))
			return nil
		}
	}
	return fmt.Errorf("%v is not of the type %s of the cells before", cell, to.Type())
}

// End completes the file.
func (w *Writer) End() error {
	if w.out == nil {
		if err := w.begin(nil, nil); err != nil {
			return err
		}
	}
	return w.out.Close()
}
