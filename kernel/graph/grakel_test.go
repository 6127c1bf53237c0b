package graph_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/tudataset"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	kgraph "example.org/mercer/kernel/graph"
)

// TestGraKeL compares with values of GraKeL on eight molecules of MUTAG. Its edge histogram
// counts every undirected edge twice, and its labelled random walk counts the pairs of nodes
// with different labels as walks without edges; the test adds both. Sums and the solution of
// GraKeL's linear system agree to 1e-9 of the value.
func TestGraKeL(t *testing.T) {
	compare(t, "grakel.json", "graphs/MUTAG", 9)
}

// TestGraKeLAttributes compares with its kernel of shortest paths between nodes with attributes, on
// six small graphs of ENZYMES.
func TestGraKeLAttributes(t *testing.T) {
	compare(t, "grakel_attributes.json", "graphs/ENZYMES", 2)
}

// compare compares with the values of a file, of at least so many kernels.
func compare(t *testing.T, file, set string, least int) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Origin  string
		Graphs  []int
		Kernels map[string][][]float64
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	all, err := tudataset.Graphs(t.Context(), testkit.Shared(t, set), nil)
	if err != nil {
		t.Fatal(err)
	}
	var points data.Slice[*graph.Graph]
	for _, i := range want.Graphs {
		points = append(points, all[i])
	}
	if len(want.Kernels) < least {
		t.Fatalf("%d kernels", len(want.Kernels))
	}
	n := len(points)
	for name, values := range want.Kernels {
		k, err := parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := kernel.Validate(k, points); err != nil {
			t.Fatal(err)
		}
		tile := kernel.NewTile(n, n)
		kernel.Bind(k, points, points).Tile(tile, 0, 0)
		for i, row := range values {
			for j, v := range row {
				got := tile.Row(i)[j]
				switch name {
				case "edges":
					got *= 4
				case "randomwalk(lambda=0.1)":
					got += float64(points[i].Len()*points[j].Len()) - kgraph.Vertices{}.Eval(points[i], points[j])
				}
				if !(math.Abs(got-v) <= 1e-9*v) {
					t.Fatalf("%s: element (%d, %d) is %.12g, %s says %.12g", name, i, j, got, want.Origin, v)
				}
			}
		}
	}
}
