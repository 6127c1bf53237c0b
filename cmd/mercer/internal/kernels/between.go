package kernels

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/gallery"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	kgraph "example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/seq"
)

// pairing is what a kernel says of two points x and y.
type pairing struct {
	Value    float64    `json:"value"` // k(x, y)
	Selves   [2]float64 `json:"selves"`
	Distance float64    `json:"distance"`         // ‖φ(x) − φ(y)‖
	Cosine   *float64   `json:"cosine,omitempty"` // nil where a norm is 0
}

func (c pairing) Text(w io.Writer) {
	lines := [][]string{{"k(x, y)", verb.Num(c.Value)}, {"k(x, x), k(y, y)", verb.Num(c.Selves[0]) + ", " + verb.Num(c.Selves[1])}, {"‖φ(x) − φ(y)‖", verb.Num(c.Distance)}}
	if c.Cosine != nil {
		lines = append(lines, []string{"cosine in feature space", verb.Num(*c.Cosine)})
	}
	fmt.Fprintln(w)
	verb.Columns(w, lines)
}

// describeBetween explains a kernel, and compares two points if there are any.
func describeBetween[T any](k kernel.Kernel[T], points []T) (described, error) {
	d := describe(k)
	if len(points) == 0 {
		return d, nil
	}
	for i, x := range points {
		if err := kernel.Contains(k, x); err != nil {
			return d, verb.Usagef("--between, point %d: %w", i+1, err)
		}
	}
	x, y := points[0], points[1]
	c := &pairing{Value: k.Eval(x, y), Selves: [2]float64{k.Eval(x, x), k.Eval(y, y)}}
	c.Distance = math.Sqrt(max(0, c.Selves[0]+c.Selves[1]-2*c.Value))
	if norms := math.Sqrt(c.Selves[0]) * math.Sqrt(c.Selves[1]); norms > 0 {
		cosine := c.Value / norms
		c.Cosine = &cosine
	}
	d.Between = c
	return d, nil
}

// readPoints reads vectors, whose numbers have commas between them.
func readPoints(texts []string) ([][]float64, error) {
	points := make([][]float64, len(texts))
	for i, text := range texts {
		for j, cell := range strings.Split(text, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil {
				return nil, verb.Usagef("--between, point %d: number %d is %q; write numbers with commas between them, such as 0.5,2", i+1, j+1, cell)
			}
			points[i] = append(points[i], v)
		}
		if len(points[i]) != len(points[0]) {
			return nil, verb.Usagef("--between: points of %d and %d numbers cannot be pairing", len(points[0]), len(points[i]))
		}
	}
	return points, nil
}

// drawCells draws how a kernel compares two cells: a spectrum kernel by their tries, a walk
// kernel by their product.
func drawCells(cmd *cobra.Command, k kernel.Kernel[record.Record], cells *record.Records, plot string) error {
	if plot == "" {
		return nil
	}
	if cells == nil {
		return verb.Usagef("--plot draws how %s compares two cells: name them with --between", k)
	}
	var picture figure.Picture
	var err error
	switch part := k.(type) {
	case record.Part[string]:
		s, ok := part.Of.(seq.Spectrum)
		if !ok || s != (seq.Spectrum{K: s.K}) {
			return verb.Usagef("--plot draws the tries of spectrum kernels on plain sequences, and %s is none", k)
		}
		picture, err = gallery.Tries(cells.Cells[0][0].(string), cells.Cells[0][1].(string), s.Length())
	case record.Part[*graph.Graph]:
		w, ok := part.Of.(kgraph.Walk)
		if !ok {
			return verb.Usagef("--plot draws the product of two graphs for walk kernels, and %s is none", k)
		}
		picture, err = gallery.Product(cells.Cells[0][0].(*graph.Graph), cells.Cells[0][1].(*graph.Graph), w.Attribute)
	default:
		return verb.Usagef("--plot draws one spectrum or walk kernel, and %s is neither", k)
	}
	if err != nil {
		return err
	}
	return verb.WritePicture(cmd, plot, picture)
}
