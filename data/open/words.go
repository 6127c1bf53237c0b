package open

import (
	"context"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
)

// CountWords counts the words of all columns of strings of a compiled file.
func CountWords(ctx context.Context, t *compiled.Table) ([]data.Tally, error) {
	columns := t.Schema().Columns
	out, texts := make([]data.Tally, len(columns)), make([]data.Texts, len(columns))
	wanted := []int{}
	for at, c := range columns {
		if c.Kind != data.Numeric {
			wanted = append(wanted, at)
		}
	}
	for b := range len(t.Starts()) - 1 {
		if len(wanted) == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		block, err := t.Block(b, wanted)
		if err != nil {
			return nil, err
		}
		for _, at := range wanted {
			count(&out[at], &texts[at], block.Columns[at])
		}
	}
	for _, at := range wanted {
		out[at].Counts = texts[at].Counts(nil)
	}
	return out, nil
}

// count adds the cells of a block.
func count(t *data.Tally, texts *data.Texts, c data.Column) {
	for row, cell := range c.Strings {
		texts.Add([]byte(cell))
		if _, err := strconv.ParseFloat(cell, 64); err == nil {
			t.Numbers++
		} else if !c.IsMissing(row) {
			t.Words++
		}
	}
	texts.Take(c.Missing)
}
