// Package jsonl reads tables written as lines of JSON, one row a line:
//
//	{"id": "a", "age": 31, "words": ["red", "green"], "points": [[0.5, 1], [2, 3]]}
//
// Columns are the names in the order in which they come first. A column is numeric if all of
// its values are numbers; strings and true and false are strings. Lists and objects become
// text, as they are written but for blanks: what they are is for a kernel to say (package
// example.org/mercer/data/bag reads lists as bags). A name that a line does not have, or null, is a
// missing cell.
package jsonl
