package models

import (
	"context"
	"fmt"

	"example.org/mercer"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
)

// mostPictures is the number of predictions that one picture shows.
const mostPictures = 12

// picture draws the places of predictions: sequences as letters under bars, graphs with
// nodes in two colours.
func (x brokenDown) picture(ctx context.Context) (figure.Picture, error) {
	var letters figure.LetterSheet
	var graphs figure.GraphSheet
	for _, b := range x.Rows {
		for _, t := range b.Terms {
			title := fmt.Sprintf("row %s: %s = %.3g", b.Row, b.Output, b.Prediction)
			if len(b.Terms) > 1 {
				title += fmt.Sprintf(", of which %.3g by %s", t.Contribution, verb.Brief(t.Kernel))
			}
			switch {
			case t.Graph != nil:
				g, err := shaded(ctx, t, title, b.Sides)
				if err != nil {
					return nil, err
				}
				graphs = append(graphs, *g)
			case len(t.Places) > 0:
				l := figure.Letters{Title: title}
				l.Above, l.Below = sideNames(b.Sides)
				for _, p := range t.Places {
					text := p.Symbol
					if t.Column == "" {
						text = p.Name
					}
					l.Symbols, l.Values = append(l.Symbols, text), append(l.Values, p.Contribution)
				}
				letters = append(letters, l)
			}
		}
	}
	switch n := len(letters) + len(graphs); {
	case n == 0:
		return nil, fmt.Errorf("nothing to draw: the kernel is no sum over features of sequences, graphs or columns")
	case n > mostPictures:
		return nil, fmt.Errorf("%d predictions are too many for one picture; choose up to %d of them with --row and --of", n, mostPictures)
	case len(letters) > 0 && len(graphs) > 0:
		return nil, fmt.Errorf("sequences and graphs are not drawn in one picture: --html shows both")
	case len(letters) > 0:
		return letters, nil
	}
	return graphs, nil
}

// sideNames says what the colours stand for.
func sideNames(s mercer.Sides) (above, below string) {
	above, below = "adds to the output", "takes from it"
	if s.Above != "" {
		above = "speaks for " + s.Above
	}
	if s.Below != "" {
		below = "speaks for " + s.Below
	}
	return above, below
}

// shaded returns the graph of a term, its nodes in the colours of their shares and with their
// labels; the edges within the largest feature are thick.
func shaded(ctx context.Context, t mercer.Term, title string, s mercer.Sides) (*figure.Graph, error) {
	pic, err := verb.PlacedGraph(ctx, t.Graph, title)
	if err != nil {
		return nil, err
	}
	pic.Above, pic.Below = sideNames(s)
	pic.Names = make([]string, len(t.Places))
	for v, p := range t.Places {
		pic.Names[v], pic.Shares = p.Symbol, append(pic.Shares, p.Contribution)
	}
	pic.Bold = make([]bool, len(pic.Edges))
	for _, f := range t.Features {
		if len(f.At[0]) < 2 { // a node by itself
			continue
		}
		for _, at := range f.At {
			within := map[int]bool{}
			for _, p := range at {
				within[p-1] = true
			}
			for e, ends := range pic.Edges {
				pic.Bold[e] = pic.Bold[e] || within[ends[0]] && within[ends[1]]
			}
		}
		break
	}
	return pic, nil
}
