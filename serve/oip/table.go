package oip

import (
	"fmt"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
)

// Table makes the tensors of a request the table of a model's columns; ids, if not empty, names a
// column that may be there beside them.
func (r *Request) Table(columns []prep.Input, ids string) (*data.Table, error) {
	if len(r.Inputs) == 1 {
		rows, width := r.Inputs[0].rows()
		if numeric(columns) && width == len(columns) && (width > 1 || r.Inputs[0].Name != columns[0].Name) && r.Inputs[0].Datatype != Bytes {
			return r.Inputs[0].spread(rows, columns), nil
		}
	}
	byName := make(map[string]*Tensor, len(r.Inputs))
	for i := range r.Inputs {
		t := &r.Inputs[i]
		if byName[t.Name] != nil {
			return nil, fmt.Errorf("input %s is there twice", quoted(t.Name))
		}
		byName[t.Name] = t
	}
	table := &data.Table{Source: "request", Headed: true}
	if t := byName[ids]; ids != "" && t != nil {
		columns = append(columns[:len(columns):len(columns)], prep.Input{Name: ids, Kind: data.Text})
	}
	for _, c := range columns {
		t := byName[c.Name]
		if t == nil {
			return nil, fmt.Errorf("input %s is missing: the model wants %s", quoted(c.Name), wanted(columns))
		}
		rows, width := t.rows()
		if width != 1 {
			return nil, fmt.Errorf("input %s has the shape %v: give a value for each row, [%d] or [%d, 1]", quoted(c.Name), t.Shape, rows, rows)
		}
		if len(table.Columns) > 0 && rows != table.Rows() {
			return nil, fmt.Errorf("input %s has %d rows, and %s has %d", quoted(c.Name), rows, quoted(table.Columns[0].Name), table.Rows())
		}
		table.Columns = append(table.Columns, t.column(c))
	}
	return table, nil
}

// wanted says which tensors a model takes.
func wanted(columns []prep.Input) string {
	if numeric(columns) && len(columns) > 1 {
		return fmt.Sprintf("one tensor [rows, %d] of numbers, or one for each of its %d columns by name", len(columns), len(columns))
	}
	return fmt.Sprintf("a tensor for each of its %d columns, by name", len(columns))
}

// numeric reports whether all columns are plain numbers.
func numeric(columns []prep.Input) bool {
	for _, c := range columns {
		if c.Kind != data.Numeric || c.Unit != "" {
			return false
		}
	}
	return len(columns) > 0
}

// spread makes the columns of one tensor those of the model.
func (t *Tensor) spread(rows int, columns []prep.Input) *data.Table {
	table := &data.Table{Source: "request", Headed: true, Columns: make([]data.Column, len(columns))}
	all := make([]float64, rows*len(columns))
	for j, c := range columns {
		numbers := all[j*rows : (j+1)*rows : (j+1)*rows]
		for i := range numbers {
			numbers[i] = t.Numbers[i*len(columns)+j]
		}
		table.Columns[j] = numberColumn(c.Name, numbers)
	}
	return table
}

// column makes a tensor a column.
func (t *Tensor) column(c prep.Input) data.Column {
	switch {
	case t.Datatype == Bytes:
		return data.Column{Name: c.Name, Kind: data.Text, Strings: t.Strings, Missing: t.Missing}
	case c.Kind == data.Numeric:
		return numberColumn(c.Name, t.Numbers)
	}
	out := data.Column{Name: c.Name, Kind: data.Text, Strings: make([]string, len(t.Numbers))}
	for i, v := range t.Numbers {
		switch {
		case v != v:
			if out.Missing == nil {
				out.Missing = make([]bool, len(t.Numbers))
			}
			out.Missing[i] = true
		case t.Datatype == Bool:
			out.Strings[i] = strconv.FormatBool(v != 0)
		default:
			out.Strings[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return out
}

// numberColumn is a column of numbers that are missing where they are NaN.
func numberColumn(name string, numbers []float64) data.Column {
	c := data.Column{Name: name, Numbers: numbers}
	for i, v := range numbers {
		if v != v {
			if c.Missing == nil {
				c.Missing = make([]bool, len(numbers))
			}
			c.Missing[i] = true
		}
	}
	return c
}
