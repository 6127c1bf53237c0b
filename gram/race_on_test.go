//go:build race

package gram

// raceDetector says that the race detector multiplies all memory.
const raceDetector = true
