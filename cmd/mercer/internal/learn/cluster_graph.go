package learn

import (
	"fmt"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data/graph"
)

// drawGraph draws the graph of a kernel between nodes: clusters as colours, and the column that
// they are compared with as shapes. Nodes that are no rows are grey.
func (d *discovery) drawGraph(inv *verb.Invocation, g *graph.Graph, labels []int) error {
	pic, err := verb.PlacedGraph(d.cmd.Context(), g, fmt.Sprintf("%s: %s", d.Method, verb.Brief(d.problem.Kernel())))
	if err != nil {
		return err
	}
	pic.Groups, pic.Group = d.on.Outputs, nobody(g.Len())
	if len(d.groups) > figure.MaxMarks {
		inv.Note("note: the picture has no shapes for the %d labels of %s: %d can be told apart", len(d.groups), d.target, figure.MaxMarks)
	} else if d.groups != nil {
		pic.Mark = nobody(g.Len())
		for _, name := range d.groups {
			pic.Marks = append(pic.Marks, d.target+" "+name)
		}
	}
	for row, id := range d.problem.Rows.IDs {
		at, _ := g.Index(id)
		pic.Group[at] = labels[row]
		if pic.Mark != nil {
			pic.Mark[at] = d.group[row]
		}
	}
	return verb.WritePicture(d.cmd, d.Plot, pic)
}

// nobody returns the groups of nodes that are in none.
func nobody(n int) []int {
	group := make([]int, n)
	for i := range group {
		group[i] = -1
	}
	return group
}
