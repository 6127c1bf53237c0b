package cli

import (
	"bufio"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
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

// forgetPeak starts the peak of this process's memory afresh, so that what planning
// itself took for a moment does not count. Linux alone can; elsewhere nothing happens.
func forgetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peakMemory returns the peak resident memory of this process in bytes, or 0 where the
// system does not say (it is read from /proc, so Linux says).
func peakMemory() int64 {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
