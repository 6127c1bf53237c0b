package tile

import (
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// BindColumns packs the column points of a plan, to which rows are bound afterwards.
func BindColumns(plan *Plan, cols data.Set[[]float64]) kernel.BoundColumns[[]float64] {
	a := &anchored{plan: plan, fields: make([]field, len(plan.Statistics)), cols: cols.Len()}
	for i := range a.fields {
		a.fields[i] = bindColumns(&plan.Statistics[i], cols)
	}
	return a
}

// anchored is a plan bound to its column points.
type anchored struct {
	plan   *Plan
	fields []field // without rows
	cols   int
}

// Bind packs the rows, in the memory of reuse if it is a result of the same a.
func (a *anchored) Bind(rows data.Set[[]float64], reuse kernel.Pairs) kernel.Pairs {
	p, ok := reuse.(*pairs)
	if !ok || p.double.plan != a.plan {
		sources := make([]source[float64], len(a.fields))
		for i := range sources {
			f := a.fields[i]
			f.rows = new(points)
			sources[i] = &f
		}
		p = newPairs(a.plan, sources, 0, a.cols)
	}
	p.rows = rows.Len()
	for _, s := range p.double.sources {
		f := s.(*field)
		f.bindRows(rows)
	}
	p.bound()
	return p
}
