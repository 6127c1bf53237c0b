package bag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Split returns the elements of a cell as text: a string in JSON is its value, anything else
// in a list the JSON itself. Blanks around an element of the short form do not belong to it.
func Split(cell string) ([]string, error) {
	cell = strings.TrimSpace(cell)
	if strings.HasPrefix(cell, "[") {
		return list(cell)
	}
	separator := "|"
	if !strings.Contains(cell, separator) {
		separator = ";"
	}
	elements := strings.Split(cell, separator)
	for i := range elements {
		if elements[i] = strings.TrimSpace(elements[i]); elements[i] == "" {
			return nil, fmt.Errorf("element %d of %d between %q is empty; write [\"…\", …] where elements can be, and [] for a bag without any", i+1, len(elements), separator)
		}
	}
	return elements, nil
}

func list(cell string) ([]string, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(cell), &raw); err != nil {
		return nil, fmt.Errorf("begins like a list in JSON and is none (%w); write [1, 2], [[0.5, 1], [2, 3]] or [\"a\", \"b\"]", err)
	}
	elements := make([]string, len(raw))
	for i, r := range raw {
		switch {
		case r[0] == '"':
			if err := json.Unmarshal(r, &elements[i]); err != nil {
				return nil, fmt.Errorf("element %d: %w", i+1, err)
			}
		case string(r) == "null":
			return nil, fmt.Errorf("element %d is null; leave it out, or write what it is", i+1)
		default:
			var text bytes.Buffer
			if err := json.Compact(&text, r); err != nil {
				return nil, fmt.Errorf("element %d: %w", i+1, err)
			}
			elements[i] = text.String()
		}
	}
	return elements, nil
}

// Vectors returns the elements of a cell as vectors: 1.5, 1.5 2, 1.5,2 or [1.5, 2]. All of one
// cell have one length, and their numbers are finite.
func Vectors(cell string) ([][]float64, error) {
	elements, err := Split(cell)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(elements))
	for i, text := range elements {
		if out[i], err = vector(text); err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		if len(out[i]) != len(out[0]) {
			return nil, fmt.Errorf("element %d is a vector of %d numbers, and the first has %d; give all elements as many", i+1, len(out[i]), len(out[0]))
		}
	}
	return out, nil
}

func vector(text string) ([]float64, error) {
	inside := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	fields := strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(fields) == 0 {
		return nil, errors.New("is a vector without numbers")
	}
	x := make([]float64, len(fields))
	for j, field := range fields {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is not a finite number; a vector is written 1.5 2 or [1.5, 2]", field)
		}
		x[j] = v
	}
	return x, nil
}

// Join returns the cell of elements that are strings, in full.
func Join(elements []string) string {
	if elements == nil {
		elements = []string{}
	}
	text, _ := json.Marshal(elements) // never fails for strings
	return string(text)
}

// joinVectors returns the cell of vectors.
func joinVectors(vectors [][]float64) string {
	b := []byte{'['}
	for i, x := range vectors {
		if i > 0 {
			b = append(b, ',')
		}
		for j, v := range x {
			b = append(b, "[,"[min(j, 1)])
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		}
		b = append(b, ']')
	}
	return string(append(b, ']'))
}
