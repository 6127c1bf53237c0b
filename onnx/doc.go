// Package onnx writes functions of vectors as graphs of standard operators of ONNX, the Open Neural
// Network Exchange format, which other programs run without mercer: operators of the domain ai.onnx
// in version 19 alone, in double or in single precision.
//
// A graph is built node by node ([Graph]). A kernel becomes the nodes of its plan ([Graph.Kernel]):
// the statistics of the pairs of rows and points, and the program over them. [Run] is a slow
// interpreter of the operators that are written, by which a graph is tried before it is given away.
//
// The format: https://onnx.ai/onnx/repo-docs/IR.html.
package onnx
