// Package pb has the messages of the Open Inference Protocol, version 2, in the form of protocol
// buffers, as its calls by gRPC send them: [Codec] reads and writes those that are named here.
//
// Numbers go straight from the bytes of a message into the tensors of package oip, and back: there
// are no structures made by a generator between them. A request has its numbers as lists of a type
// (contents), or as one run of bytes for each input (raw_input_contents), and its answer has them
// in the same form.
//
// Source of names and numbers of fields: the service inference.GRPCInferenceService of
// https://github.com/kserve/open-inference-protocol, and the calls about a repository of models of
// Triton's inference server.
package pb
