package falkon

import "testing"

// TestProgressFollowsThePlan: half of it is half of the work, what takes longer comes closer to the
// end and does not reach it, and nothing goes back.
func TestProgressFollowsThePlan(t *testing.T) {
	if got := share(16, plannedPasses(true, 0)); got != toldParts/2 {
		t.Errorf("16 of 32 passes are %d of %d parts", got, toldParts)
	}
	if got := plannedPasses(false, 20); got != 20 {
		t.Errorf("%d passes are planned where 20 are allowed", got)
	}
	last := int64(-1)
	for done := range int64(1000) {
		got := share(done, assumedPasses)
		if got < last || got >= toldParts {
			t.Fatalf("after %d passes %d parts are done, and %d before", done, got, last)
		}
		last = got
	}
}
