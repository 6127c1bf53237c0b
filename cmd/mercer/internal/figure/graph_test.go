package figure_test

import (
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// TestGraph names nodes, the groups and marks that occur, and the ends of heat.
func TestGraph(t *testing.T) {
	g := figure.Graph{Title: "club", X: []float64{0, 1, 2}, Y: []float64{0, 1, 0}, Names: []string{"ann", "bob", "cas"}, Edges: [][2]int{{0, 1}, {1, 2}},
		Groups: []string{"one", "two", "three"}, Group: []int{0, 1, -1}, Marks: []string{"round", "square"}, Mark: []int{0, 1, -1}}
	svg, err := g.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"club", "ann", "cas", "one", "two", "round", "square"} {
		if !strings.Contains(string(svg), ">"+want+"<") {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if strings.Contains(string(svg), ">three<") {
		t.Error("a group without nodes is in the key")
	}
	warm := figure.Graph{X: g.X, Y: g.Y, Names: g.Names, Heat: []float64{0.25, 0.5, 1}}
	if svg, err = warm.SVG(); err != nil || !strings.Contains(string(svg), ">0.25<") {
		t.Errorf("heat: %v", err)
	}
	short, wrong, crowd := g, g, g
	short.Names, wrong.Edges, crowd.Marks = nil, [][2]int{{0, 3}}, make([]string, figure.MaxMarks+1)
	for want, g := range map[string]figure.Graph{"no nodes": {}, "0 names": short, "joins nodes 0 and 3 of 3": wrong, "marks cannot be told apart": crowd} {
		if _, err := g.PNG(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}
