package compute

import (
	"fmt"
	"strings"
)

// Limits are what a computation may take, each 0 for as much as there is.
type Limits struct {
	Memory  int64   // bytes
	Seconds float64 // predicted
	Error   float64 // that an approximation of the kernel may be expected to have, see [Plan]
}

// Allow reports whether a plan stays within the limits.
func (l Limits) Allow(p Plan) bool {
	return !(l.Memory > 0 && p.Memory > l.Memory) && !(l.Seconds > 0 && p.Seconds > l.Seconds) && !(l.Error > 0 && p.Error > l.Error)
}

// Check returns a [*TooLarge] or a [*TooLong] error where a plan exceeds the limits of
// memory or time.
func (l Limits) Check(p Plan) error {
	if l.Memory > 0 && p.Memory > l.Memory {
		return &TooLarge{What: "solver " + p.Solver, Need: p.Memory, Limit: l.Memory, Alternatives: p.Alternatives}
	}
	if l.Seconds > 0 && p.Seconds > l.Seconds {
		return &TooLong{What: "solver " + p.Solver, Need: p.Seconds, Limit: l.Seconds, Memory: l.Memory, Alternatives: p.Alternatives}
	}
	return nil
}

// Choose returns the first plan within the limits: the exact one, then its exact
// alternatives, then the approximation with the least error. Its Hint says what to ask for.
// Alternatives without flags to ask for are advice, and not chosen.
func (l Limits) Choose(exact Plan) (Plan, bool) {
	if l.Allow(exact) {
		return exact, true
	}
	var best Plan
	found := false
	for _, a := range exact.Alternatives {
		if !l.Allow(a) || !askable(a) {
			continue
		}
		if !found || a.Error < best.Error || a.Error == best.Error && a.Seconds < best.Seconds {
			best, found = a, true
		}
	}
	return best, found
}

// askable reports whether the hint of a plan is a list of flags.
func askable(p Plan) bool { return strings.HasPrefix(p.Hint, "--") }

// CheckMemory returns a [*TooLarge] error if the plan's peak exceeds the limit in
// bytes. A limit of 0 is none.
func CheckMemory(p Plan, limit int64) error { return Limits{Memory: limit}.Check(p) }

// TooLarge is the refusal of a computation that is predicted to hold more than it
// may. It lists what would fit.
type TooLarge struct {
	What         string // what was asked for: "solver cholesky"
	Need, Limit  int64  // bytes
	Alternatives []Plan
}

// Error says what is needed, what is allowed, and what to ask for instead: the
// alternatives within the limit or, where none is, all of them with the limit that
// each would take.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s needs %s, more than the limit of %s", e.What, FormatBytes(e.Need), FormatBytes(e.Limit)) +
		instead(e.Alternatives, Limits{Memory: e.Limit})
}

// TooLong is the refusal of a computation that is predicted to take longer than it may.
// It lists what would be done in time, in memory of at most Memory bytes (0: any).
type TooLong struct {
	What         string
	Need, Limit  float64 // seconds
	Memory       int64
	Alternatives []Plan
}

// Error says how long it would take and what to ask for instead, as [TooLarge] does.
func (e *TooLong) Error() string {
	return fmt.Sprintf("%s takes about %s, more than the %s that it may", e.What, FormatSeconds(e.Need), FormatSeconds(e.Limit)) +
		instead(e.Alternatives, Limits{Seconds: e.Limit, Memory: e.Memory})
}

// instead is advice: the alternatives that the limits allow, or else all.
func instead(alternatives []Plan, l Limits) string {
	var out strings.Builder
	var fitting []Plan
	for _, a := range alternatives {
		if l.Allow(a) {
			fitting = append(fitting, a)
		}
	}
	switch {
	case len(fitting) > 0:
		out.WriteString("; within the limit are:\n")
		writeTable(&out, alternativeRows(fitting))
	case len(alternatives) > 0:
		out.WriteString(", and so does every alternative; raise the limit for one of:\n")
		writeTable(&out, alternativeRows(alternatives))
	default:
		out.WriteString("; raise the limit or use fewer points")
	}
	return strings.TrimRight(out.String(), "\n")
}

// aside is what a process holds beside a cache whose size is free: its program, the table, points
// that are bound. It is a constant, so that what happens does not depend on what was held before.
const aside = 56 << 20

// Room returns how much of a limit in bytes a cache may take that works with any size.
func Room(limit int64) int64 { return max(limit/4, limit-aside) }

// cacheBytes is how much memory kernel values may take to be computed once and not in every
// product or pass. It is a constant, and half of a memory limit, so that what happens does
// not depend on what else the machine is doing.
const cacheBytes = 2 << 30

// FitsInMemory reports whether kernel values of so many bytes are kept between products: up to
// 2 GiB and half of the limit in bytes, 0 for none.
func FitsInMemory(bytes, limit int64) bool {
	if limit > 0 {
		return bytes <= min(cacheBytes, limit/2)
	}
	return bytes <= cacheBytes
}
