package checkpoint_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/mercer/internal/checkpoint"
)

func key() map[string]string { return map[string]string{"data": "d1", "method": "m1"} }

var errKilled = errors.New("killed")

// iterate is a computation of ten steps whose results depend on all before; it dies before
// the step given. It returns the last results and how many steps were computed.
func iterate(t *testing.T, l *checkpoint.Log, dies int) (x []float64, computed int, err error) {
	t.Helper()
	x, total := []float64{1, 2, 3}, []float64{0}
	for step := range 10 {
		err := l.Step(t.Context(), "turn", [][]float64{x, total}, func() error {
			if step == dies {
				return errKilled
			}
			computed++
			for i := range x {
				x[i] = x[i]/3 + x[(i+1)%3]
				total[0] += x[i]
			}
			return nil
		})
		if err != nil {
			return nil, computed, err
		}
	}
	return append(x, total...), computed, nil
}

// open returns a log that is saved by Close alone.
func open(t *testing.T, path string, resume bool) *checkpoint.Log {
	t.Helper()
	return openEvery(t, path, resume, time.Hour)
}

func openEvery(t *testing.T, path string, resume bool, every time.Duration) *checkpoint.Log {
	t.Helper()
	l, err := checkpoint.Open(path, key, resume, every)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A computation that dies anywhere, and whose file loses any number of bytes besides, goes on
// to the same bits with the steps that are whole.
func TestGoesOnToTheSameBits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	whole := open(t, path, false)
	want, _, err := iterate(t, whole, -1)
	if err != nil {
		t.Fatal(err)
	}
	if err := whole.Close(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a finished computation left its checkpoint: %v", err)
	}
	for _, dies := range []int{0, 1, 6} {
		for cut := range 60 {
			l := openEvery(t, path, false, time.Duration(cut)*time.Hour) // the first saves every step
			if _, _, err := iterate(t, l, dies); !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if err := l.Close(false); err != nil {
				t.Fatal(err)
			}
			if raw, err := os.ReadFile(path); dies > 0 && err == nil {
				if err := os.WriteFile(path, raw[:len(raw)-cut], 0o666); err != nil {
					t.Fatal(err)
				}
			} else if dies > 0 {
				t.Fatal(err)
			}
			l = open(t, path, true)
			got, computed, err := iterate(t, l, -1)
			if err != nil {
				t.Fatalf("killed before step %d, %d bytes lost: %v", dies, cut, err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("killed before step %d, %d bytes lost: %v, want %v", dies, cut, got, want)
			}
			if l.Known+computed != 10 || cut == 0 && l.Known != dies || l.Known > dies {
				t.Errorf("killed before step %d, %d bytes lost: %d steps read, %d computed", dies, cut, l.Known, computed)
			}
			if err := l.Close(true); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestRefusesAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	l := open(t, path, false)
	if _, _, err := iterate(t, l, 3); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	another := func() map[string]string { return map[string]string{"data": "d1", "method": "m2"} }
	if _, err := checkpoint.Open(path, another, true, 0); err == nil || !strings.Contains(err.Error(), "differs in method (m1, now m2)") {
		t.Errorf("another method: %v", err)
	}
	other := open(t, path, true)
	err := other.Step(context.Background(), "turn", [][]float64{make([]float64, 3)}, func() error { return nil })
	if err == nil || !strings.Contains(err.Error(), `a step "turn" of the checkpoint is not the one`) {
		t.Errorf("another step: %v", err)
	}
	if err := other.Close(false); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := checkpoint.Open(path, key, true, 0); err == nil || !strings.Contains(err.Error(), "no checkpoint of mercer") {
		t.Errorf("a table: %v", err)
	}
}

// Steps that are not due are written by Close, as after Ctrl-C.
func TestCloseSaves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	l, err := checkpoint.Open(path, key, false, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := iterate(t, l, 4); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a step was saved within the hour: %v", err)
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	l = open(t, path, true)
	if _, computed, err := iterate(t, l, -1); err != nil || computed != 6 {
		t.Errorf("%d steps were computed, want 6: %v", computed, err)
	}
	if err := l.Close(true); err != nil {
		t.Fatal(err)
	}
}

// Parts of a computation that run side by side have steps of their own names, which come into
// the file in any order; and a step may be made of steps, some of which were there.
func TestStepsOfManyNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	parts := func(l *checkpoint.Log, dies int) ([]float64, error) {
		sums, errs := make([]float64, 4), make([]error, 4)
		var all sync.WaitGroup
		for p := range sums {
			all.Go(func() {
				name := fmt.Sprint("part ", p)
				errs[p] = l.Step(t.Context(), name, [][]float64{sums[p : p+1]}, func() error {
					turn := []float64{float64(p)}
					for at := range 5 {
						err := l.Step(t.Context(), name+": turn", [][]float64{turn}, func() error {
							if p*at == dies {
								return errKilled
							}
							turn[0] = turn[0]/3 + 1
							return nil
						})
						if err != nil {
							return err
						}
					}
					sums[p] = turn[0]
					return nil
				})
			})
		}
		all.Wait()
		return sums, errors.Join(errs...)
	}
	want, err := parts(open(t, path, false), -1)
	if err != nil {
		t.Fatal(err)
	}
	for dies, known := range map[int]int{9: 3 + 3, 12: 3 + 4} { // steps within one that is there are not asked for
		l := open(t, path, false)
		if _, err := parts(l, dies); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		if err := l.Close(false); err != nil {
			t.Fatal(err)
		}
		l = open(t, path, true)
		got, err := parts(l, -1)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("killed in part 3: %v, want %v (%v)", got, want, err)
		}
		if l.Known != known {
			t.Errorf("%d steps were read, %d are asked for", l.Known, known)
		}
		if err := l.Close(true); err != nil {
			t.Fatal(err)
		}
	}
}

// A byte that has changed is found: what comes from there on is computed again.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c")
	want, _, err := iterate(t, open(t, path, false), -1)
	if err != nil {
		t.Fatal(err)
	}
	l := open(t, path, false)
	if _, _, err := iterate(t, l, 6); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(raw, '\n') + 1
	for at := first; at < len(raw); at += 5 {
		damaged := slices.Clone(raw)
		damaged[at] ^= 0x10
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		l := open(t, path, true)
		got, _, err := iterate(t, l, -1)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("byte %d of %d damaged: %v, want %v (%v)", at, len(raw), got, want, err)
		}
		if whole := (at - first) / ((len(raw) - first) / 6); l.Known != whole {
			t.Errorf("byte %d of %d damaged: %d steps were read, %d are whole", at, len(raw), l.Known, whole)
		}
		if err := l.Close(true); err != nil {
			t.Fatal(err)
		}
	}
}

