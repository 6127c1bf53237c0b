//go:build !linux

package gram

// physicalMemory returns 0: not known on this system.
func physicalMemory() int64 { return 0 }

// residentMemory returns 0: not known on this system.
func residentMemory() int64 { return 0 }
