// Package npy reads and writes the array files of NumPy: .npy, one array, and .npz, a zip
// archive of named arrays.
//
// [Read] and [Archive.Table] give tables with numeric columns, [ReadMatrix] and
// [Archive.Matrix] plain row-major matrices, such as a Gram matrix computed elsewhere.
// Arrays of booleans, integers and floats of 2, 4 and 8 bytes are read in either byte order and,
// of one and two dimensions, either orientation. Those of more are rows of all numbers of an entry
// of the first, such as images of rows×columns×channels. Everything else is refused by name, and
// Python objects in particular, because they are stored as programs. Integers that a
// float64 cannot hold are an error. [Writer] writes a matrix as it is computed.
//
// No memory is allocated on the word of a header: its claim is first compared with the size
// of the file, or, where a stream does not tell its size, memory grows with what arrives.
//
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html,
// versions 1 to 3.
package npy
