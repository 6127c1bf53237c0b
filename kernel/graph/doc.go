// Package graph holds kernels between graphs with labelled nodes.
//
// A walk goes along edges from node to node and may come back. Two graphs are alike if
// they have many walks with the same sequences of labels, and such pairs of walks are the
// walks of one graph, the direct [Product]: counting them takes products with its
// adjacency matrix ([Walk]).
package graph
