package verb

import (
	"bufio"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"

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
func HoldPasses(planned int64) (release func()) {
	own := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(own)
	beside := memoryField("VmRSS:") - int64(own[0].Value.Uint64()-own[1].Value.Uint64())
	return holdTo(planned - 2*leeway - max(0, beside))
}

// ForgetPeak starts the peak of this process's memory afresh, so that what planning
// itself took for a moment does not count. Linux alone can; elsewhere nothing happens.
func ForgetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// PeakMemory returns the peak resident memory of this process in bytes, or 0 where the
// system does not say (it is read from /proc, so Linux says).
func PeakMemory() int64 { return memoryField("VmHWM:") }

// memoryField reads a line of the status of this process, in bytes.
func memoryField(name string) int64 {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), name); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}

// Hold makes the collector keep the process to a plan.
func Hold(p *task.Task, plan compute.Plan) (release func()) {
	if p.Streamed() {
		return HoldPasses(plan.Memory)
	}
	return holdTo(plan.Memory)
}
