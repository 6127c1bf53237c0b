package prep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/data"
)

// Apply does to t what was done to the training table. Columns are matched by name
// where both tables have a header, in any order; columns that training did not have
// are ignored with a note. Otherwise they are matched by position, in a table that
// has all the columns of the training table, or all but the targets, or all but
// targets and weights, or the features alone.
//
// Targets, weights and ids are optional: without them Y, W and IDs are nil. Where
// the pipeline drops rows with missing cells, Rows says which are left.
func (p *Pipeline) Apply(t *data.Table) (*Prepared, error) { return p.applyTable(t, true) }

// ApplyInputs is [Pipeline.Apply] without targets and weights: what a
// prediction needs, even from a table whose targets are unknown or unreadable.
func (p *Pipeline) ApplyInputs(t *data.Table) (*Prepared, error) { return p.applyTable(t, false) }

// ApplyBlocks is [Pipeline.Apply], or without outcomes ApplyInputs, to a table of which a block at
// a time is in memory. The rows stay where they are, see [Prepared].Streamed.
func (p *Pipeline) ApplyBlocks(ctx context.Context, b data.Blocks, outcomes bool) (*Prepared, error) {
	return p.apply(&source{Blocks: b, ctx: ctx, streamed: true}, outcomes)
}

func (p *Pipeline) applyTable(t *data.Table, outcomes bool) (*Prepared, error) {
	if err := checkTable(t); err != nil {
		return nil, err
	}
	return p.apply(&source{Blocks: t, ctx: context.Background()}, outcomes)
}

func (p *Pipeline) apply(s *source, outcomes bool) (*Prepared, error) {
	v, notes, err := p.match(s.Schema())
	if err != nil {
		return nil, err
	}
	s.at, s.units = v.at, p.units()
	hidden, err := p.hide(s, outcomes)
	if err != nil {
		return nil, err
	}
	l, err := p.learn(s, nil)
	if err != nil {
		return nil, err
	}
	if l.Fatal.Count > 0 {
		return nil, p.refusal(s, l.Fatal, "the model was trained to refuse missing cells: complete the file, or train again with --missing drop, mean or indicator")
	}
	left, err := p.leftOut(s, l.Left)
	if err != nil {
		return nil, err
	}
	prepared, err := p.encode(s)
	if err != nil {
		return nil, err
	}
	prepared.Notes = slices.Concat(notes, hidden, left, prepared.Notes)
	return prepared, nil
}

// match finds the pipeline's columns in t.
func (p *Pipeline) match(t *data.Table) (view, []string, error) {
	if p.headed && t.Headed || p.sparse && t.Sparse {
		return p.matchNames(t)
	}
	v, err := p.matchPositions(t)
	if err == nil && p.headed != t.Headed {
		return v, []string{fmt.Sprintf("only one of %s and the training table has a header: columns are matched by position", t.Source)}, nil
	}
	return v, nil, err
}

// mostLacking is how many columns that a table lacks are told.
const mostLacking = 10

func (p *Pipeline) matchNames(t *data.Table) (view, []string, error) {
	v := view{table: t, at: make([]int, len(p.columns))}
	known := make([]bool, len(t.Columns))
	var lacking []error
	var zero []string
	positions := t.Positions()
	for j, c := range p.columns {
		at, found := positions[c.Name]
		v.at[j] = -1
		if found {
			v.at[j], known[at] = at, true
		} else if c.Role == feature && p.sparse && t.Sparse && c.Kind == numeric {
			zero = append(zero, c.Name)
		} else if len(lacking) < mostLacking && (c.Role == feature || c.Role == cell) {
			lacking = append(lacking, &data.Error{Source: t.Source, Reason: "has no column " + data.Quote(c.Name) + ", which the model was trained on", Fix: t.Suggest(c.Name)})
		}
	}
	if lacking != nil {
		return view{}, nil, errors.Join(lacking...)
	}
	var extra []string
	for i := range known {
		if !known[i] {
			extra = append(extra, t.Columns[i].Name)
		}
	}
	var notes []string
	if extra != nil {
		notes = append(notes, fmt.Sprintf("ignored %s that the model was not trained on: %s", count(len(extra), "column"), listShort(extra)))
	}
	if zero != nil {
		notes = append(notes, fmt.Sprintf("%s that %s leaves out: 0 in every row: %s", count(len(zero), "column"), t.Source, listShort(zero)))
	}
	return v, notes, nil
}

// matchPositions matches columns in order: the first of the layouts that Apply
// allows with as many columns as t.
func (p *Pipeline) matchPositions(t *data.Table) (view, error) {
	layouts := []func(role) bool{
		func(role) bool { return true },
		func(r role) bool { return r != target },
		func(r role) bool { return r != target && r != weights },
		func(r role) bool { return r == feature || r == cell },
	}
	var allowed []string
	for _, has := range layouts {
		v, n := view{table: t, at: make([]int, len(p.columns))}, 0
		for j, c := range p.columns {
			v.at[j] = -1
			if has(c.Role) {
				v.at[j] = n
				n++
			}
		}
		if n == len(t.Columns) {
			return v, nil
		}
		allowed = append(allowed, fmt.Sprint(n))
	}
	return view{}, &data.Error{Source: t.Source,
		Reason: fmt.Sprintf("has %s, but the model was trained on %s (all columns), %s (without targets), %s (without targets and weights) or %s (features alone)", count(len(t.Columns), "column"), allowed[0], allowed[1], allowed[2], allowed[3]),
		Fix:    "without a header in both files columns are matched by position: give one of these numbers of columns"}
}

// hide makes outcome columns invisible that are not wanted or cannot be used, and
// says why.
func (p *Pipeline) hide(s *source, outcomes bool) (notes []string, err error) {
	present, targets := 0, 0
	for j, c := range p.columns {
		if c.Role != target {
			continue
		}
		targets++
		if outcomes && s.has(j) {
			empty, err := s.empty(j)
			if err != nil {
				return nil, err
			}
			if empty {
				notes = append(notes, fmt.Sprintf("target %s is empty in %s", c.Name, s.Schema().Source))
				s.at[j] = -1
			}
		}
		if s.has(j) {
			present++
		}
	}
	if outcomes && 0 < present && present < targets {
		notes = append(notes, fmt.Sprintf("%s has %d of the %d targets: they are ignored", s.Schema().Source, present, targets))
	}
	for j, c := range p.columns {
		if c.Role == target && (!outcomes || present < targets) || c.Role == weights && !outcomes {
			s.at[j] = -1
		}
	}
	return notes, nil
}

// errFound ends a pass early.
var errFound = errors.New("prep: found")

// empty reports whether no row has a value in a column.
func (s *source) empty(j int) (bool, error) {
	err := s.each(func(c int) bool { return c == j }, func(v view) error {
		for i := v.first; i < v.end; i++ {
			if !v.cells(j).missing(i) {
				return errFound
			}
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return false, nil
	}
	return err == nil, err
}
