package kernels

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/task"
)

// heat returns the picture of k(from, ·) on the nodes of a graph.
func heat(ctx context.Context, k kernel.Kernel[string], g *graph.Graph, from string) (*figure.Graph, error) {
	if err := kernel.Contains(k, from); err != nil {
		return nil, verb.Usagef("--from: %v", err)
	}
	pic, err := verb.PlacedGraph(ctx, g, fmt.Sprintf("k(%s, ·): %s", from, verb.Brief(k.String())))
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
		return verb.Usagef("--from names the node of a picture: name its file with --plot")
	case path == "":
		return nil
	case g == nil:
		return verb.Usagef("--plot draws the nodes of one graph, and the kernel %s does not name one", k)
	case from == "":
		from = g.IDs[0]
	}
	pic, err := heat(cmd.Context(), k, g, from)
	if err != nil {
		return err
	}
	return verb.WritePicture(cmd, path, pic)
}
