package prep

import (
	"context"
	"fmt"

	"example.org/mercer/data"
)

// source is a table that is being prepared. It is read block by block, in several passes; a table
// in memory is one block.
type source struct {
	data.Blocks
	ctx context.Context
	at  []int // as in [view], with
	// units of the columns.
	units []data.Unit
	// rows are those that are kept, counted from 0 in the table; nil before that is decided.
	rows []int
	// streamed says that the prepared rows stay in the table.
	streamed bool
	// asWritten is that of the [Spec].
	asWritten func(names, columns []string) []AsWritten
}

// size returns the number of rows of the table.
func (s *source) size() int {
	starts := s.Starts()
	return starts[len(starts)-1]
}

// has reports whether the table has the pipeline's column j.
func (s *source) has(j int) bool { return s.at[j] >= 0 }

// schema returns the pipeline's column j without its cells.
func (s *source) schema(j int) cells { return cells{of: s.Schema(), at: s.at[j], unit: s.units[j]} }

// each reads the blocks one after another, the next one while one is used. Of the columns of
// the pipeline those that want selects have cells; nil: all.
func (s *source) each(want func(j int) bool, use func(v view) error) error {
	var columns []int
	if want != nil {
		columns = []int{}
	}
	for j, at := range s.at {
		if want != nil && at >= 0 && want(j) {
			columns = append(columns, at)
		}
	}
	type arrival struct {
		block *data.Table
		err   error
	}
	count, next := len(s.Starts())-1, make(chan arrival, 1)
	read := func(b int) {
		block, err := s.Block(b, columns)
		next <- arrival{block, err}
	}
	for b := range count {
		if s.ctx.Err() != nil {
			return fmt.Errorf("%s: preparing: %w", s.Schema().Source, context.Cause(s.ctx))
		}
		if b == 0 {
			read(b)
		}
		now := <-next
		if now.err != nil {
			return now.err
		}
		if b+1 < count {
			go read(b + 1)
		}
		if err := use(view{table: now.block, at: s.at, units: s.units, rows: s.Starts()[b+1] - s.Starts()[b]}); err != nil {
			return err
		}
	}
	return nil
}

// eachKept is each with the rows of a block that are kept, counted in the block, and how many are
// kept in front of it.
func (s *source) eachKept(want func(j int) bool, use func(v view, rows []int, first int) error) error {
	first := 0
	return s.each(want, func(v view) error {
		end := first
		for end < len(s.rows) && s.rows[end] < v.table.Before+v.rows {
			end++
		}
		rows := s.rows[first:end]
		if v.table.Before > 0 {
			rows = make([]int, len(rows))
			for i := range rows {
				rows[i] = s.rows[first+i] - v.table.Before
			}
		}
		err := use(v, rows, first)
		first = end
		return err
	})
}
