package compute

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Cost predicts one stage of a computation.
type Cost struct {
	Stage string `json:"stage"`
	// Memory is what the stage holds at its own peak, in bytes, beside what earlier
	// stages keep.
	Memory int64 `json:"working_memory"`
	// Keeps is the part of it that stays held afterwards; negative where the stage
	// lets something go.
	Keeps int64 `json:"kept_memory"`
	// Peak is what the whole process holds while the stage runs; [NewPlan] fills it.
	Peak    int64   `json:"peak_memory"`
	Flops   float64 `json:"flops"`   // floating-point operations beside kernel evaluations
	Seconds float64 `json:"seconds"` // on the calibrated machine
	// Shared says that this is work on rows, which workers share where others make the passes.
	Shared bool `json:"shared,omitempty"`
}

// Plan predicts a computation before it starts: its stages in order, the peak of its
// memory and its time.
//
// The memory is that of the buffers. Go's collector adds little to it as long as the
// large ones are allocated once: garbage is collected when it has grown to the size
// of the live heap, and the stages make only O(n) of it. Dropping one n² matrix for
// another does count twice, see [gram.Fill].
type Plan struct {
	Solver string `json:"solver"`
	Hint   string `json:"hint,omitempty"` // what to ask the command for: "--solver packed"
	// Error is what an approximation of the kernel is expected to have, ‖K − K̃‖_F/‖K‖_F of a
	// block between rows that it was not made from; 0: the computation is exact.
	Error   float64 `json:"expected_error,omitempty"`
	Stages  []Cost  `json:"stages"`
	Memory  int64   `json:"memory"` // peak over all stages, bytes
	Flops   float64 `json:"flops"`
	Seconds float64 `json:"seconds"`
	// Passes is how often all rows are read; 0: not known, or not counted by the method itself.
	Passes int `json:"passes,omitempty"`
	// Sent is what each of them sends where others make it.
	Sent Sent `json:"sent,omitzero"`
	// Elsewhere says what they cost there; nil: they are made here.
	Elsewhere *Elsewhere `json:"elsewhere,omitempty"`
	// Rough says why the time is no more than an order of magnitude; "": it is not.
	Rough        string   `json:"rough,omitempty"`
	Notes        []string `json:"notes,omitempty"`
	Machine      Machine  `json:"machine"`
	Alternatives []Plan   `json:"alternatives,omitempty"`
}

// garbageShare of the peak is added for what the collector has not found yet: measured
// was 0.3 % for a matrix of 3.2 GiB whose process is held to its plan.
const garbageShare = 100

// NewPlan adds up stages that run one after the other on top of what the process
// holds already (m.Resident), and notes when the peak exceeds the machine.
func NewPlan(solver string, m Machine, stages ...Cost) Plan {
	held := m.Resident
	p := Plan{Solver: solver, Stages: append([]Cost(nil), stages...), Memory: held, Machine: m}
	for i := range p.Stages {
		s := &p.Stages[i]
		s.Peak = held + s.Memory
		held += s.Keeps
		p.Memory = max(p.Memory, s.Peak)
		p.Flops += s.Flops
		p.Seconds += s.Seconds
	}
	p.Memory += p.Memory / garbageShare
	if m.PairRate <= 0 {
		p.Notes = append(p.Notes, "the speed of the kernel is unknown: the time does not count its evaluations")
	}
	if m.Memory > 0 && p.Memory > m.Memory {
		p.Notes = append(p.Notes, fmt.Sprintf("the peak of %s exceeds the physical memory of this machine, %s: it would swap or be killed",
			FormatBytes(p.Memory), FormatBytes(m.Memory)))
	}
	return p
}

// Working returns what the stages hold at their peak, without what the process holds anyway.
func (p Plan) Working() int64 { return max(0, p.Memory-p.Machine.Resident) }

// AsRough returns the plan as one whose time is an order of magnitude, because of why.
func (p Plan) AsRough(why string) Plan {
	p.Rough = why
	return p
}

// Before returns the plan with stages before its own.
func (p Plan) Before(stages ...Cost) Plan { return p.WithStages(slices.Concat(stages, p.Stages)) }

// After returns the plan with stages after its own.
func (p Plan) After(stages ...Cost) Plan { return p.WithStages(slices.Concat(p.Stages, stages)) }

// WithStages returns the plan with other stages, with the notes of both.
func (p Plan) WithStages(stages []Cost) Plan {
	out := NewPlan(p.Solver, p.Machine, stages...)
	for _, note := range out.Notes {
		if !slices.Contains(p.Notes, note) {
			p.Notes = append(slices.Clip(p.Notes), note)
		}
	}
	out.Notes, out.Hint, out.Error, out.Alternatives, out.Rough, out.Passes = p.Notes, p.Hint, p.Error, p.Alternatives, p.Rough, p.Passes
	out.Sent, out.Elsewhere = p.Sent, p.Elsewhere
	return out
}

// String renders the plan as a table for people, one line per stage, followed by the
// notes and the alternatives.
func (p Plan) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "solver %s: peak memory %s, time about %s on %d workers\n", p.Solver, FormatBytes(p.Memory), FormatSeconds(p.Seconds), p.Machine.Workers)
	rows := [][]string{{"stage", "peak memory", "flops", "time"}}
	for _, s := range p.Stages {
		rows = append(rows, []string{s.Stage, FormatBytes(s.Peak), formatFlops(s.Flops), FormatSeconds(s.Seconds)})
	}
	writeTable(&out, rows)
	if p.Elsewhere != nil {
		fmt.Fprintf(&out, "%s\n", p.Elsewhere)
	}
	if p.Rough != "" {
		fmt.Fprintf(&out, "the time is an order of magnitude: %s\n", p.Rough)
	}
	for _, note := range p.Notes {
		fmt.Fprintf(&out, "note: %s\n", note)
	}
	if len(p.Alternatives) > 0 {
		out.WriteString("alternatives:\n")
		writeTable(&out, alternativeRows(p.Alternatives))
	}
	return out.String()
}

// alternativeRows lists what to ask for, and what it costs.
func alternativeRows(plans []Plan) [][]string {
	var rows [][]string
	for _, a := range plans {
		ask := a.Hint
		if ask == "" {
			ask = a.Solver
		}
		row := []string{ask, FormatBytes(a.Memory), FormatSeconds(a.Seconds)}
		if a.Error > 0 {
			row = append(row, fmt.Sprintf("error of the kernel about %.1g", a.Error))
		}
		rows = append(rows, row)
	}
	return rows
}

// formatFlops prints an operation count: "2.9e+12", "-" for none.
func formatFlops(f float64) string {
	if f == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1e", f)
}

// writeTable aligns columns: the first to the left, numbers to the right.
func writeTable(out *strings.Builder, rows [][]string) {
	var width []int
	for _, row := range rows {
		for c, cell := range row {
			if c == len(width) {
				width = append(width, 0)
			}
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		for c, cell := range row {
			pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(cell))
			if c == 0 {
				out.WriteString("  " + cell + pad)
			} else {
				out.WriteString("  " + pad + cell)
			}
		}
		out.WriteString("\n")
	}
}
