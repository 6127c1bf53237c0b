package distributed_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/open"
	"example.org/mercer/distributed"
	"example.org/mercer/internal/progress/progresstest"
)

// writeTexts writes files with texts into a folder that becomes the working one.
func writeTexts(t *testing.T, texts ...string) (names []string) {
	t.Helper()
	folder := t.TempDir()
	t.Chdir(folder)
	for i, text := range texts {
		names = append(names, fmt.Sprintf("part-%d.csv", i))
		if err := os.WriteFile(names[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// tables are those of which one shard changes what a column is, or has no rows, or a bad cell.
var tables = map[string]struct {
	texts []string
	o     open.Options
}{
	"numbers":   {[]string{"x,y\n1,2\n3,4\n", "x,y\n5,6\n"}, open.Options{}},
	"words":     {[]string{"x,y\n1,2\n3,4\n", "x,y\n5,6\n", "x,y\n7,no\n", "x,y\n8,9\n"}, open.Options{}},
	"empty":     {[]string{"x,y\n1,2\n", "x,y\n", "x,y\n5,6\n"}, open.Options{}},
	"all empty": {[]string{"x,y\n", "x,y\n"}, open.Options{}},
	"bad cells": {[]string{"x,y\n1,2\n", "x,y\n1,2\n3,b\n", "x,y\na,6\n"}, open.Options{Types: map[string]data.Kind{"x": data.Numeric, "y": data.Numeric}}},
	"unused":    {[]string{"x,y\n1,2\n", "x,y\n3,1e999\n"}, open.Options{Unused: []string{"y"}}},
	"ragged":    {[]string{"x,y\n1,2\n", "x,y\n1,2\n1,2,3\n"}, open.Options{}},
	"decimals":  {[]string{"x;y\n1,5;NN\n", "x;y\n2,5;3\n"}, open.Options{Numbers: csv.Style{Decimal: ','}, Missing: []string{"NN"}}},
	"no format": {[]string{"x,y\n1,2\n"}, open.Options{Format: open.FASTA}},
	"splits":    {[]string{"x,y\n1,2\n3,4\n5,6\n7,8\n"}, open.Options{SplitBytes: 8}},
	"more":      {[]string{"x,y\n1,2\n3,4\n", "x,y\n5,6\n7,no\n9,a\n"}, open.Options{SplitBytes: 12}},
	"late":      {[]string{late}, open.Options{SplitBytes: int64(len(late)) / 3}},
	"bad split": {[]string{"x,y\n1,2\n3,4\n5\n7,8\n"}, open.Options{SplitBytes: 8}},
	"quoted":    {[]string{"x,y\n1,2\n3,\"a\nb\"\n5,6\n"}, open.Options{SplitBytes: 8}},
	"budget":    {[]string{"x,y\n1,2\n", "x,y\n" + strings.Repeat("1,2\n", 5000)}, open.Options{Budget: 1000}},
}

// late is a table with a word where only one of its splits sees it.
var late = "x,note\n" + strings.Repeat("0.123456789012345678,\n", 100000) + "1,word\n"

// pieces are how many pieces the first job of a table has; others have one for each file.
var pieces = map[string]int{"splits": 3, "more": 3, "late": 3, "quoted": 3} // what is wrong at the beginning is found there

// TestFilesAreCompiledByWorkers: whatever becomes of a table without an engine becomes of it with
// one: the same compiled files, byte for byte, the same columns, and the same errors.
func TestFilesAreCompiledByWorkers(t *testing.T) {
	for name, c := range tables {
		t.Run(name, func(t *testing.T) {
			paths := writeTexts(t, c.texts...)
			want, problem := open.CompileShards(t.Context(), "table", paths, "", c.o)
			made := compiledFiles(t, true)
			store := distributed.Folder(t.TempDir())
			engine := &failing{to: distributed.Local{Store: store, Workers: 3}}
			told := new(progresstest.Listener)
			by := distributed.Compiler{Store: store, Engine: engine, Progress: told.Tell}
			got, err := open.CompileShardsBy(t.Context(), by, "table", paths, "", c.o)
			if problems := told.End(); len(problems) > 0 || told.Events() < 2 {
				t.Errorf("%d events tell how far compilation has come: %q", told.Events(), problems)
			}
			if fmt.Sprint(err) != fmt.Sprint(problem) || errors.Is(err, data.ErrNoRows) != errors.Is(problem, data.ErrNoRows) {
				t.Fatalf("it ends with %v, and with %v without workers", err, problem)
			}
			if len(engine.seen) == 0 || engine.seen[0] != cmp.Or(pieces[name], len(paths)) {
				t.Errorf("the jobs have %d pieces", engine.seen)
			}
			if left, _ := filepath.Glob(filepath.Join(string(store), "*", "*")); len(left) > 0 {
				t.Errorf("left are %q", left)
			}
			if err != nil {
				return
			}
			sameTable(t, got, want, made)
			if !got.Made.Fresh || len(got.Here) > 0 {
				t.Errorf("made by workers: %+v, here: %q", got.Made, got.Here)
			}
			again, err := open.CompileShardsBy(t.Context(), by, "table", paths, "", c.o)
			if err != nil || again.Made.Fresh {
				t.Errorf("a second run makes %+v: %v", again.Made, err)
			}
		})
	}
}

// sameTable compares a table and its compiled files with those that were made without workers.
func sameTable(t *testing.T, got, want *open.Sharded, made map[string][]byte) {
	t.Helper()
	files := compiledFiles(t, false)
	if len(files) != len(made) {
		t.Errorf("%d compiled files, and %d without workers", len(files), len(made))
	}
	for path, content := range made {
		if !bytes.Equal(files[path], content) {
			t.Errorf("%s is another file", path)
		}
	}
	if fmt.Sprint(got.Schema()) != fmt.Sprint(want.Schema()) || fmt.Sprint(got.Shards) != fmt.Sprint(want.Shards) || fmt.Sprint(got.Empty) != fmt.Sprint(want.Empty) {
		t.Errorf("%+v, and %+v without workers", got, want)
	}
}

// compiledFiles reads the compiled files of the working folder, and removes them where they are to
// be made again.
func compiledFiles(t *testing.T, remove bool) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	paths, err := filepath.Glob("*.mercer-table")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if out[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if remove {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// inFolder is an engine whose workers are in another folder, as those of a cluster are.
type inFolder struct {
	to     distributed.Engine
	folder string
}

func (e inFolder) Run(ctx context.Context, pieces []distributed.Piece) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(e.folder); err != nil {
		return err
	}
	return errors.Join(e.to.Run(ctx, pieces), os.Chdir(here))
}

// TestWorkersAreInOtherFolders: paths are those of the command, and so is what files are called. A
// folder for compiled files is, too.
func TestWorkersAreInOtherFolders(t *testing.T) {
	for _, cache := range []string{"", "cache"} {
		paths := writeTexts(t, "x,y\n1,2\n3,4\n", "x,y\n5,no\n")
		if err := os.MkdirAll("cache", 0o700); err != nil {
			t.Fatal(err)
		}
		store := distributed.Folder(t.TempDir())
		by := distributed.Compiler{Store: store, Engine: inFolder{distributed.Local{Store: store}, t.TempDir()}}
		got, err := open.CompileShardsBy(t.Context(), by, "table", paths, cache, open.Options{})
		if err != nil || len(got.Here) > 0 || !got.Made.Fresh {
			t.Fatalf("%+v: %v", got, err)
		}
		want, err := open.CompileShards(t.Context(), "table", paths, cache, open.Options{})
		if err != nil || want.Made.Fresh || want.Made.Path != got.Made.Path || fmt.Sprint(want.Shards) != fmt.Sprint(got.Shards) {
			t.Errorf("%+v, and then %+v: %v", got, want, err)
		}
		block, err := got.Block(1, nil)
		if err != nil || block.Where(0, 1) != "part-1.csv: line 2, column 2 (y)" {
			t.Errorf("a cell is at %s: %v", block.Where(0, 1), err)
		}
	}
}

// TestWorkersThatSeeNoFiles: files that workers do not see are compiled here, and why is told. So
// are they where workers have no disk in common.
func TestWorkersThatSeeNoFiles(t *testing.T) {
	paths := writeTexts(t, "x,y\n1,2\n3,4\n", "x,y\n5,6\n")
	store := distributed.Folder(t.TempDir())
	hidden := blind{distributed.Local{Store: store}, paths[1]}
	got, err := open.CompileShardsBy(t.Context(), distributed.Compiler{Store: store, Engine: hidden}, "table", paths, "", open.Options{})
	if err != nil || len(got.Shards) != 2 || len(got.Here) != 1 || !strings.Contains(got.Here[0], paths[1]) {
		t.Errorf("%+v: %v", got, err)
	}
	compiledFiles(t, true)
	remote := &afar{distributed.Folder(t.TempDir()), map[string]int{}}
	engine := &failing{to: distributed.Local{Store: remote}}
	if got, err = open.CompileShardsBy(t.Context(), distributed.Compiler{Store: remote, Engine: engine}, "table", paths, "", open.Options{}); err != nil || len(got.Here) > 0 || len(engine.seen) > 0 {
		t.Errorf("%+v, jobs %v: %v", got, engine.seen, err)
	}
}

// blind is an engine whose workers do not see a file.
type blind struct {
	to   distributed.Engine
	path string
}

func (b blind) Run(ctx context.Context, pieces []distributed.Piece) error {
	if err := os.Rename(b.path, b.path+".away"); err != nil {
		return err
	}
	return errors.Join(b.to.Run(ctx, pieces), os.Rename(b.path+".away", b.path))
}

// TestResultsOfARunBeforeAreOld: what a run that was stopped has left in the store says nothing of
// what is on the disk now.
func TestResultsOfARunBeforeAreOld(t *testing.T) {
	paths := writeTexts(t, "x,y\n1,2\n3,4\n", "x,y\n5,6\n")
	store := distributed.Folder(t.TempDir())
	local := distributed.Local{Store: store}
	stopped := distributed.Compiler{Store: store, Engine: &failing{to: local, only: 1}}
	if _, err := open.CompileShardsBy(t.Context(), stopped, "table", paths, "", open.Options{}); err == nil {
		t.Fatal("an engine that fails is no error")
	}
	if left, _ := filepath.Glob(filepath.Join(string(store), "pieces", "*.out")); len(left) != 1 {
		t.Fatalf("left are %q", left)
	}
	for path, content := range compiledFiles(t, true) { // a disk has lost the end of one
		if err := os.WriteFile(path, content[:len(content)-9], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	by := distributed.Compiler{Store: store, Engine: local}
	got, err := open.CompileShardsBy(t.Context(), by, "table", paths, "", open.Options{})
	if err != nil || !got.Made.Fresh || !strings.Contains(got.Made.Why, "not a whole compiled table") || len(got.Here) > 0 {
		t.Errorf("%+v: %v", got, err)
	}
}

// TestCompilationIsCancelled: it ends with its context.
func TestCompilationIsCancelled(t *testing.T) {
	paths := writeTexts(t, "x,y\n1,2\n")
	store := distributed.Folder(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open.CompileShardsBy(ctx, distributed.Compiler{Store: store, Engine: distributed.Local{Store: store}}, "table", paths, "", open.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
