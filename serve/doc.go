// Package serve answers requests over HTTP with the predictions of models: the Open Inference
// Protocol, version 2, and beside it rows in JSON and CSV by the names of their columns, with
// intervals, label sets and explanations.
//
// A request goes this way:
//
//  1. guards: token, host, limits of body and time;
//  2. its tensors or rows become a table ([example.org/mercer/serve/oip],
//     [example.org/mercer/serve/records]);
//  3. the queue of the model: tables that wait at the same time are predicted together;
//  4. the answer, in the form that was asked for.
//
// Why together: the coefficients of a model are read once for all rows, and who waits need not wait
// longer for it, because no clock is waited for. The bits of an answer do not depend on its
// company: values of kernels and sums over training rows are those of the row alone.
//
// A model file is read whole, decoded and tested by its own rows before it replaces the one that
// answers. Requests that have begun end with the model that they began with.
package serve
