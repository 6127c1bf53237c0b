package prep

import "fmt"

// missingCells are missing cells: the first, and how many there are.
type missingCells struct {
	count  int
	from   cells
	row    int
	column int
}

func (g *missingCells) add(from cells, row, column int) {
	if g.count == 0 {
		g.from, g.row, g.column = from, row, column
	}
	g.count++
}

// keep finds the rows of the table that remain under the pipeline's treatment of missing
// cells, and what to note. advice says what to do instead of refusing.
func (p *Pipeline) keep(s *source, advice string) (notes []string, err error) {
	var fatal, left missingCells
	s.rows = make([]int, 0, s.size())
	err = s.each(p.uses, func(v view) error {
		for i := range v.rows {
			complete := true
			for j, c := range p.columns {
				if !v.has(j) || !p.uses(j) || c.Role == target && p.unlabelled || !v.cells(j).missing(i) {
					continue
				}
				switch {
				case p.missing == DropRows:
					if complete {
						left.add(v.cells(j), i, j)
					}
					complete = false
				case p.missing == Refuse || c.Role != feature && c.Role != cell:
					fatal.add(v.cells(j), i, j)
				}
			}
			if complete {
				s.rows = append(s.rows, v.table.Before+i)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if fatal.count > 0 {
		return nil, p.refusal(fatal, advice)
	}
	if left.count > 0 {
		notes = append(notes, fmt.Sprintf("left out %d of %s with missing cells (the first: %s)", left.count, count(s.size(), "row"), left.from.where(left.row)))
	}
	return notes, nil
}

// uses reports whether the cells of a column matter.
func (p *Pipeline) uses(j int) bool {
	return p.columns[j].Role != dropped && p.columns[j].Role != ignored
}

// refusal is the error for missing cells that nothing stands in for.
func (p *Pipeline) refusal(missing missingCells, advice string) error {
	e := missing.from.fail(missing.row, "is empty or marked as missing", advice)
	if missing.count > 1 {
		e.Reason += fmt.Sprintf(" (the first of %d such cells)", missing.count)
	}
	if r := p.columns[missing.column].Role; r != feature && p.missing != Refuse {
		e.Fix = fmt.Sprintf("a missing %s is never filled in: leave out such rows (--missing drop) or complete the file", r)
	}
	if p.columns[missing.column].Form == Set {
		e.Fix = fmt.Sprintf("the empty set is written %s; %s", emptySet, e.Fix)
	}
	return e
}
