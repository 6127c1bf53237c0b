package distributed_test

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/distributed"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/pass"
)

// count sums up rows, and returns a number for each: its kernel with itself and what goes along.
type count struct{ Fails int } // the row that fails, counted from 1; 0: none

func init() { gob.Register(count{}) }

func (c count) Run(_ context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, _ compute.Options) (pass.Result, error) {
	r := pass.Result{Sums: make([]float64, 1)}
	for i := p.From; i < p.To; i++ {
		if i+1 == c.Fails {
			return r, fmt.Errorf("row %d is not to be", i+1)
		}
		x := rows.At(i)
		v := k.Eval(x, x)
		if numbers != nil {
			v += numbers[i-p.From]
		}
		r.Sums[0] += x[0]
		r.Rows = append(r.Rows, v)
	}
	return r, nil
}

// failing is an engine that does some of the pieces, and then fails.
type failing struct {
	to   distributed.Engine
	only int // pieces that are done
	seen []int
}

func (f *failing) Run(ctx context.Context, pieces []distributed.Piece) error {
	f.seen = append(f.seen, len(pieces))
	if f.only == 0 {
		return f.to.Run(ctx, pieces)
	}
	return errors.Join(f.to.Run(ctx, pieces[:f.only]), errors.New("the cluster is gone"))
}

