// Package jsonl reads and writes graphs as lines of JSON, one graph a line:
//
//	{"id":"ethanol","class":"alcohol","nodes":3,"edges":[[0,1],[1,2]],
//	 "node":{"label":["C","C","O"]},"edge":{"label":["1","1"]}}
//
// nodes is the number of nodes, or the list of their ids; edges are pairs of positions,
// counted from 0. The rest may be absent: directed (false), weights of the edges, and the
// attributes of nodes and edges by name, each a list of strings or of numbers with null
// where there is no value. id and class belong to the line, not to the graph.
//
// [Format] writes a graph without id and class as the shortest such line, with attributes
// in the order of their names. This text is a graph in a cell of a table, and [Parse]
// reads it back: Format(Parse(text)) = text for every text that Format wrote.
package jsonl
