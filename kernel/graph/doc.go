// Package graph holds kernels between graphs, whose nodes and edges may have labels.
//
// A walk goes along edges from node to node and may come back. Two graphs are alike if
// they have many walks with the same sequences of labels, and such pairs of walks are the
// walks of one graph, the direct [Product]: counting them takes products with its
// adjacency matrix. [Walk] counts walks of one length, [RandomWalk] those of all lengths.
//
// Other kernels are inner products of counts: of colours ([WL]), of pairs of nodes at a
// distance ([ShortestPath]), of induced subgraphs ([Graphlets]), of labels ([Vertices],
// [Edges]). Each has its definition in Eval, and a path of its own for whole sets of graphs,
// which numbers the features of all graphs together and multiplies sparse counts.
package graph
