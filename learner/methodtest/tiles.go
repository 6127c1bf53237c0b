package methodtest

import (
	"testing"

	"example.org/mercer/gram/store"
)

// costly is a kernel whose values cost more to compute than to read.
const costly = `formula("exp(-abs(x[0] - y[0]) - abs(x[1] - y[1]))")`

// Tiles fits twice with a store of tiles, and returns how many of them the second fit found there
// and how many it had to compute.
func (c Case) Tiles(t *testing.T) (found, computed int64) {
	t.Helper()
	if c.Kernel != "linear" {
		c.Kernel = costly
	}
	dir := t.TempDir()
	for range 2 {
		s, err := store.Open(store.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		o := c.Method.ComputeOptions()
		o.Store = s
		c.Method = c.Method.WithCompute(o)
		mustFit(t, c.task(t, Table(130), ""), c.Method, 1)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		stats := s.Stats()
		found, computed = stats.Hits, stats.Misses
	}
	return found, computed
}
