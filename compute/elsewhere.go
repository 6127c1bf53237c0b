package compute

import (
	"fmt"
	"math"
)

// PassCost is what passes over rows cost where others make them.
type PassCost struct {
	By       string  // the name of who makes them
	Workers  int     // processes, of which each holds the rows and the kernel
	Threads  int     // pieces that each computes at a time
	Overhead float64 // seconds of a pass beside its work
	First    float64 // seconds more of the first pass
	Slowdown float64 // processor time of a piece, as a multiple of that here
	Bytes    int64   // of the files that a pass reads
}

// Sent is how many numbers a pass sends where others make it, at most.
type Sent struct {
	Piece int `json:"piece"` // that a piece of the rows returns, its sums
	Row   int `json:"row"`   // that go along with a row, and come back for it
}

// Elsewhere predicts passes over rows that others make.
type Elsewhere struct {
	By       string  `json:"by"`
	Passes   int     `json:"passes"`
	Pieces   int     `json:"pieces"` // of a pass; no more work at a time
	Workers  int     `json:"workers"`
	Threads  int     `json:"threads"`       // of a worker
	Read     int64   `json:"read"`          // bytes, in all passes
	Exchange int64   `json:"exchange"`      // bytes of pieces and their results, in all passes, at most
	Memory   int64   `json:"worker_memory"` // bytes that a worker holds beside its program
	Overhead float64 `json:"overhead"`      // seconds of all passes beside their work
	Seconds  float64 `json:"seconds"`       // of all passes
}

// MadeElsewhere returns the plan of a computation whose passes over so many rows, in so many
// pieces, are made by others. held is what each of their workers holds of rows and kernel, in
// bytes.
//
//	T = T_here + T_shared · cores here · slowdown / min(workers · threads, pieces)
//	    + passes · overhead + first
//
// T_shared is the time of the stages that are [Cost.Shared], and T_here that of the others.
func (p Plan) MadeElsewhere(c PassCost, rows, pieces int, held int64) Plan {
	e := Elsewhere{By: c.By, Passes: p.Passes, Pieces: pieces, Workers: max(1, c.Workers), Threads: max(1, c.Threads)}
	numbers := int64(pieces)*int64(p.Sent.Piece) + int64(rows)*int64(p.Sent.Row)
	height := int64(rows+pieces-1) / int64(max(1, pieces))
	e.Read, e.Exchange = int64(p.Passes)*c.Bytes, 8*int64(p.Passes)*numbers
	// A piece has its sums, those of a part of it, and the numbers of its rows.
	e.Memory = held + 8*int64(e.Threads)*(2*int64(p.Sent.Piece)+height*int64(p.Sent.Row))
	e.Overhead = float64(p.Passes)*c.Overhead + c.First
	faster := float64(min(e.Workers*e.Threads, max(1, pieces))) / (float64(max(1, p.Machine.Workers)) * math.Max(1, c.Slowdown))
	stages := make([]Cost, len(p.Stages))
	for i, s := range p.Stages {
		if s.Shared {
			s.Seconds /= faster
			e.Seconds += s.Seconds
		}
		stages[i] = s
	}
	e.Seconds += e.Overhead
	out := p.WithStages(append(stages, Cost{Stage: "overhead of " + c.By, Seconds: e.Overhead}))
	out.Elsewhere = &e
	return out
}

// String says what passes cost.
func (e Elsewhere) String() string {
	return fmt.Sprintf("%d passes by %s, each in %d pieces, with workers that compute %d × %d at a time: %s, %s of it overhead; %s read, at most %s exchanged, %s held by a worker",
		e.Passes, e.By, e.Pieces, e.Workers, e.Threads, FormatSeconds(e.Seconds), FormatSeconds(e.Overhead), FormatBytes(e.Read), FormatBytes(e.Exchange), FormatBytes(e.Memory))
}
