package records

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/arrow"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/prep"
)

// The media types that are read and written.
const (
	JSON  = "application/json"
	Lines = "application/x-ndjson"
	CSV   = "text/csv"
	// Arrow is a stream, and Feather a file of Arrow; both are read under either name.
	Arrow   = "application/vnd.apache.arrow.stream"
	Feather = "application/vnd.apache.arrow.file"
)

// Media are all of them, those that answers are given in first where a client takes several.
var Media = []string{CSV, Lines, JSON, Arrow, Feather}

// form is what curl says of a body of which nothing else is said.
const form = "application/x-www-form-urlencoded"

// Columns are those of a model: what a table is read by.
type Columns struct {
	Inputs []prep.Input
	ID     string // the column that names rows; "": none
	// MaxRows bounds the rows of a request.
	MaxRows int
}

// mostColumns bounds the values of a row, and those of all rows in columns that the model does not
// know.
const mostColumns = 1_000_000

// csvShare is how many times its size a table in CSV may take: few columns of short numbers take
// less.
const csvShare = 64

// Read reads a table from a body of a media type. Columns that a model does not have are kept.
func Read(ctx context.Context, media string, body []byte, of Columns) (*data.Table, error) {
	switch media {
	case CSV:
		return csv.Read(ctx, "request", bytes.NewReader(body), csv.Options{Types: of.texts(body), Budget: data.NewBudget(csvShare * int64(len(body)+1<<20))})
	case Lines:
		return of.lines(body)
	case JSON, "", form:
		return of.json(body)
	case Arrow, Feather:
		return of.arrow(ctx, body)
	}
	return nil, fmt.Errorf("%w: send %s, %s, %s or %s", ErrMedia, JSON, Lines, CSV, Arrow)
}

// arrowShare is how many times its size a table in Arrow may take, whose buffers may be compressed.
const arrowShare = 64

// arrow reads a stream or a file of Arrow.
func (of Columns) arrow(ctx context.Context, body []byte) (*data.Table, error) {
	t, err := arrow.Read(ctx, "request", bytes.NewReader(body), int64(len(body)), data.NewBudget(arrowShare*int64(len(body)+1<<20)))
	if err != nil {
		return nil, err
	}
	if t.Rows() > of.MaxRows {
		return nil, fmt.Errorf("%w: there are %d rows, and %d are taken", ErrLarge, t.Rows(), of.MaxRows)
	}
	types := map[string]data.Kind{}
	for name := range of.asWritten() {
		if c, _ := t.Column(name); c != nil {
			types[name] = data.Text
		}
	}
	return t, t.ConvertKinds(types)
}

// asWritten are the columns that are compared as they are written.
func (of Columns) asWritten() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range of.Inputs {
			if c.Kind == data.Text && !yield(c.Name) {
				return
			}
		}
		if of.ID != "" {
			yield(of.ID)
		}
	}
}

// ErrMedia is what errors.Is finds where a media type is not read.
var ErrMedia = errors.New("the media type of the request is not read")

// texts forces the kind of the columns that are compared as they are written, where a table has a
// header that names them.
func (of Columns) texts(body []byte) map[string]data.Kind {
	first, _, _ := strings.Cut(string(body), "\n")
	types, header := map[string]data.Kind{}, strings.FieldsFunc(first, func(c rune) bool { return strings.ContainsRune(",;|\t\r", c) })
	for name := range of.asWritten() {
		if slices.ContainsFunc(header, func(cell string) bool { return strings.Trim(cell, "\" ") == name }) {
			types[name] = data.Text
		}
	}
	return types
}

// body is a JSON table in one of its forms.
type body struct {
	Rows    json.RawMessage            `json:"rows"`
	Columns map[string]json.RawMessage `json:"columns"`
}

// ErrLarge is what errors.Is finds where a request has too many rows or columns.
var ErrLarge = errors.New("the request is too large: send it in parts")

