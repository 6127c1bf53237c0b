package compute

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// readingShare is the part of the free memory that reading may take: what is read is used
	// afterwards.
	readingShare = 0.5
	// collectorShare, in sixteenths, is the part that it may take with its garbage.
	collectorShare = 11
	// leastReading and a leastFraction of a limit are free even where the process seems to have
	// taken all: part of what it holds can be had back.
	leastReading  = 4 << 20
	leastFraction = 8
)

// CollectorLimit returns how many bytes Go's own memory may have while files are read, before the
// collector hurries, where the process has no limit of its own: what is read leaves garbage behind,
// up to as much again. It is a share of what is free, and what the process has. 0 means unknown.
func CollectorLimit() int64 {
	free := freeMemory()
	if free == 0 {
		return 0
	}
	return collectorShare*free/16 + ResidentMemory()
}

// ReadingBudget returns how many bytes what is read from files may take: half of what is
// free of a limit in bytes (0: none), of the machine's or the container's memory, and of Go's own
// limit (GOMEMLIMIT). 0 means unknown: any.
func ReadingBudget(limit int64) int64 {
	free := freeMemory()
	consider := func(left int64) {
		if free == 0 || left < free {
			free = max(left, leastReading)
		}
	}
	if limit > 0 {
		consider(max(limit-ResidentMemory(), limit/leastFraction))
	}
	if own := debug.SetMemoryLimit(-1); own < math.MaxInt64 {
		used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(used)
		held := int64(used[0].Value.Uint64()) - int64(used[1].Value.Uint64())
		consider(max(own-held, own/leastFraction))
	}
	return int64(readingShare * float64(free))
}
