// Package edgelist reads graphs that are written as one edge a line,
//
//	# who knows whom
//	anna  ben  2.5
//	ben   carl 1
//
// two ids and, where the edges have them, a weight, separated by blanks, tabs, commas or
// semicolons. # and % begin comments. A first line of the words source and target (or from and
// to), with weight behind them where there are weights, is a header. The nodes are those of
// the edges in the order of appearance; nodes without edges cannot be written in this
// format. Whether edges have a direction is not in the file: [Options] say it.
package edgelist
