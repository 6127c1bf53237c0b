package prep

import "fmt"

// missingCells are missing cells: the first, and how many there are.
type missingCells struct {
	Count  int
	Row    int // of the table
	Column int // of the pipeline
}

func (m *missingCells) add(row, column int) {
	if m.Count == 0 {
		m.Row, m.Column = row, column
	}
	m.Count++
}

// merge adds those of the rows behind.
func (m *missingCells) merge(next missingCells) {
	if m.Count == 0 {
		*m = next
		return
	}
	m.Count += next.Count
}

// keep finds the rows of a source that remain under the pipeline's treatment of missing cells.
func (p *Pipeline) keep(s *source, out *learned) error {
	err := s.each(p.uses, func(v view) error {
		for i := v.first; i < v.end; i++ {
			row, complete := v.table.Before+i, true
			for j, c := range p.columns {
				if !v.has(j) || !p.uses(j) || c.Role == target && p.unlabelled || !v.cells(j).missing(i) {
					continue
				}
				switch {
				case p.missing == DropRows:
					if complete {
						out.Left.add(row, j)
					}
					complete = false
				case p.missing == Refuse || c.Role != feature && c.Role != cell:
					out.Fatal.add(row, j)
				}
			}
			if complete {
				out.Kept = appendRow(out.Kept, row)
			}
		}
		return nil
	})
	s.rows = nil
	for _, r := range out.Kept {
		s.rows = r.Numbers(s.rows)
	}
	return err
}

// leftOut is the note on rows that are left out.
func (p *Pipeline) leftOut(s *source, left missingCells) (notes []string, err error) {
	if left.Count == 0 {
		return nil, nil
	}
	first, row, err := s.cell(left.Column, left.Row)
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("left out %d of %s with missing cells (the first: %s)", left.Count, count(s.size(), "row"), first.where(row))}, nil
}

// uses reports whether the cells of a column matter.
func (p *Pipeline) uses(j int) bool {
	return p.columns[j].Role != dropped && p.columns[j].Role != ignored
}

// refusal is the error for missing cells that nothing stands in for.
func (p *Pipeline) refusal(s *source, missing missingCells, advice string) error {
	first, row, err := s.cell(missing.Column, missing.Row)
	if err != nil {
		return err
	}
	e := first.fail(row, "is empty or marked as missing", advice)
	if missing.Count > 1 {
		e.Reason += fmt.Sprintf(" (the first of %d such cells)", missing.Count)
	}
	if r := p.columns[missing.Column].Role; r != feature && p.missing != Refuse {
		e.Fix = fmt.Sprintf("a missing %s is never filled in: leave out such rows (--missing drop) or complete the file", r)
	}
	if p.columns[missing.Column].Form == Set {
		e.Fix = fmt.Sprintf("the empty set is written %s; %s", emptySet, e.Fix)
	}
	return e
}