// A step of more bytes than may wait is written at once, behind those that wait, and is read like
// any other; so are the steps after it. What computes it may put other results in the place of
// those that it was given.
func TestLargeSteps(t *testing.T) {
	const large = 9 << 20 // of 8 bytes each
	path := filepath.Join(t.TempDir(), "c")
	take := func(l *checkpoint.Log) (first, found, last []float64, computed int) {
		t.Helper()
		first, last = make([]float64, 2), make([]float64, 1)
		results := [][]float64{make([]float64, large)}
		step := func(name string, results [][]float64, do func()) {
			err := l.Step(t.Context(), name, results, func() error {
				computed++
				do()
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		step("first", [][]float64{first}, func() { first[0], first[1] = 3, 5 })
		step("large", results, func() {
			results[0] = make([]float64, large)
			for i := range results[0] {
				results[0][i] = 1 / float64(i+1)
			}
		})
		step("last", [][]float64{last}, func() { last[0] = 7 })
		return first, results[0], last, computed
	}
	l := open(t, path, false)
	first, found, last, computed := take(l)
	if computed != 3 {
		t.Fatalf("%d steps were computed", computed)
	}
	if s, err := os.Stat(path); err != nil || s.Size() < 8*large {
		t.Errorf("the large step does not stand in the file: %v", err)
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	l = open(t, path, true)
	first2, found2, last2, computed := take(l)
	if computed != 0 || !slices.Equal(first, first2) || !slices.Equal(found, found2) || !slices.Equal(last, last2) {
		t.Errorf("%d steps were computed anew, or are others", computed)
	}
	if err := l.Close(true); err != nil {
		t.Fatal(err)
	}
}
