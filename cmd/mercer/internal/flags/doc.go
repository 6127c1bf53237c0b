// Package flags has the flags that verbs share, and what they ask for: the table and how it is
// read, what its columns are for, the kernel on its rows and what may stand for it, the method,
// passes over tables larger than memory, limits, checkpoints, and the model to apply to a table.
//
// Each is a struct with Register, which adds the flags to a verb, and a method that makes of them
// what the library takes.
package flags
