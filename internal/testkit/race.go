package testkit

import "testing"

// SkipUnderRace skips a test of memory or allocations, which the race detector changes
// beyond recognition.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector holds several times the memory of the program, and empties pools at random")
	}
}
