package onnx

import (
	"fmt"
	"slices"
	"strconv"

	"example.org/mercer/data/prep"
)

// Table is the name of the input of tables whose columns are all numbers: rows × columns.
const Table = "table"

// Features declares the inputs of the columns of a table and returns their features: one matrix
// where all columns are numbers, else an input for each column by its name, rows × 1. A missing
// number is NaN, a missing level an empty text.
func (g *Graph) Features(steps []prep.Step) (features Value, count int, err error) {
	inputs, err := g.inputs(steps)
	if err != nil {
		return "", 0, err
	}
	var parts []Value
	for i, s := range steps {
		made := g.numbers
		if s.Categorical {
			made = g.levels
		}
		values, columns, err := made(s, inputs[i])
		if err != nil {
			return "", 0, err
		}
		parts, count = append(parts, values...), count+columns
	}
	return g.Side(parts...), count, nil
}

// inputs returns the value of each column. Where all are numbers, they are columns of one matrix.
func (g *Graph) inputs(steps []prep.Step) ([]Value, error) {
	out := make([]Value, len(steps))
	if !slices.ContainsFunc(steps, func(s prep.Step) bool { return s.Categorical }) {
		table := g.Input(Port{Name: Table, Type: g.Number(), Columns: len(steps)})
		for i := range steps {
			out[i] = g.Columns(table, []int{i})
		}
		return out, nil
	}
	for i, s := range steps {
		kind := g.Number()
		if s.Categorical {
			kind = Strings
		}
		out[i] = g.Input(Port{Name: s.Name, Type: kind, Columns: 1})
	}
	return out, nil
}

// numbers are the features of a column of numbers.
func (g *Graph) numbers(s prep.Step, x Value) (out []Value, columns int, err error) {
	missing := Value("")
	filled := x
	if s.Fills {
		missing = g.Apply("IsNaN", x)
		filled = g.Apply("Where", missing, g.Scalar(s.Fill), x)
	}
	if s.Center != 0 {
		filled = g.Apply("Sub", filled, g.Scalar(s.Center))
	}
	if s.Scale != 1 {
		filled = g.Apply("Div", filled, g.Scalar(s.Scale))
	}
	out, columns = append(out, filled), 1
	if s.Levels != nil {
		values := make([]float64, len(s.Levels))
		for i, text := range s.Levels {
			if values[i], err = strconv.ParseFloat(text, 64); err != nil {
				return nil, 0, &Unsupported{"column " + s.Name, fmt.Sprintf("its level %q is no number any more", text)}
			}
		}
		out, columns = append(out, g.Cast(g.Apply("Equal", x, g.Row(values)))), columns+len(values)
	}
	if s.Indicator {
		out, columns = append(out, g.Cast(missing)), columns+1
	}
	return out, columns, nil
}

// levels are the 0/1 features of a column of categories: a level that training did not see has
// none.
func (g *Graph) levels(s prep.Step, x Value) (out []Value, columns int, err error) {
	missing, filled := Value(""), x
	if s.Fills {
		missing = g.Apply("Equal", x, g.Texts(false, ""))
		filled = g.Apply("Where", missing, g.Texts(false, s.Levels[s.FillLevel]), x)
	}
	levels := g.Cast(g.Apply("Equal", filled, g.Texts(false, s.Levels...)))
	if s.Ranks != nil {
		levels = g.Apply("MatMul", levels, g.Matrix(len(s.Ranks), len(s.Ranks), atMost(s.Ranks)))
	}
	out, columns = append(out, levels), len(s.Levels)
	if s.Indicator {
		out, columns = append(out, g.Cast(missing)), columns+1
	}
	return out, columns, nil
}

// atMost is the matrix that marks with a level all that are not above it.
func atMost(ranks []int) []float64 {
	out := make([]float64, 0, len(ranks)*len(ranks))
	for _, own := range ranks {
		for _, other := range ranks {
			if other <= own {
				out = append(out, 1)
			} else {
				out = append(out, 0)
			}
		}
	}
	return out
}
