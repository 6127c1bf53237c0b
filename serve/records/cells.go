package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"example.org/mercer/data"
)

// table makes a table of cells by column: those of the model first, in their order.
func (of Columns) table(cells map[string][]json.RawMessage, rows int) (*data.Table, error) {
	if rows == 0 {
		return nil, errors.New("the request has no rows")
	}
	t := &data.Table{Source: "request", Headed: true}
	var names []string
	for _, c := range of.Inputs {
		if cells[c.Name] != nil {
			names = append(names, c.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		c, err := column(name, cells[name], name == of.ID || of.kind(name) == data.Text)
		if err != nil {
			return nil, err
		}
		t.Columns = append(t.Columns, c)
	}
	if len(t.Columns) == 0 {
		return nil, errors.New("the rows of the request have no values")
	}
	return t, nil
}

// kind is that of a column of the model, and that of numbers for any other.
func (of Columns) kind(name string) data.Kind {
	for _, c := range of.Inputs {
		if c.Name == name {
			return c.Kind
		}
	}
	return data.Numeric
}

// column makes JSON values a column: of numbers where all are numbers, and else of text. Lists and
// objects are text as they are written, such as the points of a bag.
func column(name string, values []json.RawMessage, text bool) (data.Column, error) {
	c := data.Column{Name: name, Missing: make([]bool, len(values))}
	for i, v := range values {
		v = bytes.TrimSpace(v)
		c.Missing[i] = v == nil || string(v) == "null"
		text = text || !c.Missing[i] && !isNumber(v)
	}
	if text {
		c.Kind, c.Strings = data.Text, make([]string, len(values))
	} else {
		c.Numbers = make([]float64, len(values))
	}
	missing := false
	for i, v := range values {
		v = bytes.TrimSpace(v)
		switch {
		case c.Missing[i]:
			missing = true
			if !text {
				c.Numbers[i] = math.NaN()
			}
		case text:
			if c.Strings[i] = string(v); v[0] == '"' {
				if err := json.Unmarshal(v, &c.Strings[i]); err != nil {
					return c, fmt.Errorf("row %d, column %s: %w", i+1, data.Quote(name), err)
				}
			}
		default:
			x, err := strconv.ParseFloat(string(v), 64)
			if err != nil {
				return c, fmt.Errorf("row %d, column %s: the number %s is beyond those of float64", i+1, data.Quote(name), data.Quote(string(v)))
			}
			c.Numbers[i] = x
		}
	}
	if !missing {
		c.Missing = nil
	}
	return c, nil
}

func isNumber(v []byte) bool {
	return len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9')
}
