package compute

import "testing"

// What is held is at most 2 GiB, and half of a limit.
func TestHolds(t *testing.T) {
	for _, c := range []struct {
		bytes, limit int64
		want         bool
	}{
		{2 << 30, 0, true}, {2<<30 + 1, 0, false}, {2 << 30, 4 << 30, true}, {2<<30 + 1, 8 << 30, false}, {50, 100, true}, {51, 100, false},
	} {
		if got := FitsInMemory(c.bytes, c.limit); got != c.want {
			t.Errorf("%d bytes within %d: %v", c.bytes, c.limit, got)
		}
	}
}
