package prep

import (
	"encoding/gob"
	"errors"
	"fmt"
	"slices"
)

// columnFit computes what a column learns from the kept rows. Those of a run of rows are observed
// in one or more passes over them: calls of observe, then one of more. Runs are merged in their
// order, and then comes finish. What is found is in exported fields, so that it can be sent.
type columnFit interface {
	// begin returns the fit of the same column without rows.
	begin() columnFit
	// observe takes the rows of a block and their relative weights, nil for ones.
	observe(from cells, rows []int, ws []float64) error
	// more ends a pass, and reports whether another one is needed.
	more() bool
	// scale multiplies the weights of the rows by 2^by.
	scale(by int)
	// merge adds the rows of the run behind those that are known.
	merge(next columnFit)
	// finish stores what was found in column j of the pipeline.
	finish(p *Pipeline, s *source, j int) (note string, err error)
}

func init() {
	for _, f := range []columnFit{&numberFit{}, &levelFit{}, &labelFit{}, &structuredFit{}} {
		gob.Register(f)
	}
}

// fitOf returns the fit of a column, nil for one that learns nothing.
func (p *Pipeline) fitOf(j int) columnFit {
	switch c := &p.columns[j]; {
	case c.Role == feature && c.Kind == numeric:
		return &numberFit{MostLevels: p.levels}
	case c.Role == feature:
		return &levelFit{}
	case c.Form != One:
		return &structuredFit{Form: c.Form}
	case c.Role == target && c.Kind == categorical:
		return &labelFit{}
	}
	return nil
}

// finishColumns stores what every column has learned: numbers after the rest, when the names of
// all features are known.
func (p *Pipeline) finishColumns(s *source, fits []columnFit, problems []error) (notes []string, err error) {
	said := make([]string, len(fits))
	finish := func(numbers bool) {
		for j := range fits {
			if _, number := fits[j].(*numberFit); number != numbers || problems[j] != nil {
				continue
			}
			if fits[j] == nil {
				said[j] = p.ignoredNote(s, j)
			} else {
				said[j], problems[j] = fits[j].finish(p, s, j)
			}
		}
	}
	finish(false)
	if errors.Join(problems...) == nil {
		notes = p.leaveAsWritten(s)
	}
	finish(true)
	notes = append(notes, p.unitNotes()...)
	notes = append(slices.DeleteFunc(said, func(note string) bool { return note == "" }), notes...)
	return notes, errors.Join(problems...)
}

// leaveAsWritten makes the columns raw whose numbers a kernel compares as they are.
func (p *Pipeline) leaveAsWritten(s *source) (notes []string) {
	if s.asWritten == nil {
		return nil
	}
	var from []*column // of every feature
	for j := range p.columns {
		if c := &p.columns[j]; c.Role == feature {
			from = append(from, slices.Repeat([]*column{c}, c.width())...)
		}
	}
	for _, some := range s.asWritten(p.Features()) {
		var names []string
		for _, j := range some.Features {
			if c := from[j]; c.Kind == numeric && !c.Raw {
				c.Raw, names = true, append(names, c.Name)
			}
		}
		if len(names) > 0 {
			notes = append(notes, fmt.Sprintf("%s not standardised: %s (%s)", count(len(names), "column"), some.Reason, listShort(names)))
		}
	}
	return notes
}

// ignoredNote is the note on a column that is left aside.
func (p *Pipeline) ignoredNote(s *source, j int) string {
	c := &p.columns[j]
	switch {
	case !p.hasFeatures() || c.Role != ignored:
		return ""
	case c.Kind == text:
		return fmt.Sprintf("column %s is text%s and not used: no kernel names it", c.Name, because(s.schema(j).column()))
	}
	return fmt.Sprintf("column %s is categorical and left out, as asked", c.Name)
}
