package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/task"
)

// placed returns a graph as a picture, its nodes where the layout puts them.
func placed(ctx context.Context, g *graph.Graph, title string) (*figure.Graph, error) {
	x, y, err := g.Layout(ctx)
	if err != nil {
		return nil, err
	}
	pic := &figure.Graph{Title: title, X: x, Y: y, Names: g.IDs}
	for _, e := range g.Edges {
		pic.Edges = append(pic.Edges, [2]int{int(e.From), int(e.To)})
	}
	return pic, nil
}

// drawGraph draws the graph of a kernel between nodes: clusters as colours, and the column that
// they are compared with as shapes. Nodes that are no rows are grey.
func (d *discovery) drawGraph(inv *invocation, g *graph.Graph, labels []int) error {
	pic, err := placed(d.cmd.Context(), g, fmt.Sprintf("%s: %s", d.Method, brief(d.problem.Kernel())))
	if err != nil {
		return err
	}
	pic.Groups, pic.Group = d.on.Outputs, nobody(g.Len())
	if len(d.groups) > figure.MaxMarks {
		inv.note("note: the picture has no shapes for the %d labels of %s: %d can be told apart", len(d.groups), d.target, figure.MaxMarks)
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
	return writePicture(d.cmd, d.Plot, pic)
}

// nobody returns the groups of nodes that are in none.
func nobody(n int) []int {
	group := make([]int, n)
	for i := range group {
		group[i] = -1
	}
	return group
}

// heat returns the picture of k(from, ·) on the nodes of a graph.
func heat(ctx context.Context, k kernel.Kernel[string], g *graph.Graph, from string) (*figure.Graph, error) {
	if err := kernel.Contains(k, from); err != nil {
		return nil, usagef("--from: %v", err)
	}
	pic, err := placed(ctx, g, fmt.Sprintf("k(%s, ·): %s", from, brief(k.String())))
	if err != nil {
		return nil, err
	}
	row := kernel.NewTile(1, g.Len())
	kernel.Bind(k, data.Set[string](data.Slice[string]{from}), data.Set[string](data.Slice[string](g.IDs))).Tile(row, 0, 0)
	pic.Heat = row.Row(0)
	return pic, nil
}

// drawHeat writes the picture of a kernel between nodes where one is asked for.
func drawHeat(cmd *cobra.Command, k kernel.Kernel[string], from, path string) error {
	g := task.GraphOf(k)
	switch {
	case path == "" && from != "":
		return usagef("--from names the node of a picture: name its file with --plot")
	case path == "":
		return nil
	case g == nil:
		return usagef("--plot draws the nodes of one graph, and the kernel %s does not name one", k)
	case from == "":
		from = g.IDs[0]
	}
	pic, err := heat(cmd.Context(), k, g, from)
	if err != nil {
		return err
	}
	return writePicture(cmd, path, pic)
}
