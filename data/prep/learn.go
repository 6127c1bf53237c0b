package prep

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data"
)

// learnRows is the step that finds which rows are kept, and what columns learn from these. Fits
// has nothing for columns that learn nothing, and is nil where nothing is learned.
type learnRows struct{ Fits []columnFit }

// learned is what was found in rows.
type learned struct {
	Kept        []Rows
	Left, Fatal missingCells // of rows that are left out, and those that nothing stands in for
	// Weights are those of the table divided by 2^Exponent, if Counts: some row has one above 0.
	Exponent int
	Counts   bool
	Fits     []columnFit

	weights  error   // what is wrong with the weights,
	problems []error // and with each column
}

func (l *learned) problem() error { return errors.Join(append([]error{l.weights}, l.problems...)...) }

// run learns from the rows of a source.
func (st learnRows) run(p *Pipeline, s *source) (found, error) {
	out := new(learned)
	if err := p.keep(s, out); err != nil {
		return nil, err
	}
	if out.Fatal.Count > 0 || st.Fits == nil || len(s.rows) == 0 {
		return out, nil
	}
	ws, err := p.relativeWeights(s, out)
	if err != nil {
		out.weights = err
		return out, nil
	}
	return out, p.fitColumns(s, st.Fits, ws, out)
}

// relativeWeights returns the row weights divided by the power of two above the
// largest, or nil without a weights column. Sums of them cannot overflow, and the
// division rounds nothing, so that weights which tie still tie.
func (p *Pipeline) relativeWeights(s *source, out *learned) ([]float64, error) {
	j := p.only(s, weights)
	if j < 0 {
		out.Counts = true
		return nil, nil
	}
	ws := make([]float64, 0, len(s.rows))
	err := s.eachKept(func(c int) bool { return c == j }, func(v view, rows []int, _ int) error {
		some, err := v.cells(j).weights(rows)
		ws = append(ws, some...)
		return err
	})
	if err != nil {
		return nil, err
	}
	largest := slices.Max(ws)
	out.Counts = largest > 0
	_, out.Exponent = math.Frexp(largest)
	for i, w := range ws {
		ws[i] = math.Ldexp(w, -out.Exponent)
	}
	return ws, nil
}

// fitColumns learns the columns from the rows of a source, in as many passes as they need.
func (p *Pipeline) fitColumns(s *source, fits []columnFit, ws []float64, out *learned) error {
	out.Fits, out.problems = make([]columnFit, len(fits)), make([]error, len(fits))
	reads, open := make([]bool, len(fits)), 0
	for j := range fits {
		if fits[j] != nil {
			out.Fits[j], reads[j] = fits[j].begin(), true
			open++
		}
	}
	for open > 0 {
		err := s.eachKept(func(j int) bool { return reads[j] }, func(v view, rows []int, first int) error {
			weights := ws
			if ws != nil {
				weights = ws[first : first+len(rows)]
			}
			for j := range fits {
				if reads[j] {
					out.problems[j] = out.Fits[j].observe(v.cells(j), rows, weights)
					reads[j] = out.problems[j] == nil
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		open = 0
		for j := range fits {
			if reads[j] = reads[j] && out.Fits[j].more(); reads[j] {
				open++
			}
		}
	}
	return nil
}

// learn makes the step over all rows of a table, run by run. The source has those that are kept
// then.
func (p *Pipeline) learn(s *source, fits []columnFit) (*learned, error) {
	total := &learned{Fits: fits, problems: make([]error, len(fits))}
	s.rows = make([]int, 0, s.size())
	st := learnRows{fits}
	merge := func(f found) error {
		next, ok := f.(*learned)
		if !ok {
			return fmt.Errorf("prep: %T was found in rows to learn from", f)
		}
		for _, r := range next.Kept {
			s.rows = r.Numbers(s.rows)
		}
		total.merge(next)
		return nil
	}
	if made, err := p.elsewhere(s, st, merge); made || err != nil {
		return total, err
	}
	for _, rows := range s.runs() {
		next, err := st.run(p, s.part(rows))
		if err == nil {
			err = merge(next)
		}
		if err != nil {
			return nil, err
		}
	}
	return total, nil
}

// merge adds what was found in the rows behind.
func (l *learned) merge(next *learned) {
	l.Left.merge(next.Left)
	l.Fatal.merge(next.Fatal)
	if l.weights == nil {
		l.weights = next.weights
	}
	if next.Fits == nil || l.weights != nil {
		return
	}
	switch {
	case !next.Counts:
	case !l.Counts: // and so all weights are 0
		l.Counts, l.Exponent = true, next.Exponent
	case next.Exponent > l.Exponent:
		l.scale(next.Exponent)
	default:
		next.scale(l.Exponent)
	}
	for j, f := range next.Fits {
		if f == nil {
			continue
		}
		if l.problems[j] == nil && next.problems != nil {
			l.problems[j] = next.problems[j]
		}
		if l.problems[j] == nil {
			l.Fits[j].merge(f)
		}
	}
}

// scale divides the weights by a larger power of two.
func (l *learned) scale(exponent int) {
	by := l.Exponent - exponent
	l.Exponent = exponent
	for _, f := range l.Fits {
		if f != nil && by != 0 {
			f.scale(by)
		}
	}
}

// check returns why nothing can be learned from the rows, whatever the columns say.
func (p *Pipeline) check(s *source, l *learned) error {
	source := s.Schema().Source
	switch {
	case l.Fatal.Count > 0:
		return p.refusal(s, l.Fatal, "say what a missing cell means: --missing drop (leave out such rows), mean (fill in training means) or indicator (means and a 0/1 feature that marks them); or complete the file")
	case s.size() == 0:
		return &data.Error{Source: source, Reason: "has no rows"}
	case len(s.rows) == 0:
		return &data.Error{Source: source, Reason: fmt.Sprintf("has no row left to learn from: all %d have missing cells", s.size()), Fix: "drop the columns with missing cells, or fill them in (--missing mean)"}
	case l.weights != nil:
		return l.weights
	case !l.Counts:
		return &data.Error{Source: source, Reason: fmt.Sprintf("has %d weights that are all 0", len(s.rows)), Fix: "at least one row must count"}
	}
	return nil
}
