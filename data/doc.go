// Package data holds ordered collections of points and the tables they come from.
//
// Everything a kernel method learns on is a [Set]: it has an order, a length and
// elements, and nothing to transpose. Dense vectors are [Vectors]; anything else
// (strings, graphs, numbers, row ids) is a [Slice] or a type of the caller's own.
//
// A [Table] is what a reader makes of a file: named columns of numbers, categories
// or text, with its missing cells marked and not yet interpreted. One reader per
// format lives below this package; package prep turns a table into points.
package data
