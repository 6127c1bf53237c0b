package prep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"sort"

	"example.org/mercer/data"
)

// runRows is the number of rows of a run. A fit learns from runs, and merges what they say in
// their order, so that it does not matter who read them.
const runRows = 1 << 16

// Rows are the rows From ≤ i < To of a table.
type Rows struct{ From, To int }

// RowsOf are those of ascending numbers.
func RowsOf(numbers []int) (out []Rows) {
	for _, i := range numbers {
		out = appendRow(out, i)
	}
	return out
}

// appendRow adds the row behind others.
func appendRow(rows []Rows, i int) []Rows {
	if last := len(rows) - 1; last >= 0 && rows[last].To == i {
		rows[last].To++
		return rows
	}
	return append(rows, Rows{i, i + 1})
}

// Numbers appends those of the rows.
func (r Rows) Numbers(to []int) []int {
	for i := r.From; i < r.To; i++ {
		to = append(to, i)
	}
	return to
}

// Pass is a pass over the rows of a table by which a preparation is learned or applied. It can be
// sent by encoding/gob, so that others make it ([Elsewhere]).
type Pass struct {
	Columns    []byte // of the pipeline
	At         []int  // their places in the table; -1: it has none
	Unlabelled bool   // rows may lack their targets
	Step       step
}

// step is what a pass does with a run of rows.
type step interface {
	// run returns what it finds, of a type that encoding/gob knows.
	run(p *Pipeline, s *source) (found, error)
}

// found is what a step finds in a run of rows.
type found interface {
	// problem is what is wrong with the rows, where the step went on to find more; nil: nothing.
	problem() error
}

// sent is what was found as it is sent.
type sent struct{ Found found }

func init() {
	gob.Register(learnRows{})
	gob.Register(encodeRows{})
	gob.Register(&learned{})
	gob.Register(&encoded{})
}

// Run makes the pass over some rows of a table, and returns what it found for [Elsewhere]. An
// error says that these rows cannot be prepared here.
func (p Pass) Run(ctx context.Context, b data.Blocks, rows Rows) ([]byte, error) {
	var columns stored
	if err := json.Unmarshal(p.Columns, &columns); err != nil {
		return nil, fmt.Errorf("prep: the columns of a pass: %w", err)
	}
	steps := &Pipeline{missing: columns.Missing, headed: columns.Headed, sparse: columns.Sparse, columns: columns.Columns, unlabelled: p.Unlabelled}
	s := &source{Blocks: b, ctx: ctx, at: p.At, units: steps.units(), streamed: true}
	for _, at := range p.At {
		if len(p.At) != len(steps.columns) || at >= len(b.Schema().Columns) {
			return nil, fmt.Errorf("prep: a pass over %d columns of a table of %d", len(p.At), len(b.Schema().Columns))
		}
	}
	if rows.From < 0 || rows.To > s.size() || rows.From >= rows.To {
		return nil, fmt.Errorf("prep: rows %d to %d of a table of %d", rows.From+1, rows.To, s.size())
	}
	made, err := p.Step.run(steps, s.part(rows))
	if err == nil {
		err = made.problem()
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = gob.NewEncoder(&out).Encode(sent{made})
	return out.Bytes(), err
}

// Elsewhere is a table over which others make the passes of its preparation.
type Elsewhere interface {
	// Prepare has [Pass.Run] called for every run of rows, and calls done with what each returned,
	// in their order. why says that some run cannot be read elsewhere: then done was not called,
	// and the pass is made here, which does it or says what is wrong.
	Prepare(ctx context.Context, p Pass, runs []Rows, done func(content []byte) error) (why string, err error)
}

// elsewhere has a step made by others, if the table has such, and enough rows for two of them. made
// is false if it has to be made here.
func (p *Pipeline) elsewhere(s *source, st step, merge func(found) error) (made bool, err error) {
	by, can := s.Blocks.(Elsewhere)
	runs := s.runs()
	if !can || !s.streamed || len(runs) < 2 {
		return false, nil
	}
	columns, err := json.Marshal(stored{p.missing, p.headed, p.sparse, p.columns})
	if err != nil {
		return false, err
	}
	why, err := by.Prepare(s.ctx, Pass{columns, s.at, p.unlabelled, st}, runs, func(content []byte) error {
		var got sent
		if err := gob.NewDecoder(bytes.NewReader(content)).Decode(&got); err != nil {
			return fmt.Errorf("prep: what was found elsewhere: %w", err)
		}
		return merge(got.Found)
	})
	s.here = cmp.Or(s.here, why)
	return err == nil && why == "", err
}

// runs are those of the table.
func (s *source) runs() (out []Rows) {
	for from := 0; from < s.size(); from += runRows {
		out = append(out, Rows{from, min(from+runRows, s.size())})
	}
	return out
}

// part is the source of some rows.
func (s *source) part(rows Rows) *source {
	q := *s
	q.only = &rows
	if s.rows != nil {
		q.rows = s.rows[sort.SearchInts(s.rows, rows.From):sort.SearchInts(s.rows, rows.To)]
	}
	return &q
}
