package nystrom

import "example.org/mercer/model"

// Report says how landmarks were chosen.
type Report struct {
	N         int    `json:"n"` // points
	Landmarks int    `json:"landmarks"`
	Scheme    Scheme `json:"scheme"`
	Seed      uint64 `json:"seed"`
	// Candidates is the number of points that were looked at: n, or those that
	// [Options].Among or the scheme drew.
	Candidates int `json:"candidates"`
	// TraceError is tr(K − K̃)/tr K over the candidates, weighted, where Traced: for
	// [Pivoted], [Greedy], and with a tolerance. Others do not compute it.
	TraceError float64 `json:"trace_error,omitempty"`
	Traced     bool    `json:"traced"`
	// Lambda is the λ of [Leverage], and Dimension the sum of its scores, an estimate of
	// the effective dimension tr K(K + nλI)⁻¹.
	Lambda    float64 `json:"lambda,omitempty"`
	Dimension float64 `json:"dimension,omitempty"`

	model.Run
}
