// Package tudataset reads folders of graphs in the format of the TU Dortmund collection
// (Morris et al., TUDataset: a collection of benchmark datasets for learning with graphs,
// 2020). A data set DS is a folder of text files with numbers between commas:
//
//	DS_A.txt                  an edge u, v a line, by the numbers of its nodes from 1; a file of
//	                          0 bytes is taken to be cut, and an empty line says that
//	                          there are no edges
//	DS_graph_indicator.txt    a node a line: the number of its graph, from 1
//	DS_graph_labels.txt       a graph a line: its class
//	DS_node_labels.txt        a node a line: its label (optional)
//	DS_edge_labels.txt        an edge a line: its label (optional)
//	DS_node_attributes.txt    a node a line: its numbers (optional)
//	DS_edge_attributes.txt    an edge a line: its numbers (optional)
//	DS_graph_attributes.txt   a graph a line: its numbers to be predicted (may replace
//	                          the classes)
//
// Each may be compressed, with .gz behind its name. [Read] makes a table with the columns
// id, graph (the line of package jsonl) and class or y, the target.
//
// Undirected graphs list every edge in both directions. So a data set is taken to be
// undirected where this is so, with equal labels and attributes both ways, and its edges
// are kept once; where one edge lacks its reverse, all its graphs are directed.
package tudataset
