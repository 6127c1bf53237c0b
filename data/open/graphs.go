package open

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/jsonl"
)

// graphFiles are the names of the files of graphs in a folder, in their order: .gml, .graphml and
// .edgelist, compressed or not.
func graphFiles(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		switch extensions[filepath.Ext(strings.TrimSuffix(strings.ToLower(e.Name()), ".gz"))] {
		case GML, GraphML, EdgeList:
			if !e.IsDir() {
				names = append(names, e.Name())
			}
		}
	}
	return names
}

// readGraphs reads a folder of files with a graph each: a row for every file, named by it.
func readGraphs(ctx context.Context, folder string, names []string, o Options) (*data.Table, error) {
	o.Format = Auto // a folder may mix them
	ids, graphs := make([]string, len(names)), make([]*graph.Graph, len(names))
	for i, name := range names {
		var err error
		if graphs[i], err = Graph(ctx, filepath.Join(folder, name), o); err != nil {
			return nil, err
		}
		stem := strings.TrimSuffix(name, ".gz")
		ids[i] = strings.TrimSuffix(stem, filepath.Ext(stem))
	}
	t, err := jsonl.Table(folder, ids, graphs)
	if err != nil {
		return nil, &data.Error{Source: folder, Reason: err.Error(), Fix: "write the graphs as lines of JSON"}
	}
	return t, nil
}
