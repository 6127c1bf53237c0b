//go:build !linux

package compute

// physicalMemory returns 0: not known on this system.
func physicalMemory() int64 { return 0 }

// freeMemory returns 0: not known on this system.
func freeMemory() int64 { return 0 }

// ResidentMemory returns 0: not known on this system.
func ResidentMemory() int64 { return 0 }

// PeakMemory returns 0: not known on this system.
func PeakMemory() int64 { return 0 }
