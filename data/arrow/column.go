package arrow

import (
	"fmt"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"example.org/mercer/data"
)

// column builds one column of the table.
type column struct {
	data.Cells
	source string
	name   string
	index  int
	paid   int64 // letters that are taken from the budget
}

// reader reads the cells of an array: numbers, or texts where number is nil.
type reader struct {
	number func(i int) float64
	text   func(i int) string // of integers, too
	whole  bool               // number may lose digits: text tells
}

// newColumn returns an empty column of a type, or the reason why there is none.
func newColumn(source string, index int, f arrow.Field) (*column, error) {
	c := &column{source: source, name: f.Name, index: index}
	kind := f.Type
	if d, ok := kind.(*arrow.DictionaryType); ok {
		kind = d.ValueType
	}
	r, ok := readerOf(array.MakeArrayOfNull(memory.DefaultAllocator, kind, 0))
	if !ok {
		return nil, c.fail("", "is of the type "+f.Type.String()+", which is no number, text or date", "convert it before writing the file, or leave it out")
	}
	if r.number == nil {
		c.Texts = new(data.Texts)
	}
	return c, nil
}

func (c *column) fail(value, reason, fix string) *data.Error {
	return &data.Error{Source: c.source, Row: c.Rows, Column: c.index + 1, Name: c.name, Value: value, Reason: reason, Fix: fix}
}

// values reads numbers of one type.
func values[T interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}](a interface{ Value(i int) T }, whole bool) (reader, bool) {
	return reader{number: func(i int) float64 { return float64(a.Value(i)) }, text: func(i int) string { return fmt.Sprint(a.Value(i)) }, whole: whole}, true
}

// seconds reads times of day of which a second has so many units.
func seconds[T ~int32 | ~int64](a interface{ Value(i int) T }, unit arrow.TimeUnit) (reader, bool) {
	of := time.Second / unit.Multiplier()
	return reader{number: func(i int) float64 { return float64(a.Value(i)) / float64(of) }}, true
}

// strings reads texts.
func strings(a interface{ Value(i int) string }) (reader, bool) { return reader{text: a.Value}, true }

// readerOf returns how the cells of an array are read; ok is false for types that are no cells.
func readerOf(a arrow.Array) (r reader, ok bool) {
	switch a := a.(type) {
	case *array.Boolean:
		return reader{number: func(i int) float64 {
			if a.Value(i) {
				return 1
			}
			return 0
		}}, true
	case *array.Int8:
		return values(a, false)
	case *array.Int16:
		return values(a, false)
	case *array.Int32:
		return values(a, false)
	case *array.Int64:
		return values(a, true)
	case *array.Uint8:
		return values(a, false)
	case *array.Uint16:
		return values(a, false)
	case *array.Uint32:
		return values(a, false)
	case *array.Uint64:
		return values(a, true)
	case *array.Float32:
		return values(a, false)
	case *array.Float64:
		return values(a, false)
	case *array.Float16:
		return reader{number: func(i int) float64 { return float64(a.Value(i).Float32()) }}, true
	case *array.Decimal128:
		scale := a.DataType().(arrow.DecimalType).GetScale()
		return reader{number: func(i int) float64 { return a.Value(i).ToFloat64(scale) }}, true
	case *array.Decimal256:
		scale := a.DataType().(arrow.DecimalType).GetScale()
		return reader{number: func(i int) float64 { return a.Value(i).ToFloat64(scale) }}, true
	case *array.String:
		return strings(a)
	case *array.LargeString:
		return strings(a)
	case *array.StringView:
		return strings(a)
	}
	return timeReaderOf(a)
}

// timeReaderOf reads dates as they are written, so that they are dates as in any file.
func timeReaderOf(a arrow.Array) (r reader, ok bool) {
	const stamp = "2006-01-02T15:04:05"
	switch a := a.(type) {
	case *array.Date32:
		return reader{text: func(i int) string { return a.Value(i).ToTime().Format(time.DateOnly) }}, true
	case *array.Date64:
		return reader{text: func(i int) string { return a.Value(i).ToTime().Format(time.DateOnly) }}, true
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		return reader{text: func(i int) string { return a.Value(i).ToTime(unit).UTC().Format(stamp) }}, true
	case *array.Time32:
		return seconds(a, a.DataType().(*arrow.Time32Type).Unit)
	case *array.Time64:
		return seconds(a, a.DataType().(*arrow.Time64Type).Unit)
	}
	return r, false
}

// add appends the cells of an array.
func (c *column) add(a arrow.Array) error {
	at := func(i int) int { return i }
	values := a
	if d, ok := a.(*array.Dictionary); ok {
		values, at = d.Dictionary(), d.GetValueIndex
	}
	r, _ := readerOf(values)
	for i := range a.Len() {
		if a.IsNull(i) || values.IsNull(at(i)) {
			c.Absent()
			continue
		}
		if err := c.cell(r, at(i)); err != nil {
			return err
		}
	}
	return nil
}

// cell appends a value.
func (c *column) cell(r reader, i int) error {
	if c.Texts != nil {
		if reason := c.Text([]byte(r.text(i))); reason != "" {
			return c.fail(r.text(i), reason, "leave binary columns out")
		}
		return nil
	}
	x := r.number(i)
	var whole func() string
	if r.whole && data.Inexact(x) {
		whole = func() string { return r.text(i) }
	}
	if reason := c.Number(x, whole); reason != "" {
		return c.fail("", reason, "correct it, or store a null for a missing value")
	}
	return nil
}

// finish decides the kind and returns the column.
func (c *column) finish() data.Column { return c.Column(c.name, (*data.Texts).Column) }
