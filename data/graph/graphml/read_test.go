package graphml_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/graphml"
	"example.org/mercer/data/graph/jsonl"
)

// small has every construct that is read.
const small = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <desc>a net</desc>
  <key id="d0" for="node" attr.name="colour" attr.type="string"><default>blue</default></key>
  <key id="d1" for="edge" attr.name="weight" attr.type="double"/>
  <key id="d2" for="all" attr.name="size" attr.type="int"><desc>of it</desc></key>
  <key id="d3" for="node" yfiles.type="nodegraphics"/>
  <graph id="G" edgedefault="undirected">
    <node id="n0"><data key="d0">green</data><data key="d3"><y:ShapeNode><y:Fill/></y:ShapeNode></data></node>
    <node id="n1"><data key="d2">7</data><desc>x</desc></node>
    <edge id="e0" source="n0" target="n1" directed="false"><data key="d1">1.5</data></edge>
  </graph>
</graphml>`

func read(t testing.TB, text string) (*graph.Graph, error) {
	t.Helper()
	all, err := graphml.Read(t.Context(), "net.graphml", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

func TestRead(t *testing.T) {
	g, err := read(t, small)
	if err != nil {
		t.Fatal(err)
	}
	if g.Directed || !cmp.Equal(g.IDs, []string{"n0", "n1"}) || !cmp.Equal(g.Edges, []graph.Edge{{From: 0, To: 1}}) || !cmp.Equal(g.Weights, []float64{1.5}) {
		t.Errorf("%+v", g)
	}
	if !cmp.Equal(g.Lines, []int{9, 10}) || !cmp.Equal(g.EdgeLines, []int{11}) {
		t.Errorf("lines %v, %v", g.Lines, g.EdgeLines)
	}
	if len(g.Nodes) != 2 || !cmp.Equal(g.Nodes[0].Strings, []string{"green", "blue"}) || !g.Nodes[1].IsMissing(0) || g.Nodes[1].Numbers[1] != 7 {
		t.Errorf("%+v", g.Nodes)
	}
}

// in wraps the elements of a graph.
func in(elements string) string {
	return `<graphml><key id="k" for="node" attr.name="x" attr.type="int"/><graph edgedefault="directed">` + elements + "</graph></graphml>"
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "net.graphml: holds no graph; a GraphML file has an element graph inside of graphml"},
		{"<html/>", `net.graphml: line 1, column 1: "html" is the outermost element, which is graphml in a GraphML file`},
		{"<graphml>", "unexpected EOF"},
		{"<graphml><graph/></graphml>", `line 1, column 10: is not a direction of edges; write edgedefault="directed"`},
		{`<graphml><key id="k"/><key id="k"/></graphml>`, `column 23: "k" is declared twice`},
		{`<graphml><key for="node"/></graphml>`, `"key" has no id`},
		{`<graphml><key id="k" attr.type="date"/></graphml>`, `"date" is not a type`},
		{in("<node/>"), `"node" has no id`},
		{in(`<node id="a"/><node id="a"/>`), `"a" is the id of two nodes`},
		{in(`<node id="a"/><edge source="a"/>`), `"edge" has no source or no target`},
		{in(`<node id="a"/><edge source="a" target="z"/>`), `"z" is the end of an edge and the id of no node`},
		{in(`<node id="a"/><edge source="a" target="a" directed="false"/>`), `"directed=false" differs from the direction of the graph`},
		{in(`<node id="a"><data key="q">1</data></node>`), `"q" is no key that is declared for a node`},
		{in(`<node id="a"><data key="k">one</data></node>`), `"one" is not a number, and the attribute "x" holds numbers`},
		{in(`<node id="a"><data key="k">1</data><data key="k">2</data></node>`), `"x" is given twice`},
		{in(`<node id="a"><graph edgedefault="directed"/></node>`), `"graph" stands inside of a node or an edge`},
		{in(`<hyperedge/>`), `"hyperedge" joins any number of nodes`},
		{in(``), "holds a graph without nodes"},
		{`<graphml>` + "\n" + `<graph edgedefault="directed"></grap></graphml>`, "net.graphml: line 2, column 38: is not well-formed XML: element <graph> closed by </grap>"},
		{`<?xml version="1.0" encoding="latin1"?><graphml/>`, "encoding"},
	} {
		if _, err := read(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestCut cuts a file at every byte: all of them are errors that name the file.
func TestCut(t *testing.T) {
	for n := range len(small) {
		_, err := read(t, small[:n])
		var bad *data.Error
		if !errors.As(err, &bad) || bad.Source != "net.graphml" {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := graphml.Read(ctx, "net.graphml", strings.NewReader(small), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzRead wants graphs with nodes or an error that names the file.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add(in(`<node id="a"/>`))
	f.Fuzz(func(t *testing.T, text string) {
		all, err := graphml.Read(t.Context(), "net.graphml", strings.NewReader(text), nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "net.graphml") {
				t.Fatalf("%v does not name the file", err)
			}
			return
		}
		for _, g := range all {
			if g.Len() == 0 || g.Table().Rows() != g.Len() {
				t.Fatalf("%+v", g)
			}
			written, err := jsonl.Format(g)
			if err != nil {
				if !strings.Contains(err.Error(), "JSON cannot hold") {
					t.Fatal(err)
				}
				continue
			}
			back, err := jsonl.Parse(written)
			if err != nil {
				t.Fatalf("%s: %v", written, err)
			}
			if again, err := jsonl.Format(back); err != nil || again != written {
				t.Fatalf("%s became %s, %v", written, again, err)
			}
		}
	})
}

func ExampleRead() {
	file := strings.NewReader(`<graphml><graph edgedefault="undirected">
		<node id="a"/><node id="b"/><edge source="a" target="b"/>
	</graph></graphml>`)
	graphs, err := graphml.Read(context.Background(), "pair.graphml", file, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(graphs[0].IDs, graphs[0].Edges)
	// Output: [a b] [{0 1}]
}
