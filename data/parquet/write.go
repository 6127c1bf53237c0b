package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// Writer writes lines of cells as a Parquet file with Snappy pages. A column has the type of its
// first cells: float64 and int stay numbers, all else is text. A nil cell is null.
type Writer struct {
	to    io.Writer
	names []string
	kinds []parquet.Kind
	out   *parquet.GenericWriter[any]
}

// NewWriter returns a writer of a file.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// ordered is a group whose fields keep their order: those of parquet-go are sorted by name.
type ordered struct {
	parquet.Group
	names []string
}

// Fields returns the fields in the order of the names.
func (o ordered) Fields() []parquet.Field {
	at := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		at[f.Name()] = f
	}
	out := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		out[i] = at[name]
	}
	return out
}

// Write writes lines below a header, which is that of the first call. The error is that of the
// file, or about two columns of one name or a cell of another kind than those before in its column.
func (w *Writer) Write(header []string, lines [][]any) error {
	if w.out == nil {
		if err := w.begin(header, lines); err != nil {
			return err
		}
	}
	rows := make([]parquet.Row, len(lines))
	for i, line := range lines {
		rows[i] = make(parquet.Row, len(line))
		for j, cell := range line {
			v, err := w.value(cell, j)
			if err != nil {
				return fmt.Errorf("parquet: line %d, column %q: %w", i+1, w.names[j], err)
			}
			rows[i][j] = v
		}
	}
	_, err := w.out.WriteRows(rows)
	return err
}

// begin writes the schema.
func (w *Writer) begin(header []string, lines [][]any) error {
	group := parquet.Group{}
	for j, name := range header {
		if _, twice := group[name]; twice {
			return fmt.Errorf("parquet: two columns are called %q, and names are different there: write CSV, or leave one out", name)
		}
		node := parquet.String()
		kind := parquet.ByteArray
		for _, line := range lines {
			if line[j] == nil {
				continue
			}
			switch line[j].(type) {
			case float64:
				node, kind = parquet.Leaf(parquet.DoubleType), parquet.Double
			case int:
				node, kind = parquet.Int(64), parquet.Int64
			}
			break
		}
		group[name] = parquet.Compressed(parquet.Optional(node), &parquet.Snappy)
		w.kinds = append(w.kinds, kind)
	}
	w.names = header
	w.out = parquet.NewGenericWriter[any](w.to, parquet.NewSchema("rows", ordered{group, header}))
	return nil
}

// value returns that of a cell.
func (w *Writer) value(cell any, j int) (v parquet.Value, err error) {
	if cell == nil {
		return parquet.NullValue().Level(0, 0, j), nil
	}
	switch w.kinds[j] {
	case parquet.Double:
		if x, ok := cell.(float64); ok {
			return parquet.DoubleValue(x).Level(0, 1, j), nil
		}
	case parquet.Int64:
		if x, ok := cell.(int); ok {
			return parquet.Int64Value(int64(x)).Level(0, 1, j), nil
		}
	default:
		return parquet.ByteArrayValue([]byte(fmt.Sprint(cell))).Level(0, 1, j), nil
	}
	return v, fmt.Errorf("%v is not of the type of the cells before", cell)
}

// End completes the file.
func (w *Writer) End() error {
	if w.out == nil {
		return fmt.Errorf("parquet: there are no columns to write")
	}
	return w.out.Close()
}
