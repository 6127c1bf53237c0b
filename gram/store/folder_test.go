package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// size returns the bytes of the packs in a folder.
func size(t *testing.T, dir string) (total int64) {
	t.Helper()
	for _, f := range packFiles(t, dir) {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	return total
}

// matrixOf keeps a matrix of n points and returns the stats of the run.
func matrixOf(t *testing.T, dir string, n int, limit int64) Stats {
	t.Helper()
	s := open(t, Options{Dir: dir, MaxBytes: limit})
	dense(t, rbf(20, points(n)), s, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.Stats()
}

// TestEviction: the pack that was used least recently goes, the others stay.
func TestEviction(t *testing.T) {
	dir := t.TempDir()
	// These share no tile: the centre of the distances is that of 64, 128, 256 points.
	matrixOf(t, dir, 100, 0)
	oldest := packFiles(t, dir)[0]
	matrixOf(t, dir, 130, 0)
	for i, f := range packFiles(t, dir) {
		past := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if f == oldest {
			past = time.Now().Add(-100 * time.Hour)
		}
		if err := os.Chtimes(f, past, past); err != nil {
			t.Fatal(err)
		}
	}
	before := size(t, dir)
	if got := matrixOf(t, dir, 100, 0); got.Hits != 1 { // now it is the youngest
		t.Fatalf("%+v: want one tile from the store", got)
	}
	third := matrixOf(t, t.TempDir(), 260, 0).Written
	got := matrixOf(t, dir, 260, before+third-1) // one byte too few for three
	if got.Evicted == 0 || len(got.Notes) > 0 {
		t.Fatalf("%+v: no pack was removed", got)
	}
	if _, err := os.Stat(oldest); err != nil {
		t.Errorf("the pack that was used last is gone: %v", err)
	}
	if now := size(t, dir); now != before+third-got.Evicted {
		t.Errorf("the folder has %d bytes, want %d", now, before+third-got.Evicted)
	}
	if got := matrixOf(t, dir, 130, 0); got.Hits != 0 {
		t.Errorf("%+v: the evicted tiles were found", got)
	}
}

// TestOwnTilesStay: a run that needs more than the folder may take keeps what it has,
// and computes the rest.
func TestOwnTilesStay(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Options{Dir: dir, MaxBytes: 1 << 20})
	same(t, "too large", dense(t, rbf(20, points(600)), s, 2), dense(t, rbf(20, points(600)), nil, 2))
	_ = s.Flush()
	if got := s.Stats(); len(got.Notes) != 1 || got.Evicted != 0 {
		t.Errorf("%+v: want one note that the store is full", got)
	}
	if got := size(t, dir); got > 1<<20 {
		t.Errorf("the folder has %d bytes", got)
	}
}

// TestSweep: temporary files of killed processes go when they are old.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old, young, other := filepath.Join(dir, ".a.tiles.tmp-1"), filepath.Join(dir, ".b.tiles.tmp-2"), filepath.Join(dir, "notes.txt")
	for _, f := range []string{old, young, other} {
		write(t, f, []byte("half a pack"))
	}
	past := time.Now().Add(-2 * abandoned)
	for _, f := range []string{old, other} {
		if err := os.Chtimes(f, past, past); err != nil {
			t.Fatal(err)
		}
	}
	open(t, Options{Dir: dir})
	for f, stays := range map[string]bool{old: false, young: true, other: true} {
		if _, err := os.Stat(f); (err == nil) != stays {
			t.Errorf("%s: %v", f, err)
		}
	}
}
