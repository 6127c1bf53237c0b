package task_test

import (
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/task"
)

// TestCandidatesAreLimitedWhereColumnsAreHeld: four candidates for each landmark, and never more
// than there are rows; a number that was asked for stays, and schemes without columns see all rows.
func TestCandidatesAreLimitedWhereColumnsAreHeld(t *testing.T) {
	for _, c := range []struct {
		at   nystrom.Options
		n    int
		want int
	}{
		{nystrom.Options{Rank: 10}, 1000, 40},
		{nystrom.Options{Rank: 10, Scheme: nystrom.Greedy}, 1000, 40},
		{nystrom.Options{Rank: 10}, 25, 25},
		{nystrom.Options{Rank: 10, Among: 200}, 1000, 200},
		{nystrom.Options{Rank: 10, Scheme: nystrom.Uniform}, 1000, 0},
		{nystrom.Options{Tolerance: 1e-3}, 1000, 0},
	} {
		if got := task.LimitCandidates(c.at, c.n).Among; got != c.want {
			t.Errorf("%+v of %d rows: %d candidates instead of %d", c.at, c.n, got, c.want)
		}
	}
}
