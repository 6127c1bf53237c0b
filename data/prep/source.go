package prep

import (
	"context"
	"fmt"
	"sort"

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
	// only are the rows that are read; nil: all.
	only *Rows
	// here is why a pass was made here that others were asked for; "": none was.
	here string
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

// span returns the rows that are read.
func (s *source) span() Rows {
	if s.only != nil {
		return *s.only
	}
	return Rows{0, s.size()}
}

// cell returns the pipeline's column j in the block that has a row, and the row in it.
func (s *source) cell(j, row int) (cells, int, error) {
	block, err := s.Block(sort.SearchInts(s.Starts(), row+1)-1, []int{s.at[j]})
	if err != nil {
		return cells{}, 0, err
	}
	return cells{of: block, at: s.at[j], unit: s.units[j]}, row - block.Before, nil
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
	starts, span := s.Starts(), s.span()
	if span.From == span.To {
		return nil
	}
	first, end := sort.SearchInts(starts, span.From+1)-1, sort.SearchInts(starts, span.To)
	next := make(chan arrival, 1)
	read := func(b int) {
		block, err := s.Block(b, columns)
		next <- arrival{block, err}
	}
	for b := first; b < end; b++ {
		if s.ctx.Err() != nil {
			return fmt.Errorf("%s: preparing: %w", s.Schema().Source, context.Cause(s.ctx))
		}
		if b == first {
			read(b)
		}
		now := <-next
		if now.err != nil {
			return now.err
		}
		if b+1 < end {
			go read(b + 1)
		}
		v := view{table: now.block, at: s.at, units: s.units}
		v.first, v.end = max(span.From, starts[b])-starts[b], min(span.To, starts[b+1])-starts[b]
		if err := use(v); err != nil {
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
		for end < len(s.rows) && s.rows[end] < v.table.Before+v.end {
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
