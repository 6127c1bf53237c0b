package distributed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/distributed"
)

// manyRows writes three runs of rows into seven shards: numbers, a weight, words and gaps.
func manyRows(t *testing.T) *open.Sharded {
	t.Helper()
	const n, shards = 140_000, 7
	folder := t.TempDir()
	var paths []string
	for s := range shards {
		text := []byte("x,w,kind,y\n")
		for i := s * n / shards; i < (s+1)*n/shards; i++ {
			gap := ""
			if i%1000 != 7 {
				gap = fmt.Sprintf("%.5g", 1e6+math.Sin(float64(i)))
			}
			text = fmt.Appendf(text, "%s,%d,%s,%d\n", gap, 1+i/30_000, []string{"red", "green", "blue"}[i/60_000], i%5)
		}
		paths = append(paths, filepath.Join(folder, fmt.Sprint("part", s, ".csv")))
		if err := os.WriteFile(paths[s], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table, err := open.CompileShards(t.Context(), "part*", paths, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// A preparation by workers is that of this process, bit for bit, also where the engine failed in
// the middle of a pass and the run begins again: what was found is not looked for again.
func TestPreparedByWorkers(t *testing.T) {
	shards := manyRows(t)
	for _, missing := range []prep.Missing{prep.DropRows, prep.Indicator} {
		spec := prep.Spec{Targets: []string{"y"}, Weights: "w", Missing: missing}
		steps, rows, err := prep.FitBlocks(t.Context(), shards, spec)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(steps)
		if err != nil {
			t.Fatal(err)
		}
		store := distributed.Folder(t.TempDir())
		e := &failing{to: distributed.Local{Store: store, Workers: 3}, only: 2}
		over := func() *distributed.Table {
			return &distributed.Table{Blocks: shards, Shards: shards.Shards, Store: store, Engine: e}
		}
		if _, _, err := prep.FitBlocks(t.Context(), over(), spec); err == nil || !strings.Contains(err.Error(), "the cluster is gone") {
			t.Errorf("%v: an engine that fails: %v", missing, err)
		}
		e.only = 0
		got, prepared, err := prep.FitBlocks(t.Context(), over(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(e.seen, []int{3, 1, 3}) {
			t.Errorf("%v: the engine was given %v pieces, want 3, 1 and 3", missing, e.seen)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%v: learned\n%s, want\n%s", missing, text, want)
		}
		prepared.Streamed, rows.Streamed = nil, nil
		if !reflect.DeepEqual(prepared, rows) {
			t.Errorf("%v: other rows, targets, weights or notes: %q, want %q", missing, prepared.Notes, rows.Notes)
		}
	}
}

// Where workers do not see the files, the rows are prepared here, and a note says so.
func TestWorkersThatSeeNoRows(t *testing.T) {
	shards := manyRows(t)
	store := distributed.Folder(t.TempDir())
	table := &distributed.Table{Blocks: shards, Shards: shards.Shards, Store: store, Engine: distributed.Local{Store: store}}
	for _, s := range shards.Shards { // which are open here
		if err := os.Remove(s.Path); err != nil {
			t.Fatal(err)
		}
	}
	spec := prep.Spec{Targets: []string{"y"}, Missing: prep.Mean}
	_, want, err := prep.FitBlocks(t.Context(), shards, spec)
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := prep.FitBlocks(t.Context(), table, spec)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(got.Notes, "\n")
	if !reflect.DeepEqual(got.Y, want.Y) || !strings.Contains(notes, "by this command, and not by workers") || !strings.Contains(notes, "part0.csv") {
		t.Errorf("other targets, or no note: %s", notes)
	}
}

// A run that is stopped ends while workers prepare.
func TestPreparationIsStopped(t *testing.T) {
	shards := manyRows(t)
	store := distributed.Folder(t.TempDir())
	table := &distributed.Table{Blocks: shards, Shards: shards.Shards, Store: store, Engine: distributed.Local{Store: store}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := prep.FitBlocks(ctx, table, prep.Spec{Targets: []string{"y"}, Missing: prep.Mean}); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is stopped: %v", err)
	}
}
