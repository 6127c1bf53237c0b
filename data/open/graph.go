package open

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/edgelist"
	"example.org/mercer/data/graph/gml"
	"example.org/mercer/data/graph/graphml"
)

// Graph reads the graph in a file, or in o.Stdin for the path "-". Where neither o.Format
// nor the name says what the file is, text that begins with < is GraphML, text that holds a
// list graph [ is GML, and any other text is an edge list. A file with more than one graph
// is an error. Files may be compressed with gzip.
func Graph(ctx context.Context, path string, o Options) (*graph.Graph, error) {
	if _, err := ParseFormat(string(o.Format)); err != nil {
		return nil, err
	}
	o = o.accounted()
	s, err := openSource(ctx, path, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	format := o.Format
	if format == Auto {
		sample, err := s.sample()
		if err != nil {
			return nil, err
		}
		if format, err = detectGraph(s.name, sample); err != nil {
			return nil, err
		}
	}
	return s.graph(ctx, format, o)
}

// graph passes the source on to the reader of a format of graphs.
func (s *source) graph(ctx context.Context, format Format, o Options) (*graph.Graph, error) {
	var all []*graph.Graph
	var err error
	switch format {
	case EdgeList:
		return edgelist.Read(ctx, s.name, s.br, edgelist.Options{Directed: o.Directed, Budget: o.account})
	case GML:
		all, err = gml.Read(ctx, s.name, s.br, o.account)
	case GraphML:
		all, err = graphml.Read(ctx, s.name, s.br, o.account)
	default:
		return nil, &data.Error{Source: s.name, Reason: "is read as " + string(format) + ", which holds no graph", Fix: "give a file in GML, GraphML, or with one edge a line"}
	}
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, &data.Error{Source: s.name, Reason: fmt.Sprintf("holds %d graphs, and one is wanted", len(all)), Fix: "keep one of them"}
	}
	return all[0], nil
}