// list reads the elements of a list, of which there may be so many.
func list(text json.RawMessage, most int, what string) ([]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('[') {
		return nil, fmt.Errorf("%s is to be a list", what)
	}
	var all []json.RawMessage
	for decoder.More() {
		if len(all) == most {
			return nil, fmt.Errorf("%w: %s has more than %d elements", ErrLarge, what, most)
		}
		var one json.RawMessage
		if err := decoder.Decode(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// json reads {"rows": […]}, {"columns": {…}} or a list of rows.
func (of Columns) json(text []byte) (*data.Table, error) {
	var b body
	var err error
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		err = json.Unmarshal(text, &b.Rows) // as it is written
	} else {
		err = json.Unmarshal(text, &b)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("the request is no table in JSON: %w", err)
	case (b.Rows == nil) == (b.Columns == nil):
		return nil, errors.New(`the request is to have either "rows", a list of objects or of lists, or "columns", a list of values by name`)
	case b.Columns != nil:
		return of.byColumn(b.Columns)
	}
	rows, err := list(b.Rows, of.MaxRows, `"rows"`)
	if err != nil {
		return nil, err
	}
	return of.byRow(rows)
}

// lines reads a JSON object or list on each line.
func (of Columns) lines(text []byte) (*data.Table, error) {
	var rows []json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var row json.RawMessage
		switch err := decoder.Decode(&row); {
		case errors.Is(err, io.EOF):
			return of.byRow(rows)
		case err != nil:
			return nil, fmt.Errorf("line %d of the request is no JSON: %w", len(rows)+1, err)
		}
		if rows = append(rows, row); len(rows) > of.MaxRows {
			return nil, fmt.Errorf("%w: there are more than %d lines", ErrLarge, of.MaxRows)
		}
	}
}

// byColumn makes lists of values columns.
func (of Columns) byColumn(columns map[string]json.RawMessage) (*data.Table, error) {
	cells := map[string][]json.RawMessage{}
	var n int
	for name, values := range columns {
		var err error
		if cells[name], err = list(values, of.MaxRows, "column "+data.Quote(name)); err != nil {
			return nil, err
		}
		n = max(n, len(cells[name]))
	}
	for name, values := range cells {
		if len(values) != n {
			return nil, fmt.Errorf("column %s has %d values, and another has %d", data.Quote(name), len(values), n)
		}
	}
	return of.table(cells, n)
}

// byRow makes objects, or lists of the model's columns in their order, columns.
func (of Columns) byRow(rows []json.RawMessage) (*data.Table, error) {
	cells := map[string][]json.RawMessage{}
	for i, row := range rows {
		if bytes.Count(row, []byte(":")) > mostColumns {
			return nil, fmt.Errorf("%w: row %d has more than %d values", ErrLarge, i+1, mostColumns)
		}
		values, err := of.row(row)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		for name, v := range values {
			if cells[name] == nil {
				if len(cells) > mostColumns/max(1, len(rows))+len(of.Inputs) {
					return nil, fmt.Errorf("%w: its rows have more than %d different columns", ErrLarge, len(cells))
				}
				cells[name] = make([]json.RawMessage, len(rows))
			}
			cells[name][i] = v
		}
	}
	return of.table(cells, len(rows))
}

// row reads a row as values by name.
func (of Columns) row(text json.RawMessage) (map[string]json.RawMessage, error) {
	if len(text) > 0 && text[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
		if len(list) != len(of.Inputs) {
			return nil, fmt.Errorf("it has %d values, and the model has %d columns: give these, or an object of values by name", len(list), len(of.Inputs))
		}
		values := make(map[string]json.RawMessage, len(list))
		for j, v := range list {
			values[of.Inputs[j].Name] = v
		}
		return values, nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil || values == nil {
		return nil, errors.New("it is neither an object of values by name nor a list of values")
	}
	return values, nil
}
