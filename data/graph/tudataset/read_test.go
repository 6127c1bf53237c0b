package tudataset_test

import (
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/tudataset"
	"example.org/mercer/internal/testkit"
)

// small is a data set of two graphs: a path of three nodes, and a single edge.
var small = map[string]string{
	"A":               "2, 1\n1, 2\n2, 3\n3, 2\n5, 4\n4, 5\n",
	"graph_indicator": "1\n1\n1\n2\n2\n",
	"graph_labels":    "1\n-1\n",
	"node_labels":     "6\n6\n8\n6\n7\n",
	"edge_labels":     "1\n1\n2\n2\n3\n3\n",
	"node_attributes": "0.5, 1\n0, 0\n1, 2\n3, 4\n5, 6\n",
}

// folder writes a data set; changes replace its files, "-" removes one.
func folder(t testing.TB, changes map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{}
	for _, files := range []map[string]string{small, changes} {
		for name, text := range files {
			all[name] = text
		}
	}
	for name, text := range all {
		if text == "-" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "DS_"+name+".txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRead(t *testing.T) {
	dir := folder(t, nil)
	if !tudataset.Is(dir) || tudataset.Is(t.TempDir()) {
		t.Error("Is")
	}
	table, err := tudataset.Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if table.ID != "id" || table.Target != "class" {
		t.Errorf("id %q, target %q", table.ID, table.Target)
	}
	for name, want := range map[string][]string{
		"id":    {"1", "2"},
		"class": {"1", "-1"},
		"graph": {
			`{"nodes":3,"edges":[[1,0],[1,2]],"node":{"a1":[0.5,0,1],"a2":[1,0,2],"label":["6","6","8"]},"edge":{"label":["1","2"]}}`,
			`{"nodes":2,"edges":[[1,0]],"node":{"a1":[3,5],"a2":[4,6],"label":["6","7"]},"edge":{"label":["3"]}}`,
		},
	} {
		if c, _ := table.Column(name); c == nil || !cmp.Equal(c.Strings, want) {
			t.Errorf("%s: %+v", name, c)
		}
	}
	graphs, err := tudataset.Graphs(t.Context(), dir, nil)
	if err != nil || graphs[1].Where(0) != filepath.Join(dir, "DS_A.txt")+`: graph 2: line 5: the edge "1" – "0"` {
		t.Errorf("%v, %v", graphs[1].Where(0), err)
	}
}

// TestDirected wants edges without a reverse, or with another label, to be directed.
func TestDirected(t *testing.T) {
	for name, changes := range map[string]map[string]string{
		"a reverse is missing": {"A": "2, 1\n2, 3\n3, 2\n5, 4\n4, 5\n", "edge_labels": "-"},
		"another label":        {"edge_labels": "1\n1\n2\n9\n3\n3\n"},
		"another number":       {"edge_attributes": "1\n1\n2\n9\n3\n3\n"},
	} {
		graphs, err := tudataset.Graphs(t.Context(), folder(t, changes), nil)
		if err != nil || !graphs[0].Directed || !graphs[1].Directed || len(graphs[1].Edges) != 2 {
			t.Errorf("%s: %+v, %v", name, graphs, err)
		}
	}
	// A self loop is listed once, parallel edges are kept, and nodes may come in any order.
	graphs, err := tudataset.Graphs(t.Context(), folder(t, map[string]string{
		"A": "1, 1\n1, 2\n1, 2\n2, 1\n2, 1\n", "graph_indicator": "1\n1\n2\n1\n2\n", "edge_labels": "1\n1\n2\n2\n1\n", "node_attributes": "-",
	}), nil)
	if err != nil || graphs[0].Directed || !cmp.Equal(graphs[0].Edges, []graph.Edge{{From: 0, To: 0}, {From: 0, To: 1}, {From: 0, To: 1}}) || !cmp.Equal(graphs[1].Nodes[0].Strings, []string{"8", "7"}) {
		t.Errorf("%+v, %v", graphs, err)
	}
}

func TestNumbersForClasses(t *testing.T) {
	table, err := tudataset.Read(t.Context(), folder(t, map[string]string{"graph_labels": "-", "graph_attributes": "1.5, 2\n-3, 4\n"}), nil)
	if err != nil || table.Target != "y1" {
		t.Fatal(err)
	}
	if c, _ := table.Column("y1"); c == nil || !cmp.Equal(c.Numbers, []float64{1.5, -3}) {
		t.Errorf("%+v", c)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"A", "-", "DIR: holds 0 files called NAME_A.txt, and one is wanted; give the folder of one data set in the TUDataset format"},
		{"A", "1, 2\n1, 6", `DIR/DS_A.txt: line 2, column 2: "6" is no node: they are numbered from 1 to 5; correct it; a file may have been cut`},
		{"A", "1, 2\n0, 1", `DIR/DS_A.txt: line 2, column 1: "0" is no node: they are numbered from 1 to 5; correct it; a file may have been cut`},
		{"A", "", "DIR/DS_A.txt: is empty, so that no graph has an edge; it may have been cut; copy it again, or write an empty line into it if there are no edges"},
		{"A", "1, x", `DIR/DS_A.txt: line 1, column 2: "x" is not the number of a node; number them from 1`},
		{"A", "1, 2\n\n1, 2, 3", "DIR/DS_A.txt: line 3: has 3 cells, and an edge has two nodes; write two numbers with a comma between them"},
		{"A", "3, 4", "DIR/DS_A.txt: line 1: joins node 3 of graph 1 to node 4 of graph 2; edges stay within a graph"},
		{"graph_indicator", "-", "DIR/DS_graph_indicator.txt: is missing; give the number of its graph for every node, one a line"},
		{"graph_indicator", "1\n3", `DIR/DS_graph_indicator.txt: line 2, column 1: "3" is no graph: they are numbered from 1 to 2; correct it; a file may have been cut`},
		{"graph_indicator", "1\n1", "DIR/DS_graph_indicator.txt: gives no node to graph 2 of 2; leave out the graph, or give it nodes; the file may have been cut"},
		{"graph_indicator", "1, 2", "DIR/DS_graph_indicator.txt: line 1: has 2 cells, and a node belongs to one graph; write one number"},
		{"graph_labels", "-", "DIR/DS_graph_labels.txt: is missing or empty, and so is DS_graph_attributes.txt; give the classes of the graphs, one a line"},
		{"graph_labels", "", "DIR/DS_graph_labels.txt: is missing or empty, and so is DS_graph_attributes.txt; give the classes of the graphs, one a line"},
		{"graph_attributes", "1\n2\n3", "DIR/DS_graph_attributes.txt: line 3: is one line more than the 2 graphs; give one line for each graph"},
		{"node_labels", "6\n6", "DIR/DS_node_labels.txt: has 2 lines for 5 nodes; give one line for each; the file may have been cut"},
		{"node_labels", "6\n6, 7", "DIR/DS_node_labels.txt: line 2: has 2 labels, and the lines before 1; give every line as many"},
		{"node_labels", "6\n,", "DIR/DS_node_labels.txt: line 2: has 2 labels, and the lines before 1; give every line as many"},
		{"edge_labels", "1\n1\n1", "DIR/DS_edge_labels.txt: has 3 lines for 6 edges; give one line for each; the file may have been cut"},
		{"node_attributes", "1, nan", `DIR/DS_node_attributes.txt: line 1, column 2: "nan" is not a finite number, and attributes are numbers; correct it`},
	} {
		dir := folder(t, map[string]string{c.file: c.text})
		_, err := tudataset.Read(t.Context(), dir, nil)
		if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != c.want {
			t.Errorf("%s %q:\ngot  %v\nwant %s", c.file, c.text, err, c.want)
		}
	}
	two := folder(t, nil)
	if err := os.WriteFile(filepath.Join(two, "B_A.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tudataset.Read(t.Context(), two, nil); err == nil || !strings.Contains(err.Error(), "holds 2 files") {
		t.Error(err)
	}
	if _, err := tudataset.Read(t.Context(), filepath.Join(two, "nothing"), nil); err == nil || !strings.Contains(err.Error(), "cannot be read as a folder") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tudataset.Read(ctx, folder(t, nil), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestCut cuts every file at every byte: what is left is a data set, perhaps with other
// last numbers or fewer edges, or an error that names a file of the folder.
func TestCut(t *testing.T) {
	for name, text := range small {
		for n := range len(text) {
			dir := folder(t, map[string]string{name: text[:n]})
			table, err := tudataset.Read(t.Context(), dir, nil)
			var place *data.Error
			switch {
			case err == nil && table.Rows() == 0:
				t.Fatalf("%s cut at %d: no rows", name, n)
			case err != nil && (!errors.As(err, &place) || !strings.HasPrefix(place.Source, dir)):
				t.Fatalf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

// TestCompressed reads files with .gz, and says of a cut one which it is.
func TestCompressed(t *testing.T) {
	dir := folder(t, map[string]string{"A": "-"})
	path := filepath.Join(dir, "DS_A.txt.gz")
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(small["A"])); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for n := 0; n <= b.Len(); n++ {
		if err := os.WriteFile(path, []byte(b.String()[:n]), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := tudataset.Read(t.Context(), dir, nil)
		if (err == nil) != (n == b.Len()) || err != nil && !strings.Contains(err.Error(), path) {
			t.Fatalf("cut at %d of %d: %v", n, b.Len(), err)
		}
	}
}

// TestNoEdges reads graphs without edges, which an empty line says on purpose.
func TestNoEdges(t *testing.T) {
	graphs, err := tudataset.Graphs(t.Context(), folder(t, map[string]string{"A": "\n", "edge_labels": "-"}), nil)
	if err != nil || len(graphs) != 2 || graphs[0].Len() != 3 || len(graphs[0].Edges) != 0 {
		t.Errorf("%v, %v", graphs, err)
	}
}

// FuzzRead reads the files of a data set, those of attributes too. What is accepted has as
// many rows as there are classes, as many nodes and cells of nodes as the indicator has
// lines, and edges inside of their graphs; an error is one of package data and names a file.
func FuzzRead(f *testing.F) {
	f.Add(small["A"], small["graph_indicator"], small["graph_labels"], small["node_labels"], small["edge_labels"], small["node_attributes"])
	f.Add("1,1", "1", "a", "", "1", "0.5")
	f.Fuzz(func(t *testing.T, edges, indicator, classes, labels, edgeLabels, attributes string) {
		dir := folder(t, map[string]string{"A": edges, "graph_indicator": indicator, "graph_labels": classes,
			"node_labels": labels, "edge_labels": edgeLabels, "node_attributes": attributes})
		table, err := tudataset.Read(t.Context(), dir, nil)
		graphs, errGraphs := tudataset.Graphs(t.Context(), dir, nil)
		for _, err := range []error{err, errGraphs} {
			var place *data.Error
			if err != nil && (!errors.As(err, &place) || !strings.HasPrefix(place.Source, dir)) {
				t.Fatalf("an error without the file: %v", err)
			}
		}
		if (err == nil) != (errGraphs == nil) {
			t.Fatalf("as a table %v, as graphs %v", err, errGraphs)
		}
		if err != nil {
			return
		}
		if len(graphs) == 0 || table.Rows() != len(graphs) {
			t.Fatalf("%d rows of %d graphs", table.Rows(), len(graphs))
		}
		for i, g := range graphs {
			for _, c := range g.Nodes {
				if c.Len() != g.Len() {
					t.Fatalf("graph %d: %d cells of %s for %d nodes", i, c.Len(), c.Name, g.Len())
				}
			}
			for _, c := range g.Labels {
				if c.Len() != len(g.Edges) {
					t.Fatalf("graph %d: %d cells of %s for %d edges", i, c.Len(), c.Name, len(g.Edges))
				}
			}
			for _, e := range g.Edges {
				if int(max(e.From, e.To)) >= g.Len() || min(e.From, e.To) < 0 {
					t.Fatalf("graph %d: edge %v among %d nodes", i, e, g.Len())
				}
			}
		}
	})
}

// TestShared counts the graphs, nodes and edges that the README of the data names.
func TestShared(t *testing.T) {
	for _, c := range []struct {
		name                 string
		graphs, nodes, edges int
	}{{"MUTAG", 188, 3371, 7442}, {"PTC_MR", 344, 4915, 10108}, {"NCI1", 4110, 122747, 265506}, {"PROTEINS", 1113, 43471, 162088}, {"ENZYMES", 600, 19580, 74564}} {
		graphs, err := tudataset.Graphs(t.Context(), testkit.Shared(t, "graphs/"+c.name), nil)
		if err != nil {
			t.Fatal(err)
		}
		nodes, lines := 0, 0
		for _, g := range graphs {
			nodes += g.Len()
			for _, e := range g.Edges {
				if lines += 2; e.From == e.To || g.Directed {
					lines--
				}
			}
		}
		if len(graphs) != c.graphs || nodes != c.nodes || lines != c.edges {
			t.Errorf("%s: %d graphs, %d nodes, %d lines of edges; want %d, %d, %d", c.name, len(graphs), nodes, lines, c.graphs, c.nodes, c.edges)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	dir := testkit.Shared(b, "graphs/NCI1")
	for b.Loop() {
		if _, err := tudataset.Read(b.Context(), dir, nil); err != nil {
			b.Fatal(err)
		}
	}
}
