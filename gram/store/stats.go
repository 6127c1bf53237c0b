package store

import "sync/atomic"

// Stats tell what a store has been good for since it was opened. Tiles have up to
// 128×128 elements.
type Stats struct {
	Hits    int64 `json:"hits"`    // tiles that were read
	Misses  int64 `json:"misses"`  // tiles that were computed and kept
	Damaged int64 `json:"damaged"` // tiles, or indices of packs, that did not agree with their checksum
	Stale   int64 `json:"stale"`   // tiles that did not agree with what is computed now
	Read    int64 `json:"read"`    // bytes of the tiles that were read
	Written int64 `json:"written"` // bytes of packs
	Evicted int64 `json:"evicted"` // bytes of packs that were removed for want of space
	Size    int64 `json:"size"`    // bytes of the folder when it was last read
	// Notes say what went wrong without harm to the results: why nothing more is kept.
	Notes []string `json:"notes,omitempty"`
}

type counters struct {
	hits, misses, damaged, stale, read, written, evicted, size atomic.Int64
}

// Stats returns what the store has done so far.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.count
	return Stats{Hits: c.hits.Load(), Misses: c.misses.Load(), Damaged: c.damaged.Load(), Stale: c.stale.Load(),
		Read: c.read.Load(), Written: c.written.Load(), Evicted: c.evicted.Load(), Size: c.size.Load(), Notes: append([]string(nil), s.notes...)}
}
