//go:build unix

package compute

import (
	"syscall"
	"time"
)

// processorTime returns what the threads of this process have computed, in all.
func processorTime() (time.Duration, bool) {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0, false
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano()), true
}
