package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.org/mercer/internal/atomicfile"
)

const (
	extension = ".tiles"
	// abandoned is the age at which a temporary file belongs to nobody: writing one
	// takes a fraction of a second.
	abandoned = time.Hour
)

func (s *Store) path(name string) string { return filepath.Join(s.o.Dir, name) }

// look reads the folder: the indices of packs that are new, and which have vanished.
// The caller holds the mutex.
func (s *Store) look() error {
	s.looked = time.Now()
	files, err := s.list()
	if err != nil {
		return err
	}
	for _, f := range files {
		if s.packs[f.name] != nil {
			continue
		}
		p, err := readPack(s.path(f.name), f.name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // evicted since it was listed
		case err != nil:
			s.count.damaged.Add(1)
			_ = os.Remove(s.path(f.name))
		default:
			s.packs[f.name] = p
			for k, e := range p.entries {
				if s.index[k] == nil {
					s.index[k] = e
				}
			}
		}
	}
	return nil
}

// file is a pack as the folder lists it.
type file struct {
	name string
	size int64
	used time.Time // last, by any process
}

// list returns the packs in the folder, the least recently used first.
func (s *Store) list() ([]file, error) {
	entries, err := os.ReadDir(s.o.Dir)
	if err != nil {
		return nil, err
	}
	var files []file
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), extension) {
			continue // gone already, or not ours
		}
		files = append(files, file{e.Name(), info.Size(), info.ModTime()})
		total += info.Size()
	}
	s.count.size.Store(total)
	slices.SortFunc(files, func(a, b file) int { return a.used.Compare(b.used) })
	return files, nil
}

// sweep removes temporary files of processes that were killed while they wrote.
func (s *Store) sweep() {
	left, err := filepath.Glob(s.path(".*" + extension + ".tmp-*"))
	if err != nil {
		return
	}
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(path)
		}
	}
}

// touch notes that a pack is in use, for the processes that look for one to remove.
func (s *Store) touch(p *pack) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !p.used {
		p.used = true
		now := time.Now()
		_ = os.Chtimes(s.path(p.name), now, now)
	}
}

// seal writes a full pack, after making space for it. Its tiles stay in memory where
// that fails, and nothing more is kept then.
func (s *Store) seal(p *pack) error {
	size := int64(len(p.content) + len(p.entries)*entryBytes + footerBytes)
	room, err := s.makeRoom(size)
	switch {
	case err != nil:
	case !room:
		s.stop(fmt.Sprintf("the tiles of this run fill the %d bytes that the store may take: further tiles are computed and not kept", s.o.MaxBytes))
		return nil
	default:
		err = atomicfile.Write(context.Background(), s.path(p.name), p.writeTo)
	}
	if err != nil {
		s.stop(fmt.Sprintf("tiles cannot be written, and are computed and not kept from now on: %v", err))
		return fmt.Errorf("store: %w", err)
	}
	s.count.written.Add(size)
	s.mu.Lock()
	s.packs[p.name] = p
	s.mu.Unlock()
	p.reopen(s.path(p.name))
	return nil
}

// makeRoom removes the least recently used packs until there is space for size bytes, or
// reports that what this process uses itself leaves none. Processes that do so at the
// same time choose the same packs, so that no lock is needed for none too many to go.
func (s *Store) makeRoom(size int64) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	files, err := s.list()
	if err != nil {
		return false, err
	}
	total, mine := size+s.count.size.Load(), size
	for _, f := range files {
		if p := s.packs[f.name]; p != nil && p.used {
			mine += f.size
		}
	}
	if mine > s.o.MaxBytes {
		return false, nil
	}
	for _, f := range files {
		if total <= s.o.MaxBytes {
			break
		}
		p := s.packs[f.name]
		if p != nil && p.used {
			continue
		}
		if err := os.Remove(s.path(f.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue // another system lets nobody remove what is in use
		}
		total -= f.size
		s.count.evicted.Add(f.size)
		s.drop(p)
	}
	return true, nil
}

// drop forgets the tiles of a pack that was removed; nil is none. The caller holds the
// mutex.
func (s *Store) drop(p *pack) {
	if p == nil {
		return
	}
	delete(s.packs, p.name)
	for k, e := range p.entries {
		if s.index[k] == e {
			delete(s.index, k)
		}
	}
}
