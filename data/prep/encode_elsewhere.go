package prep

import "fmt"

// encodeRows is the step that encodes rows which stay in their table: their features are checked,
// and the rest is what it finds.
type encodeRows struct{}

// encoded is the rest: targets, weights, ids and cells.
type encoded struct {
	Y, W   []float64
	IDs    []string
	Cells  []Cells
	Counts []encodeCounts
}

func (*encoded) problem() error { return nil }

// run encodes the rows of a source that are kept.
func (encodeRows) run(p *Pipeline, s *source) (found, error) {
	if err := p.keep(s, new(learned)); err != nil {
		return nil, err
	}
	rest, counts := p.prepared(s), make([]encodeCounts, len(p.columns))
	if err := p.encodeHere(s, rest, counts); err != nil {
		return nil, err
	}
	out := &encoded{W: rest.W, IDs: rest.IDs, Cells: rest.Cells, Counts: counts}
	if rest.Y != nil {
		out.Y = rest.Y.RawMatrix().Data
	}
	return out, nil
}

// encodeElsewhere has the rows of a source encoded by others. made is false if it has to be done
// here.
func (p *Pipeline) encodeElsewhere(s *source, out *Prepared, counts []encodeCounts) (made bool, err error) {
	var y []float64
	if out.Y != nil {
		y = out.Y.RawMatrix().Data
	}
	made, err = p.elsewhere(s, encodeRows{}, func(f found) error {
		next, ok := f.(*encoded)
		if !ok || len(next.Y) > len(y) || len(next.Counts) != len(counts) {
			return fmt.Errorf("prep: %T was found in rows to encode, of other columns", f)
		}
		y = y[copy(y, next.Y):]
		out.W = append(out.W, next.W...)
		out.IDs = append(out.IDs, next.IDs...)
		out.Cells = joinCells(out.Cells, next.Cells)
		for j := range counts {
			counts[j].merge(next.Counts[j])
		}
		return nil
	})
	if err == nil && made && len(y) > 0 {
		err = fmt.Errorf("prep: %d targets of rows that were encoded elsewhere are not there", len(y))
	}
	return made, err
}

// joinCells adds the cells of rows behind.
func joinCells(all, next []Cells) []Cells {
	if all == nil {
		return next
	}
	for k, c := range next {
		to := &all[k]
		if c.Missing != nil && to.Missing == nil {
			to.Missing = make([]bool, len(to.Text))
		}
		switch {
		case c.Missing != nil:
			to.Missing = append(to.Missing, c.Missing...)
		case to.Missing != nil:
			to.Missing = append(to.Missing, make([]bool, len(c.Text))...)
		}
		to.Text = append(to.Text, c.Text...)
	}
	return all
}
