package open_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data/open"
)

const (
	gmlText     = "Version 1\ngraph [ node [ id 1 x 2 ] node [ id 2 x 3 ] edge [ source 1 target 2 ] ]"
	graphmlText = `<graphml><graph edgedefault="undirected"><node id="1"/><node id="2"/><edge source="1" target="2"/></graph></graphml>`
	edgesText   = "1 2\n"
)

// TestGraph finds the format of a graph by name or content, compressed or not.
func TestGraph(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"g.gml", gmlText}, {"g.txt", gmlText}, {"g.graphml", graphmlText}, {"g.xml", graphmlText},
		{"g.edges", edgesText}, {"g.txt", edgesText}, {"g.gml.gz", compress(t, gmlText)}, {"g", compress(t, edgesText)},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		g, err := open.Graph(t.Context(), path, open.Options{})
		if err != nil || g.Len() != 2 || len(g.Edges) != 1 || g.Source != path {
			t.Errorf("%s: %+v, %v", c.name, g, err)
		}
	}
	g, err := open.Graph(t.Context(), "-", open.Options{Directed: true, Stdin: strings.NewReader(edgesText)})
	if err != nil || !g.Directed {
		t.Errorf("%+v, %v", g, err)
	}
	for text, want := range map[string]string{
		gmlText + gmlText: "standard input: holds 2 graphs, and one is wanted; keep one of them",
		arrayFile(t):      "standard input: is read as npy, which holds no graph; give a file in GML, GraphML, or with one edge a line",
		"{\"nodes\": []}": "standard input: looks like JSON; save the graph as GML, GraphML, or with one edge a line",
	} {
		if _, err := open.Graph(t.Context(), "-", open.Options{Stdin: strings.NewReader(text)}); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

// TestGraphAsTable reads a graph where a table is wanted: its nodes, named by their ids.
func TestGraphAsTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.gml")
	if err := os.WriteFile(path, []byte(gmlText), 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := open.Read(t.Context(), path, open.Options{})
	if err != nil || table.ID != "id" || table.Rows() != 2 || table.Columns[1].Name != "x" || table.Columns[1].Numbers[1] != 3 {
		t.Errorf("%+v, %v", table, err)
	}
}

// TestGraphs reads many graphs as a table with a graph in each row: lines of JSON, whatever
// their name, and a folder.
func TestGraphs(t *testing.T) {
	const line = `{"id":"a","nodes":2,"edges":[[0,1]]}`
	dir := t.TempDir()
	for name, text := range map[string]string{"lines.txt": line, "DS_A.txt": "1,2\n2,1", "DS_graph_indicator.txt": "1\n1", "DS_graph_labels.txt": "1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path string
		o    open.Options
	}{{filepath.Join(dir, "lines.txt"), open.Options{}}, {"-", open.Options{Stdin: strings.NewReader(line)}}, {dir, open.Options{}}, {dir, open.Options{Format: open.TUDataset}}} {
		table, err := open.Read(t.Context(), c.path, c.o)
		if err != nil || table.Columns[1].Name != "graph" || table.Columns[1].Strings[0] != `{"nodes":2,"edges":[[0,1]]}` {
			t.Errorf("%s: %+v, %v", c.path, table, err)
		}
	}
	if _, err := open.Read(t.Context(), dir, open.Options{Key: "x"}); err == nil || !strings.Contains(err.Error(), "is a folder of graphs") {
		t.Error(err)
	}
	if _, err := open.Read(t.Context(), t.TempDir(), open.Options{}); err == nil || !strings.Contains(err.Error(), "NAME_A.txt") {
		t.Error(err)
	}
}

// TestFolderOfGraphs reads a folder of files with a graph each, and a folder of such folders, whose
// names are the labels.
func TestFolderOfGraphs(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"rings/b.graphml": graphmlText, "rings/a.gml": gmlText, "rings/notes.txt": "not a graph", "chains/c.edges.gz": compress(t, edgesText),
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	table, err := open.Read(t.Context(), filepath.Join(root, "rings"), open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if ids := table.Columns[0].Strings; table.ID != "id" || !slices.Equal(ids, []string{"a", "b"}) {
		t.Errorf("ids %q", ids)
	}
	table, err = open.Read(t.Context(), root, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := table.Column(open.ClassColumn); table.Target != open.ClassColumn || !slices.Equal(c.Strings, []string{"chains", "rings", "rings"}) {
		t.Errorf("classes %+v of the target %q", c, table.Target)
	}
	broken := filepath.Join(root, "rings", "d.gml")
	if err := os.WriteFile(broken, []byte("graph [ node [ id 1 ] edge [ source 1 target 9 ] ]"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := open.Read(t.Context(), root, open.Options{}); err == nil || !strings.Contains(err.Error(), broken) {
		t.Errorf("a dangling edge: %v, want the name of the file", err)
	}
}
