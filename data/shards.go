package data

import (
	"errors"
	"slices"
	"sort"
)

// JoinBlocks makes one table of the rows of several, its shards, in their order, and calls it
// source. Columns are matched as [Stack] does: by name where all have a header, in any order, and
// by position otherwise; a column that some of sparse shards lack is zero in these. Columns of
// another kind, or that are missing, are errors that name the shard.
func JoinBlocks(source string, parts []Blocks) (Blocks, error) {
	if len(parts) == 0 {
		return nil, errors.New("data: there are no shards")
	}
	first := parts[0].Schema()
	schema := *first
	schema.Source = source
	schema.Columns = slices.Clone(first.Columns)
	for _, p := range parts[1:] {
		t := p.Schema()
		schema.Headed, schema.Sparse = schema.Headed && t.Headed, schema.Sparse && t.Sparse
		if len(t.Columns) > len(schema.Columns) && schema.Sparse {
			schema.Columns = slices.Clone(t.Columns)
		}
	}
	j := &shards{parts: parts, schema: &schema, starts: []int{0}}
	if schema.Sparse {
		j.widen()
	}
	var problems []error
	for _, p := range parts {
		at, err := j.match(p.Schema())
		problems = append(problems, err)
		j.at = append(j.at, at)
		j.blocks, j.rows = append(j.blocks, len(j.starts)-1), append(j.rows, j.starts[len(j.starts)-1])
		before := j.starts[len(j.starts)-1]
		for _, start := range p.Starts()[1:] {
			j.starts = append(j.starts, before+start)
		}
	}
	return j, errors.Join(problems...)
}

// shards are the tables of which one was made.
type shards struct {
	parts  []Blocks
	schema *Table
	starts []int
	blocks []int   // blocks in front of each shard
	rows   []int   // rows in front of each shard
	at     [][]int // where the columns are in each shard; −1: nowhere
}

// widen adds the columns that only some of sparse shards have.
func (j *shards) widen() {
	for _, p := range j.parts {
		for _, c := range p.Schema().Columns {
			if _, at := j.schema.Column(c.Name); at < 0 {
				j.schema.Columns = append(j.schema.Columns, c)
			}
		}
	}
}

// match returns where the columns of the whole stand in a shard.
func (j *shards) match(t *Table) ([]int, error) {
	whole := *j.schema
	whole.Source = j.parts[0].Schema().Source
	if whole.Sparse {
		at := make([]int, len(whole.Columns))
		for i := range at {
			_, at[i] = t.Column(whole.Columns[i].Name)
		}
		return at, nil
	}
	at, err := whole.match(t)
	if err != nil {
		return nil, err
	}
	var problems []error
	for i := range at {
		x, y := &whole.Columns[i], &t.Columns[at[i]]
		if x.Kind != y.Kind {
			problems = append(problems, y.clash(t.Source, at[i], x, whole.Source))
		}
	}
	return at, errors.Join(problems...)
}

// Schema returns the table without its cells.
func (j *shards) Schema() *Table { return j.schema }

// Starts returns the rows at which the blocks of all shards begin, and the number of rows.
func (j *shards) Starts() []int { return j.starts }

// Block reads a block of one shard.
func (j *shards) Block(b int, columns []int) (*Table, error) {
	s := sort.Search(len(j.blocks), func(s int) bool { return j.blocks[s] > b }) - 1
	var there []int // columns of the shard
	if columns != nil {
		there = []int{}
	}
	for _, c := range columns {
		if at := j.at[s][c]; at >= 0 {
			there = append(there, at)
		}
	}
	t, err := j.parts[s].Block(b-j.blocks[s], there)
	if err != nil {
		return nil, err
	}
	out := *j.schema
	out.Source, out.Lines, out.Files = t.Source, t.Lines, t.Files
	out.Before, out.Earlier = j.rows[s]+t.Before, j.rows[s]
	out.Columns = slices.Clone(j.schema.Columns)
	for i := range out.Columns {
		c := &out.Columns[i]
		if at := j.at[s][i]; at >= 0 {
			c.Numbers, c.Strings, c.Missing = t.Columns[at].Numbers, t.Columns[at].Strings, t.Columns[at].Missing
		} else if columns == nil || slices.Contains(columns, i) {
			c.Numbers = make([]float64, j.starts[b+1]-j.starts[b])
		}
	}
	return &out, nil
}
