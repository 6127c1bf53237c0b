// Package oip reads and writes the messages of the Open Inference Protocol, version 2, over HTTP:
// requests and answers of tensors as JSON, and with the numbers in binary form behind it.
//
// A request names tensors. They become the columns of a table in one of two ways:
//
//  1. one tensor of n×d numbers, whose columns are those of the model in their order, or
//  2. a tensor of n, or n×1, values for each column, by its name.
//
// The protocol is that of https://github.com/kserve/open-inference-protocol; binary tensors are the
// extension of Triton's inference server.
package oip
