package gram

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// physicalMemory returns the bytes of memory of the machine, 0 where unknown.
func physicalMemory() int64 { return procField("/proc/meminfo", "MemTotal:") }

// residentMemory returns the bytes of memory this process holds, 0 where unknown.
func residentMemory() int64 { return procField("/proc/self/status", "VmRSS:") }

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
			kib, _ := strconv.ParseInt(fields[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}
