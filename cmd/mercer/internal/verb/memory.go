package verb

import (
	"os"
	"runtime/debug"
	"runtime/metrics"

	"example.org/mercer/compute"
	"example.org/mercer/task"
)

// leeway is what a process may hold beyond its plan before the collector hurries.
const leeway = 8 << 20

// holdTo makes the collector keep the process to its plan: with one matrix of 8n²
// bytes alive it would otherwise let as much garbage pile up before it looks. The
// limit is soft, and release lifts it.
func holdTo(planned int64) (release func()) {
	before := debug.SetMemoryLimit(planned + leeway)
	return func() { debug.SetMemoryLimit(before) }
}

// HoldPasses is holdTo for rows that are read in passes. They make garbage all the time, so that
// the limit, which is one of Go's own memory, leaves room for what else the process holds, such as
// its program: what is planned counts that, too.
func HoldPasses(planned int64) (release func()) { return holdTo(planned - 2*leeway - beside()) }

// HoldReading makes the collector hurry where a table that is being read, and what reading leaves
// behind, come near to --max-mem, or to what the machine, the container or a limit of the process
// leave free.
func (inv *Invocation) HoldReading() (release func()) {
	if limit := inv.Limit(); limit > 0 {
		return holdTo(max(leeway, limit-2*leeway-beside()))
	}
	limit := compute.CollectorLimit()
	if own := debug.SetMemoryLimit(-1); limit == 0 || own < limit {
		return func() {}
	}
	return holdTo(limit)
}

// beside returns what the process holds beside Go's own memory, such as its program.
func beside() int64 {
	own := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(own)
	return max(0, compute.ResidentMemory()-int64(own[0].Value.Uint64()-own[1].Value.Uint64()))
}

// ForgetPeak starts the peak of this process's memory afresh, so that what planning
// itself took for a moment does not count. Linux alone can; elsewhere nothing happens.
func ForgetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// PeakMemory returns the peak resident memory of this process in bytes, or 0 where the
// system does not say.
func PeakMemory() int64 { return compute.PeakMemory() }

// Hold makes the collector keep the process to a plan.
func Hold(p *task.Task, plan compute.Plan) (release func()) {
	if p.Streamed() {
		return HoldPasses(plan.Memory)
	}
	return holdTo(plan.Memory)
}
