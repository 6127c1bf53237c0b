package simd

import (
	"os"
	"sync"
)

// Float is a number of either width: most routines exist for both.
type Float interface{ float32 | float64 }

// Level is a set of instructions; each contains those below it.
type Level int

const (
	Portable Level = iota // Go
	AVX2                  // vectors of 256 bits with fused multiply-add
	AVX512                // vectors of 512 bits: F, BW, DQ and VL
)

// String returns the name that MERCER_SIMD knows.
func (l Level) String() string { return [...]string{"off", "avx2", "avx512"}[l] }

// Best returns the highest level that the machine supports and MERCER_SIMD allows.
var Best = sync.OnceValue(func() Level {
	return allowed(detect(), os.Getenv("MERCER_SIMD"))
})

// allowed lowers a level to the one that a setting names.
func allowed(l Level, setting string) Level {
	for named := Portable; named < l; named++ {
		if setting == named.String() {
			return named
		}
	}
	return l
}

// Supported returns all levels of the machine, the lowest first, whatever MERCER_SIMD
// says: tests run each.
func Supported() []Level {
	levels := []Level{}
	for l := Portable; l <= detect(); l++ {
		levels = append(levels, l)
	}
	return levels
}
