package store

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// TestDamage: whatever happens to a pack, results keep their bits, the damage is
// counted, the pack is replaced, and the next run finds everything in order.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	damages := map[string]func(b []byte) []byte{
		"a bit of a tile":        func(b []byte) []byte { b[64+r.IntN(1000)] ^= 1 << r.IntN(8); return b },
		"a bit of the index":     func(b []byte) []byte { b[len(b)-footerBytes-1-r.IntN(entryBytes)] ^= 1; return b },
		"a bit of the footer":    func(b []byte) []byte { b[len(b)-1-r.IntN(8)] ^= 1; return b },
		"cut in the middle":      func(b []byte) []byte { return b[:len(b)/2] },
		"the last byte":          func(b []byte) []byte { return b[:len(b)-1] },
		"empty":                  func(b []byte) []byte { return nil },
		"zeros":                  func(b []byte) []byte { return make([]byte, len(b)) },
		"something else":         func(b []byte) []byte { return []byte(strings.Repeat("not a pack of tiles, ", 10)) },
		"a huge number of tiles": func(b []byte) []byte { b[len(b)-footerBytes+11] = 255; return b },
	}
	for name, damage := range damages {
		dir, want := filled(t)
		pack := packFiles(t, dir)[0]
		write(t, pack, damage(read(t, pack)))
		s := open(t, Options{Dir: dir})
		same(t, name, dense(t, rbf(20, points(300)), s, 2), want)
		if got := s.Stats(); got.Damaged == 0 || got.Misses == 0 {
			t.Errorf("%s: %+v tells of no damage", name, got)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(pack); !os.IsNotExist(err) {
			t.Errorf("%s: the damaged pack is still there (%v)", name, err)
		}
		s = open(t, Options{Dir: dir})
		same(t, name+", again", dense(t, rbf(20, points(300)), s, 2), want)
		if got := s.Stats(); got.Damaged != 0 {
			t.Errorf("%s: %+v tells of damage in the next run", name, got)
		}
	}
}

// TestDamageAnywhere: no single bit of a pack can change a result.
func TestDamageAnywhere(t *testing.T) {
	dir, want := filled(t)
	pack := packFiles(t, dir)[0]
	whole, r := read(t, pack), rand.New(rand.NewPCG(1, 2))
	for range 15 {
		for _, f := range packFiles(t, dir) {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
		b := append([]byte(nil), whole...)
		at, bit := r.IntN(len(b)), r.IntN(8)
		b[at] ^= 1 << bit
		write(t, pack, b)
		s := open(t, Options{Dir: dir})
		same(t, "a flipped bit", dense(t, rbf(20, points(300)), s, 2), want)
		s.Close()
	}
}

// TestWithoutMapping: where a file cannot be mapped it is read, with the same outcome.
func TestWithoutMapping(t *testing.T) {
	dir, want := filled(t)
	for _, cut := range []bool{false, true} {
		s := open(t, Options{Dir: dir})
		for name, p := range s.packs {
			file, err := os.Open(s.path(name))
			if err != nil {
				t.Fatal(err)
			}
			p.file = file
		}
		if cut {
			if err := os.Truncate(packFiles(t, dir)[0], 100000); err != nil {
				t.Fatal(err)
			}
		}
		same(t, "read", dense(t, rbf(20, points(300)), s, 2), want)
		if got := s.Stats(); (got.Hits == 6) == cut {
			t.Errorf("%+v, with the file cut: %v", got, cut)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCutWhileMapped: a file that becomes shorter while it is in use is a fault of the
// memory, which is caught.
func TestCutWhileMapped(t *testing.T) {
	dir, want := filled(t)
	s := open(t, Options{Dir: dir})
	p := kernel.Cached(rbf(20, points(300)), s)
	same(t, "whole", dense(t, p, nil, 2), want)
	if err := os.Truncate(packFiles(t, dir)[0], 100); err != nil {
		t.Fatal(err)
	}
	same(t, "cut", dense(t, p, nil, 2), want)
	same(t, "bound again", dense(t, rbf(20, points(300)), s, 2), want)
}

// TestStaleTiles: tiles of another arithmetic, or of a kernel that has changed behind
// its text, are found out by the elements that are computed again.
func TestStaleTiles(t *testing.T) {
	dir, xs := t.TempDir(), words(200)
	bind := func(k kernel.Kernel[string]) kernel.Pairs {
		return kernel.Bind(k, data.Set[string](xs), data.Set[string](xs))
	}
	s := open(t, Options{Dir: dir})
	dense(t, bind(overlap{"overlap"}), s, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, Options{Dir: dir})
	changed := bind(liar{overlap{"a longer name"}})
	same(t, "changed", dense(t, changed, s, 2), dense(t, changed, nil, 2))
	if got := s.Stats(); got.Stale == 0 || got.Hits != 0 || got.Misses != 3 {
		t.Errorf("%+v: the tiles of the former kernel were taken", got)
	}
}

// liar has the text of another kernel.
type liar struct{ overlap }

func (liar) String() string { return "overlap" }

// TestFailures: a folder that cannot be written ends the keeping and nothing else.
func TestFailures(t *testing.T) {
	dir := t.TempDir() + "/tiles"
	s := open(t, Options{Dir: dir})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	xs := points(300)
	p := kernel.Cached(rbf(20, xs), s)
	want := dense(t, rbf(20, xs), nil, 2)
	same(t, "before writing", dense(t, p, nil, 2), want)
	if err := s.Flush(); err == nil {
		t.Error("tiles were written to a folder that is gone")
	}
	same(t, "after writing", dense(t, p, nil, 2), want) // from memory
	same(t, "other points", dense(t, rbf(20, points(301)), s, 2), dense(t, rbf(20, points(301)), nil, 2))
	if got := s.Stats(); len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "cannot be written") || got.Misses != 6 {
		t.Errorf("%+v: want one note, and nothing kept after it", got)
	}
}
