// Package client asks a server of `mercer serve` for predictions, from Go and with the standard
// library alone.
//
// Rows go by the names of their columns ([Client.Predict]), or numbers as one tensor in binary form
// ([Client.Infer]), which is the fastest. A server that has no room answers 429 with a time, after
// which the same request is sent again; predictions change nothing, so that this is safe.
package client
