package verb

import (
	"os"
	"runtime/debug"
	"runtime/metrics"

	"example.org/mercer/compute"
)

const (
	// pagesToCome is what of the program comes into memory while it computes, and stays.
	pagesToCome = 4 << 20
	// leastOwn is what the runtime has in any case: with less it would collect all the time.
	leastOwn = 12 << 20
	// A plan may have a quarter of it as garbage beside it, mostGarbage at most: what is taken
	// stays within 1.3 of what is planned, and the collector has room for its work.
	garbageShare, mostGarbage = 4, 16 << 20
)

// Hold makes the collector keep the process to a plan: with one matrix of 8n² bytes alive it would
// otherwise let as much garbage pile up before it looks. The limit is soft, and release lifts it.
// It leaves room for garbage beside what is planned: without any the collector would run all the
// time.
func Hold(planned int64) (release func()) {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, planned-beside()+garbage(planned)))
	return func() { debug.SetMemoryLimit(before) }
}

// garbage returns what may wait for the collector beside a plan.
func garbage(planned int64) int64 { return min(planned/garbageShare, mostGarbage) }

// HoldReading makes the collector hurry where a table that is being read, and what reading leaves
// behind, come near to what the machine, the container or a limit of the process leave free.
func (inv *Invocation) HoldReading() (release func()) {
	own, limit := debug.SetMemoryLimit(-1), compute.CollectorLimit()
	if limit == 0 || own < limit {
		return func() {}
	}
	debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(own) }
}

// HoldLimit makes the collector keep the whole command, its reading and writing, to --max-mem.
func (inv *Invocation) HoldLimit() {
	if limit := inv.Limit(); limit > 0 {
		own := limit - beside() - 2*pagesToCome // of a program that has just begun
		debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), max(leastOwn, own)))
	}
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
