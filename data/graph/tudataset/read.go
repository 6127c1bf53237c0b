package tudataset

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/jsonl"
)

// edgesFile is how the name of the file ends by which a folder is recognised.
const edgesFile = "_A.txt"

// Is reports whether a folder holds a data set.
func Is(folder string) bool {
	names, err := prefixes(folder)
	return err == nil && len(names) > 0
}

// prefixes returns the names of the data sets in a folder.
func prefixes(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, &data.Error{Source: folder, Reason: "cannot be read as a folder", Err: err}
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), ".gz"), edgesFile); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// Read returns the data set in a folder as a table with the columns id (the number of the
// graph), graph, and class, or y where the folder has numbers in place of classes; several
// numbers are y1, y2, …, and the first is the target. Errors are *data.Error with file and
// line, except that of ctx.
//
// Time and memory, which comes from the budget (nil: any), are linear in the files, up to sorting
// the edges.
func Read(ctx context.Context, folder string, budget *data.Budget) (*data.Table, error) {
	s, err := load(ctx, folder, budget)
	if err != nil {
		return nil, err
	}
	// Graphs and their texts are beside the files for a while.
	if err := budget.Take(graphBytes*int64(s.count)+nodeBytes*int64(len(s.graph)+len(s.edges)), folder, 0); err != nil {
		return nil, err
	}
	graphs, err := s.graphs()
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(graphs))
	for i := range ids {
		ids[i] = strconv.Itoa(i + 1)
	}
	t, err := jsonl.Table(folder, ids, graphs)
	if err != nil {
		return nil, err
	}
	if s.classes != nil {
		t.Columns = append(t.Columns, data.Column{Name: jsonl.ClassColumn, Kind: data.Categorical, Strings: s.classes.texts[0], Why: "it holds the classes of the graphs"})
		t.Target = jsonl.ClassColumn
	}
	if s.values != nil {
		for k, numbers := range s.values.reals {
			name := "y"
			if len(s.values.reals) > 1 {
				name += strconv.Itoa(k + 1)
			}
			t.Columns = append(t.Columns, data.Column{Name: name, Kind: data.Numeric, Numbers: numbers})
			if t.Target == "" {
				t.Target = name
			}
		}
	}
	return t, nil
}

// Graphs returns the graphs of a data set, in the order of their numbers.
func Graphs(ctx context.Context, folder string, budget *data.Budget) ([]*graph.Graph, error) {
	s, err := load(ctx, folder, budget)
	if err != nil {
		return nil, err
	}
	return s.graphs()
}

// What graphs take from the budget: one, and a node or an edge of it.
const (
	graphBytes = 1000
	nodeBytes  = 100
)

// set is a data set as its files have it. Nodes, edges and graphs count from 0.
type set struct {
	name       string
	graph      []int32 // of every node
	edges      []graph.Edge
	lines      []int // of the edges in their file
	edgesName  string
	classes    *columns
	values     *columns
	nodeLabels *columns
	nodeValues *columns
	edgeLabels *columns
	edgeValues *columns
	count      int // of graphs
}

// load reads the files.
func load(ctx context.Context, folder string, budget *data.Budget) (*set, error) {
	names, err := prefixes(folder)
	if err != nil {
		return nil, err
	}
	if len(names) != 1 {
		return nil, &data.Error{Source: folder, Reason: fmt.Sprintf("holds %d files called NAME%s, and one is wanted", len(names), edgesFile), Fix: "give the folder of one data set in the TUDataset format"}
	}
	s := &set{name: filepath.Join(folder, names[0])}
	if s.classes, err = labels(ctx, budget, s.name+"_graph_labels.txt", -1, "graph"); err != nil {
		return nil, err
	}
	n := -1
	if s.classes != nil {
		n = s.classes.rows()
	}
	if s.values, err = attributes(ctx, budget, s.name+"_graph_attributes.txt", n, "graph"); err != nil {
		return nil, err
	}
	switch {
	case s.classes != nil && n > 0:
		s.count = n
	case s.values != nil && s.values.rows() > 0:
		s.classes, s.count = nil, s.values.rows()
	default:
		return nil, &data.Error{Source: s.name + "_graph_labels.txt", Reason: "is missing or empty, and so is " + filepath.Base(s.name) + "_graph_attributes.txt", Fix: "give the classes of the graphs, one a line"}
	}
	if err := s.nodes(ctx, budget); err != nil {
		return nil, err
	}
	if err := s.readEdges(ctx, budget); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		to   **columns
		read func(context.Context, *data.Budget, string, int, string) (*columns, error)
		name string
		n    int
		what string
	}{
		{&s.nodeLabels, labels, "_node_labels.txt", len(s.graph), "node"},
		{&s.nodeValues, attributes, "_node_attributes.txt", len(s.graph), "node"},
		{&s.edgeLabels, labels, "_edge_labels.txt", len(s.edges), "edge"},
		{&s.edgeValues, attributes, "_edge_attributes.txt", len(s.edges), "edge"},
	} {
		if *part.to, err = part.read(ctx, budget, s.name+part.name, part.n, part.what); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// nodes reads which graph every node belongs to.
func (s *set) nodes(ctx context.Context, budget *data.Budget) error {
	path := s.name + "_graph_indicator.txt"
	size := make([]int, s.count)
	f, err := each(ctx, budget, path, func(f *file, cells [][]byte) error {
		if len(cells) != 1 {
			return f.fail(0, "", fmt.Sprintf("has %d cells, and a node belongs to one graph", len(cells)), "write one number")
		}
		g, err := f.number(cells, 0, s.count, "graph")
		if err != nil {
			return err
		}
		if len(s.graph) == math.MaxInt32 {
			return f.fail(0, "", "is one node more than are numbered", "")
		}
		s.graph = append(s.graph, g-1)
		size[g-1]++
		return nil
	})
	if err != nil {
		return err
	}
	if f == nil {
		return &data.Error{Source: path, Reason: "is missing", Fix: "give the number of its graph for every node, one a line"}
	}
	if g := slices.Index(size, 0); g >= 0 {
		return &data.Error{Source: path, Reason: fmt.Sprintf("gives no node to graph %d of %d", g+1, s.count), Fix: "leave out the graph, or give it nodes; the file may have been cut"}
	}
	return nil
}

// readEdges reads the edges, whose ends lie in one graph. A file without a single line is taken to
// be cut.
func (s *set) readEdges(ctx context.Context, budget *data.Budget) error {
	f, err := each(ctx, budget, s.name+edgesFile, func(f *file, cells [][]byte) error {
		if s.edgesName = f.name; len(cells) != 2 {
			return f.fail(0, "", fmt.Sprintf("has %d cells, and an edge has two nodes", len(cells)), "write two numbers with a comma between them")
		}
		var ends [2]int32
		for k := range ends {
			v, err := f.number(cells, k, len(s.graph), "node")
			if err != nil {
				return err
			}
			ends[k] = v - 1
		}
		if g, h := s.graph[ends[0]], s.graph[ends[1]]; g != h {
			return f.fail(0, "", fmt.Sprintf("joins node %d of graph %d to node %d of graph %d", ends[0]+1, g+1, ends[1]+1, h+1), "edges stay within a graph")
		}
		s.edges = append(s.edges, graph.Edge{From: ends[0], To: ends[1]})
		s.lines = append(s.lines, f.line)
		return nil
	})
	if err == nil && f != nil && f.line == 0 {
		return &data.Error{Source: f.name, Reason: "is empty, so that no graph has an edge; it may have been cut", Fix: "copy it again, or write an empty line into it if there are no edges"}
	}
	return err
}
