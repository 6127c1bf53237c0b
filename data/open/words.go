package open

import (
	"context"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
)

// Words are what a column of strings holds in one file, of which all files of a table together
// decide whether it has categories.
type Words struct {
	Counts  data.TextCounts
	Numbers int // cells that are numbers
	Others  int // those that are not, and not missing
}

func (w *Words) merge(other Words) {
	w.Counts.Merge(other.Counts)
	w.Numbers, w.Others = w.Numbers+other.Numbers, w.Others+other.Others
}

// CountWords counts the words of all columns of strings of a compiled file.
func CountWords(ctx context.Context, t *compiled.Table) ([]Words, error) {
	columns := t.Schema().Columns
	out, texts := make([]Words, len(columns)), make([]data.Texts, len(columns))
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
			out[at].count(&texts[at], block.Columns[at])
		}
	}
	for _, at := range wanted {
		out[at].Counts = texts[at].Counts(nil)
	}
	return out, nil
}

// count adds the cells of a block.
func (w *Words) count(texts *data.Texts, c data.Column) {
	for row, cell := range c.Strings {
		texts.Add([]byte(cell))
		if _, err := strconv.ParseFloat(cell, 64); err == nil {
			w.Numbers++
		} else if !c.IsMissing(row) {
			w.Others++
		}
	}
	texts.Take(c.Missing)
}
