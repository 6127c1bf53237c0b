package figure

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Cells are a class at every point of a grid, drawn in the tints of the classes.
type Cells struct {
	Xs, Ys []float64 // ascending
	Class  [][]int   // [y][x]
}

func (c Cells) add(p *panel) error {
	if len(c.Xs) < 2 || len(c.Ys) < 2 || len(c.Class) != len(c.Ys) {
		return fmt.Errorf("%d rows of cells on a grid of %d × %d", len(c.Class), len(c.Xs), len(c.Ys))
	}
	return c.paint(p.Plot)
}

// paint draws one polygon for a run of cells of a class.
func (c Cells) paint(p *plot.Plot) error {
	halfX, halfY := (c.Xs[1]-c.Xs[0])/2, (c.Ys[1]-c.Ys[0])/2
	for j, y := range c.Ys {
		for from := 0; from < len(c.Xs); {
			to := from
			for to+1 < len(c.Xs) && c.Class[j][to+1] == c.Class[j][from] {
				to++
			}
			left, right := c.Xs[from]-halfX, c.Xs[to]+halfX
			top := y + halfY
			if j+1 < len(c.Ys) {
				top += 2 * halfY // the next row covers what is too much: no white lines between rows
			}
			cell, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: y - halfY}, {X: right, Y: y - halfY}, {X: right, Y: top}, {X: left, Y: top}})
			if err != nil {
				return fmt.Errorf("figure: %w", err)
			}
			cell.Color, cell.LineStyle.Width = tint(c.Class[j][from]), 0
			p.Add(cell)
			from = to + 1
		}
	}
	return nil
}
