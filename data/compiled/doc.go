// Package compiled keeps tables in files that are read in passes: a table that is larger than
// memory is parsed once, and then read block by block, or row by row, in its binary form.
//
// # Format
//
// All integers are little-endian.
//
//	"mercer table 1\n\x00"                     16 bytes
//	blocks
//	footer                                      JSON: columns, blocks, where the table came from,
//	                                            and what a part of a file says of all of it
//	length of the footer, its CRC-32C           8 and 4 bytes
//	"mtb1"                                      4 bytes
//
// A block holds the cells of some consecutive rows by the column:
//
//	number c of its chunks                      4 bytes
//	lengths of the chunks                       4c bytes
//	chunks                                      chunk 0 holds the lines of the rows
//	CRC-32C of all of that                      4 bytes
//
// A chunk of numbers is stored in the shortest of a few ways that lose nothing: one number for
// all rows, integers of 1, 2 or 4 bytes, 4- or 8-byte floats, or those that are not 0 with their
// places. A chunk of strings is the different ones among them and, for every row, which of them
// it has. A column without a chunk in a block is 0 there: sparse files do not know at first how
// many columns they have.
package compiled
