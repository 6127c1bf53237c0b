package distributed_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/data/open"
	"example.org/mercer/distributed"
)

// objects is a store whose workers fetch the objects that files are copies of, here from a folder.
type objects struct {
	*afar
	of      map[string]string
	spoiled *bool // what is downloaded
}

func (o objects) Download(ctx context.Context, name, path string) error {
	err := o.afar.Download(ctx, name, path)
	if *o.spoiled {
		err = errors.Join(err, os.WriteFile(path, []byte("spoiled"), 0o600))
	}
	return err
}

func (o objects) Origin(path string) (object string, known bool) {
	object, known = o.of[path]
	return object, known
}

func (o objects) Fetch(_ context.Context, object, path string, parts []open.Range) error {
	about, err := os.Stat(object)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	if parts != nil {
		whole := content
		content = make([]byte, len(whole))
		for _, p := range parts {
			copy(content[p.From:p.To], whole[p.From:p.To])
		}
	}
	return errors.Join(os.WriteFile(path, content, 0o600), os.Chtimes(path, about.ModTime(), about.ModTime()))
}

// copied moves the files of the working folder to one of objects, and copies them back.
func copied(t *testing.T, paths []string) objects {
	t.Helper()
	store := objects{&afar{distributed.Folder(t.TempDir()), map[string]int{}}, map[string]string{}, new(bool)}
	away := t.TempDir()
	for _, path := range paths {
		here, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		object := filepath.Join(away, path)
		if err := os.Rename(here, object); err != nil {
			t.Fatal(err)
		}
		if err := store.Fetch(t.Context(), object, here, nil); err != nil {
			t.Fatal(err)
		}
		store.of[here] = object
	}
	return store
}

// TestObjectsAreCompiledByWorkers: whatever becomes of a table without an engine becomes of copies
// of objects with one: the same compiled files, byte for byte, and the same errors. A second run
// has no job, and passes find the compiled files in the store.
func TestObjectsAreCompiledByWorkers(t *testing.T) {
	for name, c := range tables {
		t.Run(name, func(t *testing.T) {
			paths := writeTexts(t, c.texts...)
			store := copied(t, paths)
			want, problem := open.CompileShards(t.Context(), "table", paths, "", c.o)
			made := compiledFiles(t, true)
			worker := t.TempDir()
			t.Setenv("TMPDIR", worker)
			engine := &failing{to: distributed.Local{Store: store, Workers: 3}}
			by := distributed.Compiler{Store: store, Engine: engine}
			got, err := open.CompileShardsBy(t.Context(), by, "table", paths, "", c.o)
			if fmt.Sprint(err) != fmt.Sprint(problem) {
				t.Fatalf("it ends with %v, and with %v without workers", err, problem)
			}
			if left, _ := filepath.Glob(filepath.Join(worker, "*", "object-*")); len(left) > 0 {
				t.Errorf("left are %q", left)
			}
			if err != nil {
				return
			}
			if len(engine.seen) == 0 || engine.seen[0] != cmp.Or(pieces[name], len(paths)) || len(got.Here) > 0 {
				t.Errorf("the jobs have %d pieces; compiled here: %q", engine.seen, got.Here)
			}
			sameTable(t, got, want, made)
			jobs := len(engine.seen)
			if _, err := open.CompileShardsBy(t.Context(), by, "table", paths, "", c.o); err != nil {
				t.Fatal(err)
			}
			if with := len(engine.seen) - jobs; len(got.Empty) == 0 && with > 0 {
				t.Errorf("a second run has %d jobs", with)
			}
		})
	}
}

// TestObjectsThatAreOthers: one that has changed since it was copied is compiled here, from the
// copy; one that is gone, and a compiled file that is damaged on its way, are errors that name
// them. What is no copy is compiled here.
func TestObjectsThatAreOthers(t *testing.T) {
	paths := writeTexts(t, "x,y\n1,2\n3,4\n", "x,y\n5,6\n")
	store := copied(t, paths)
	compile := func() (*open.Sharded, *failing, error) {
		engine := &failing{to: distributed.Local{Store: store}}
		got, err := open.CompileShardsBy(t.Context(), distributed.Compiler{Store: store, Engine: engine}, "table", paths, "", open.Options{})
		return got, engine, err
	}
	object := func(i int) string {
		here, _ := filepath.Abs(paths[i])
		return store.of[here]
	}
	t.Setenv("TMPDIR", t.TempDir())
	if err := os.WriteFile(object(0), []byte("x,y\n7,8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, _, err := compile()
	if err != nil || rows(got) != 3 {
		t.Errorf("not the three rows of the copies: %v", err)
	}
	compiledFiles(t, true)
	if err := os.Remove(object(1)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := compile(); err == nil || !strings.Contains(err.Error(), object(1)) {
		t.Errorf("without an object: %v", err)
	}
	clear(store.of)
	if got, engine, err := compile(); err != nil || len(engine.seen) > 0 || rows(got) != 3 {
		t.Errorf("files that are no copies have jobs %v: %v", engine.seen, err)
	}
	compiledFiles(t, true)
	store = copied(t, paths)
	*store.spoiled = true
	if _, _, err := compile(); err == nil || !strings.Contains(err.Error(), "is not what was written to the store") {
		t.Errorf("a damaged file: %v", err)
	}
}

// rows is the number of rows of a table.
func rows(t *open.Sharded) int {
	starts := t.Starts()
	return starts[len(starts)-1]
}
