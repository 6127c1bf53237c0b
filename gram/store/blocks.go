package store

import (
	"crypto/sha256"
	"runtime"
	"sync"
	"sync/atomic"
)

// side is that of a tile, as example.org/mercer/gram asks for them.
const side = 128

// blocks are the runs of side points of one set, with their digests.
type blocks struct {
	n      int
	digest [][sha256.Size]byte
}

func newBlocks(n int, digest func(from, to int) [sha256.Size]byte) blocks {
	b := blocks{n: n, digest: make([][sha256.Size]byte, (n+side-1)/side)}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(b.digest), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(b.digest); i = int(next.Add(1)) - 1 {
				b.digest[i] = digest(i*side, min((i+1)*side, n))
			}
		})
	}
	wg.Wait()
	return b
}

// length returns the number of points in block i.
func (b blocks) length(i int) int { return min((i+1)*side, b.n) - i*side }
