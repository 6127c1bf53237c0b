// Package graph holds graphs: nodes with ids and attributes, edges with weights and
// attributes, directed or not. A [Graph] serves as one point among many (kernels on graphs) and
// as the space whose points are its nodes (kernels on nodes); a set of graphs is a
// data.Slice[*Graph].
//
// [Builder] checks what a reader has found: duplicate nodes, edges to nodes that do not
// exist, weights that are no numbers. The readers are packages gml, graphml and edgelist
// below this one. [Graph.Adjacency] is the compressed list of neighbours (CSR) that
// algorithms walk along, [Graph.Table] the nodes as rows of a table.
package graph
