// Package bag reads and writes bags: cells of a table that hold several elements each, and
// tables in which a bag goes over several rows.
//
// A cell is text. In full it is a list in JSON, whose elements are strings, numbers, lists of
// numbers, or whatever else a kernel reads; shorter, elements are separated by bars or, where
// there is no bar, by semicolons:
//
//	[[0.5, 1], [2, 3.25]]     0.5 1; 2 3.25      two vectors
//	["red", "green"]          red|green          two words
//	[]                                           the empty bag
//
// [Split] takes a cell apart. What the elements are is for a kernel to say: [Vectors] reads
// them as vectors of one length.
//
// [Group] turns a table with several rows for each bag into one with a row for each.
package bag
