package learner_test

import "testing"

// withoutTiles are the methods that keep no tiles of the Gram matrix in a store, as
// docs/guide/cache.md says: they read single rows of the matrix, or have no kernel.
var withoutTiles = map[string]bool{"svc": true, "svr": true, "one-class": true, "falkon": true, "pca": true, "kmeans": true, "gmm": true}

// TestTilesAreKept fits every method a second time: what the first left is found, and nothing is
// computed again.
func TestTilesAreKept(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range cases() {
		name := c.Method.Name()
		if seen[name] || name == "rfm" { // which wants gradients, and the costly kernel is a formula
			continue
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			found, computed := c.Tiles(t)
			if kept := found > 0; kept == withoutTiles[name] {
				t.Errorf("%d tiles are found in the store, and %d computed; docs/guide/cache.md says that it keeps some: %v", found, computed, !withoutTiles[name])
			}
		})
	}
}
