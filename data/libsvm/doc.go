// Package libsvm reads the sparse text format of LIBSVM and SVMlight: one point per line,
//
//	+1 1:0.7 3:-0.32 13:1   # label, then index:value with rising indices
//
// where a feature that is not written is 0. Indices count from 1; a file that counts from
// 0 must be declared so ([Options]), because nothing but an index 0 gives it away. Labels
// are single finite numbers. A query id (qid:7) after the label is kept beside the points.
//
// [Read] keeps points sparse. [File.Table] writes them out densely for methods on tables,
// within a limit of memory.
package libsvm
