package compute

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// physicalMemory returns the bytes of memory that this process can have: those of the
// machine or, if it is less, those of its container (control group, version 2).
// 0 means unknown.
func physicalMemory() int64 {
	machine := procField("/proc/meminfo", "MemTotal:")
	if limit := cgroupBytes("memory.max"); limit > 0 && (machine == 0 || limit < machine) {
		return limit
	}
	return machine
}

// freeMemory returns the bytes that this process could take without others losing theirs, in the
// machine or in its container. 0 means unknown.
func freeMemory() int64 {
	free := procField("/proc/meminfo", "MemAvailable:")
	if left := limitedMemory(); left > 0 && (free == 0 || left < free) {
		free = left
	}
	limit, used := cgroupBytes("memory.max"), cgroupBytes("memory.current")
	if left := limit - used; limit > 0 && (free == 0 || left < free) {
		return max(left, 1)
	}
	return free
}

// limitedMemory returns what the limits of the process leave it (ulimit -d and -v), but for a
// quarter: they count address space, of which Go's heap takes more than it fills, and to go beyond
// them is no error that could be told. 0: there are none.
func limitedMemory() (free int64) {
	for what, held := range map[int]string{syscall.RLIMIT_DATA: "VmData:", syscall.RLIMIT_AS: "VmSize:"} {
		var limit syscall.Rlimit
		if syscall.Getrlimit(what, &limit) != nil || limit.Cur > math.MaxInt64 {
			continue
		}
		if left := max(1, (int64(limit.Cur)-procField("/proc/self/status", held))*3/4); free == 0 || left < free {
			free = left
		}
	}
	return free
}

// cgroupBytes returns a number of the control group, 0 where there is none.
func cgroupBytes(name string) int64 {
	text, err := os.ReadFile("/sys/fs/cgroup/" + name)
	if err != nil {
		return 0
	}
	// The file says "max" where there is no limit.
	bytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return bytes
}

// ResidentMemory returns the bytes of memory this process holds, 0 where unknown.
func ResidentMemory() int64 { return procField("/proc/self/status", "VmRSS:") }

// PeakMemory returns the most bytes of memory this process has held, 0 where unknown.
func PeakMemory() int64 { return procField("/proc/self/status", "VmHWM:") }

// procField returns the value of a line such as "VmRSS:   1234 kB" in bytes, or 0.
func procField(path, name string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == name && fields[2] == "kB" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
