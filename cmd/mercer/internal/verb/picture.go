package verb

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data/graph"
	"example.org/mercer/internal/atomicfile"
)

// CanDraw reports a picture that cannot be written, before anything is read.
func CanDraw(path string) error {
	if path == "" {
		return nil
	}
	if e := Ext(path); e != ".png" && e != ".svg" {
		return Usagef("picture %q: the name must end in .png or .svg", path)
	}
	return CanWrite(path)
}

// WritePicture draws a picture in the format that the name of its file says.
func WritePicture(cmd *cobra.Command, path string, pic figure.Picture) error {
	draw := map[string]func() ([]byte, error){".png": pic.PNG, ".svg": pic.SVG}[Ext(path)]
	if draw == nil {
		return Usagef("picture %q: the name must end in .png or .svg", path)
	}
	picture, err := draw()
	if err != nil {
		return err
	}
	return atomicfile.Write(cmd.Context(), path, func(w io.Writer) error { _, err := w.Write(picture); return err })
}

// PlacedGraph returns a graph as a picture, its nodes where the layout puts them.
func PlacedGraph(ctx context.Context, g *graph.Graph, title string) (*figure.Graph, error) {
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