// table writes two shards with 10 rows each, of which one is dropped.
func table(t *testing.T, e distributed.Engine, store distributed.Store) (*distributed.Table, *prep.Pipeline, *prep.Prepared) {
	t.Helper()
	folder := t.TempDir()
	var paths []string
	for s := range 2 {
		var text strings.Builder
		text.WriteString("x,z\n")
		for i := range 10 {
			if s == 1 && i == 3 {
				text.WriteString(",0\n")
				continue
			}
			fmt.Fprintf(&text, "%d,%d\n", 10*s+i, i%3)
		}
		paths = append(paths, filepath.Join(folder, fmt.Sprint("part", s, ".csv")))
		if err := os.WriteFile(paths[s], []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shards, err := open.CompileShards(t.Context(), "part*", paths, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps, rows, err := prep.FitBlocks(t.Context(), shards, prep.Spec{NoTarget: true, Missing: prep.DropRows})
	if err != nil {
		t.Fatal(err)
	}
	return &distributed.Table{Blocks: shards, Shards: shards.Shards, Store: store, Engine: e}, steps, rows
}

// run makes a pass over 19 rows in pieces of 4, and returns the numbers of the rows.
func run(t *testing.T, d pass.Driver, job pass.Job, along bool) ([]float64, error) {
	t.Helper()
	k, err := vec.Parse("rbf(sigma=2) + linear()")
	if err != nil {
		t.Fatal(err)
	}
	p := pass.Pass{Kernel: k, Job: job}
	for from := 0; from < 19; from += 4 {
		p.Pieces = append(p.Pieces, pass.Piece{From: from, To: min(from+4, 19)})
	}
	if along {
		p.Numbers = func(i int) ([]float64, error) {
			return make([]float64, p.Pieces[i].To-p.Pieces[i].From), nil
		}
	}
	out := make([]float64, 19)
	err = d.Run(t.Context(), p, func(i int, r pass.Result) error {
		copy(out[p.Pieces[i].From:], r.Rows)
		return nil
	})
	return out, err
}

// TestPassesAreMadeByWorkers compares an engine's results with those of rows that are read here,
// and looks at what is left in the store.
func TestPassesAreMadeByWorkers(t *testing.T) {
	store := distributed.Folder(t.TempDir())
	engine := &failing{to: distributed.Local{Store: store, Workers: 3}}
	in, steps, rows := table(t, engine, store)
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	k, err := vec.Parse("rbf(sigma=2) + linear()")
	if err != nil {
		t.Fatal(err)
	}
	for _, along := range []bool{false, true} {
		got, err := run(t, d, count{}, along)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if x := rows.Streamed.At(i); v != k.Eval(x, x) {
				t.Errorf("row %d has %v, and %v here", i, v, k.Eval(x, x))
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(string(store), "pieces", "*")); len(left) > 0 {
		t.Errorf("%q are left in the store", left)
	}
}

// TestResultsOutliveTheEngine: what was computed before it failed is not computed again.
func TestResultsOutliveTheEngine(t *testing.T) {
	store := distributed.Folder(t.TempDir())
	engine := &failing{to: distributed.Local{Store: store}, only: 2}
	in, steps, rows := table(t, engine, store)
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = run(t, d, count{}, true); err == nil || !strings.Contains(err.Error(), "the cluster is gone") {
		t.Fatalf("the pass ends with %v", err)
	}
	engine.only = 0
	if _, err = run(t, d, count{}, true); err != nil {
		t.Fatal(err)
	}
	if len(engine.seen) != 2 || engine.seen[0] != 5 || engine.seen[1] != 3 {
		t.Errorf("the engine had %v pieces, not 5 and then the 3 that were missing", engine.seen)
	}
}

// TestWorkersSayWhy: the words of a worker reach the user, without those of the engine; and so do
// those about a shard that is gone, or damaged.
func TestWorkersSayWhy(t *testing.T) {
	store := distributed.Folder(t.TempDir())
	in, steps, rows := table(t, distributed.Local{Store: store, Workers: 2}, store)
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = run(t, d, count{Fails: 14}, false); err == nil || err.Error() != "row 14 is not to be" {
		t.Errorf("the pass ends with %v", err)
	}
	whole, err := os.ReadFile(in.Shards[1].Path)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func() error{
		"wrong":   func() error { return os.WriteFile(in.Shards[1].Path, append([]byte{}, spoiled(whole)...), 0o600) },
		"no such": func() error { return os.Remove(in.Shards[1].Path) },
		"again":   func() error { return recompiled(t, in.Shards[1].Path) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err = run(t, d, count{}, false); err == nil || !strings.Contains(err.Error(), filepath.Base(in.Shards[1].Path)) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: the pass ends with %v", name, err)
		}
		if err := os.WriteFile(in.Shards[1].Path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err = run(t, d, count{}, false); err != nil {
		t.Errorf("with all shards back: %v", err)
	}
}

// TestWorkersCheckWhatComesAlong: numbers that were changed on the way are refused.
func TestWorkersCheckWhatComesAlong(t *testing.T) {
	folder := t.TempDir()
	store := changing{distributed.Folder(folder)}
	in, steps, rows := table(t, distributed.Local{Store: store}, store)
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, d, count{}, true); err == nil || !strings.Contains(err.Error(), "not what was written") {
		t.Errorf("the pass ends with %v", err)
	}
}

// changing is a store that changes the last byte of numbers.
type changing struct{ distributed.Folder }

func (c changing) Read(ctx context.Context, name string) ([]byte, error) {
	b, err := c.Folder.Read(ctx, name)
	if strings.HasSuffix(name, ".in") && len(b) > 0 {
		b[len(b)-1] ^= 1
	}
	return b, err
}

// recompiled puts the compiled file of another table in the place of one.
func recompiled(t *testing.T, path string) error {
	source := filepath.Join(t.TempDir(), "other.csv")
	if err := os.WriteFile(source, []byte("x,z\n1,2\n3,4\n"), 0o600); err != nil {
		return err
	}
	other, err := open.CompileShards(t.Context(), "other", []string{source}, "", open.Options{})
	if err != nil {
		return err
	}
	return os.Rename(other.Shards[0].Path, path)
}

// spoiled changes a byte of the first block.
func spoiled(content []byte) []byte {
	out := append([]byte{}, content...)
	out[20] ^= 1
	return out
}

// TestKernelsNobodyKnowsStayHere: a kernel that is no expression is computed from rows read here.
func TestKernelsNobodyKnowsStayHere(t *testing.T) {
	store := distributed.Folder(t.TempDir())
	engine := &failing{to: distributed.Local{Store: store}}
	in, steps, rows := table(t, engine, store)
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	err = d.Run(t.Context(), pass.Pass{Kernel: own{}, Job: count{}, Pieces: []pass.Piece{{To: 10}, {From: 10, To: 19}}}, func(_ int, r pass.Result) error {
		sum += r.Sums[0]
		return nil
	})
	first, second := 0.0, 0.0
	for i := range 19 {
		if i < 10 {
			first += rows.Streamed.At(i)[0]
		} else {
			second += rows.Streamed.At(i)[0]
		}
	}
	want := first + second
	if err != nil || sum != want || len(engine.seen) > 0 {
		t.Errorf("sum %v, want %v, engine %v: %v", sum, want, engine.seen, err)
	}
}

// own is a kernel of nobody else.
type own struct{}

func (own) String() string              { return "own()" }
func (own) Eval(x, y []float64) float64 { return x[0] * y[0] }

// TestWorkIsCancelled: a pass ends with its context.
func TestWorkIsCancelled(t *testing.T) {
	store := distributed.Folder(t.TempDir())
	in, steps, rows := table(t, distributed.Local{Store: store}, store)
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k, err := vec.Parse("linear()")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Run(ctx, pass.Pass{Kernel: k, Job: count{}, Pieces: []pass.Piece{{To: 19}}}, func(int, pass.Result) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the pass ends with %v", err)
	}
}
