package figure

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
)

// Cells are a class at every point of a grid, drawn in the tints of the classes.
type Cells struct {
	Xs, Ys []float64 // ascending
	Class  [][]int   // [y][x]
	// Sure is the probability of that class, in tenths of which the tint is paler where
	// it is smaller; nil: it is not known.
	Sure [][]float64
}

// tenth returns the full tenths of the probability at a place of the grid.
func (c Cells) tenth(x, y int) int {
	if c.Sure == nil {
		return 5
	}
	return int(10 * c.Sure[y][x])
}

func (c Cells) add(p *panel) error {
	if len(c.Xs) < 2 || len(c.Ys) < 2 || len(c.Class) != len(c.Ys) {
		return fmt.Errorf("%d rows of cells on a grid of %d × %d", len(c.Class), len(c.Xs), len(c.Ys))
	}
	// One polygon for a run of cells of a class and shade.
	halfX, halfY := (c.Xs[1]-c.Xs[0])/2, (c.Ys[1]-c.Ys[0])/2
	for j, y := range c.Ys {
		for from := 0; from < len(c.Xs); {
			to := from
			for to+1 < len(c.Xs) && c.Class[j][to+1] == c.Class[j][from] && c.tenth(to+1, j) == c.tenth(from, j) {
				to++
			}
			left, right := c.Xs[from]-halfX, c.Xs[to]+halfX
			top := y + halfY
			if j+1 < len(c.Ys) {
				top += 2 * halfY // the next row covers what is too much: no white lines between rows
			}
			cell, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: y - halfY}, {X: right, Y: y - halfY}, {X: right, Y: top}, {X: left, Y: top}})
			if err != nil {
				return fmt.Errorf("cells: %w", err)
			}
			cell.Color, cell.LineStyle.Width = shade(c.Class[j][from], c.tenth(from, j)), 0
			p.Add(cell)
			from = to + 1
		}
	}
	if c.Sure != nil {
		p.Add(c.bar())
	}
	return nil
}

// bar shows how pale the tenths of the probability are, in grey for every colour.
func (c Cells) bar() colourBar {
	least := 10
	for y := range c.Ys {
		for x := range c.Xs {
			least = min(least, c.tenth(x, y))
		}
	}
	b := colourBar{Name: "probability of the label", Edges: []float64{float64(min(least, 9)) / 10}}
	for k := min(least, 9); k < 10; k++ {
		b.Edges, b.Of = append(b.Edges, float64(k+1)/10), append(b.Of, paler(Black.color(), k))
	}
	return b
}
