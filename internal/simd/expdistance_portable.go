//go:build !amd64 || purego || noasm

package simd

func hasExpDistances(Level) bool { return false }

func expDistancesAt(Level, []float64, int, []float64, []float64, []float64, []float64, int, int, float64) bool {
	panic("simd: distances: no assembly in this build")
}
