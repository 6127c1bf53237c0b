package store

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"example.org/mercer/kernel"
)

// DefaultMaxBytes bounds a folder where [Options] do not: 10 GiB.
const DefaultMaxBytes = 10 << 30

// Options say where tiles are kept.
type Options struct {
	// Dir is the folder, which is made if it does not exist. It should hold nothing else.
	Dir string
	// MaxBytes bounds the size of the folder; 0 means [DefaultMaxBytes]. Each process
	// that writes may exceed it by one pack, 16 MiB.
	MaxBytes int64
}

// Store is a folder of tiles. It is safe for concurrent use, also by other processes
// at the same time. It is a [kernel.TileCache], for the options of example.org/mercer/gram.
type Store struct {
	o         Options
	packBytes int // of tiles, where a pack is full

	mu      sync.Mutex // of all that follows
	index   map[key]*entry
	packs   map[string]*pack // by name, those that were read
	active  *pack            // being filled; nil: none
	since   time.Time        // when it got its first tile
	looked  time.Time        // when the folder was read
	notes   []string
	refuses atomic.Bool // keeps nothing more
	closed  atomic.Bool

	count counters
}

var _ kernel.TileCache = (*Store)(nil)

// Open opens a folder, reads the indices of its packs, and sweeps what killed processes
// have left. It is an error if the folder cannot be made or read; one that cannot be
// written is found out when there is something to write.
func Open(o Options) (*Store, error) {
	if o.Dir == "" {
		return nil, errors.New("store: no folder is named")
	}
	if o.MaxBytes < 0 {
		return nil, fmt.Errorf("store: a folder of at most %d bytes: give a positive number, or 0 for %d", o.MaxBytes, int64(DefaultMaxBytes))
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("store: %w; name a folder that can be made", err)
	}
	s := &Store{o: o, packBytes: packBytes, index: map[key]*entry{}, packs: map[string]*pack{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.look(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s.sweep()
	return s, nil
}

// Close writes the tiles that are not yet on disk and gives the mapped memory back.
// Pairs that the store keeps stay valid and compute all their tiles from now on. The
// error is that of the first writing that failed, whenever it was: results do not
// depend on it.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	err := s.Flush()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.packs {
		err = errors.Join(err, p.release())
	}
	_, _ = s.list() // for the size
	return err
}

// Flush writes the tiles that are not yet on disk, for other processes to find.
func (s *Store) Flush() error {
	s.mu.Lock()
	full := s.active
	s.active = nil
	s.mu.Unlock()
	if full == nil {
		return nil
	}
	return s.seal(full)
}

// find returns where a tile is kept, or nil. A tile that is missing may have been
// written by another process since the folder was read.
func (s *Store) find(k key) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.index[k]; e != nil {
		return e
	}
	const pause = time.Second // between two readings of the folder
	if time.Since(s.looked) < pause || s.closed.Load() {
		return nil
	}
	_ = s.look() // that it cannot be read is no reason to stop
	return s.index[k]
}

// put keeps a tile and returns where.
func (s *Store) put(k key, shape shape, content []byte) *entry {
	const patience = 30 * time.Second // how long a tile may wait to be written
	s.mu.Lock()
	if s.active == nil {
		s.active, s.since = newPack(s.packBytes), time.Now()
	}
	e := s.active.add(k, shape, content)
	s.index[k] = e
	var full *pack
	if len(s.active.content) >= s.packBytes || time.Since(s.since) > patience {
		full, s.active = s.active, nil
	}
	s.mu.Unlock()
	if full != nil {
		_ = s.seal(full) // noted, and reported by Close
	}
	return e
}

// distrust forgets the pack of a tile that is not what it should be, and removes it: a
// disk that has lost one bit is not trusted with the others, and tiles of another
// arithmetic come in packs. Tiles that have been verified stay in use.
func (s *Store) distrust(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, other := range s.index {
		if other.pack == e.pack && !other.verified.Load() {
			delete(s.index, k)
		}
	}
	delete(s.packs, e.pack.name)
	_ = os.Remove(s.path(e.pack.name))
}

// forget drops a tile whose pack cannot be read any more.
func (s *Store) forget(k key, e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index[k] == e {
		delete(s.index, k)
	}
}

// stop keeps nothing more, and remembers why.
func (s *Store) stop(note string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.refuses.Swap(true) {
		s.notes = append(s.notes, note)
	}
}
