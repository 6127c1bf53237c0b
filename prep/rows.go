package prep

import "fmt"

// gap is a missing cell: a row of the table and a column of the pipeline.
type gap struct{ row, column int }

// keep returns the rows of the table that remain under the pipeline's treatment of
// missing cells, and what to note. advice says what to do instead of refusing.
func (p *Pipeline) keep(v view, advice string) (rows []int, notes []string, err error) {
	var fatal, left []gap
	for i := range v.table.Rows() {
		complete := true
		for j, c := range p.columns {
			if !v.has(j) || c.Role == dropped || c.Role == aside || !v.cells(j).missing(i) {
				continue
			}
			switch {
			case p.missing == DropRows:
				if complete {
					left = append(left, gap{i, j})
				}
				complete = false
			case p.missing == Refuse || c.Role != feature && c.Role != cell:
				fatal = append(fatal, gap{i, j})
			}
		}
		if complete {
			rows = append(rows, i)
		}
	}
	if len(fatal) > 0 {
		return nil, nil, p.refusal(v, fatal, advice)
	}
	if len(left) > 0 {
		first := v.cells(left[0].column).where(left[0].row)
		notes = append(notes, fmt.Sprintf("left out %d of %s with missing cells (the first: %s)", len(left), count(v.table.Rows(), "row"), first))
	}
	return rows, notes, nil
}

// refusal is the error for missing cells that nothing stands in for.
func (p *Pipeline) refusal(v view, gaps []gap, advice string) error {
	first := gaps[0]
	e := v.cells(first.column).fail(first.row, "is empty or marked as missing", advice)
	if len(gaps) > 1 {
		e.Reason += fmt.Sprintf(" (the first of %d such cells)", len(gaps))
	}
	if r := p.columns[first.column].Role; r != feature && p.missing != Refuse {
		e.Fix = fmt.Sprintf("a missing %s is never filled in: leave out such rows (missing = drop) or complete the file", r)
	}
	if p.columns[first.column].Form == Set {
		e.Fix = fmt.Sprintf("the empty set is written %s; %s", emptySet, e.Fix)
	}
	return e
}
