package graph

import (
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
)

// Explicit is explicit, and nil where there are too many walks.
func (w Walk) Explicit(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	if p := w.explicit(rows, cols); p != nil {
		return p
	}
	return nil
}

// BySteps is bySteps.
func (w Walk) BySteps(rows, cols data.Set[*graph.Graph]) kernel.Pairs { return w.bySteps(rows, cols) }
