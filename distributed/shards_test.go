package distributed_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/distributed"
)

// afar is a store in a folder that workers do not see: what is in it comes by Download alone.
type afar struct {
	distributed.Folder
	fetched map[string]int
}

func (a *afar) Upload(ctx context.Context, name, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return a.Write(ctx, name, content)
}

func (a *afar) Download(ctx context.Context, name, path string) error {
	a.fetched[name]++
	content, err := a.Read(ctx, name)
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}

// one is an engine of one worker.
type one struct{ *distributed.Worker }

func (e one) Run(ctx context.Context, pieces []distributed.Piece) error {
	for _, p := range pieces {
		if err := e.Work(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// TestShardsTravel: where workers share no disk, compiled files go through the store, once, and the
// results are those of a folder; a file that was changed on its way is an error.
func TestShardsTravel(t *testing.T) {
	folder := distributed.Folder(t.TempDir())
	in, steps, rows := table(t, distributed.Local{Store: folder}, folder)
	here, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	want, err := run(t, here, count{}, true)
	if err != nil {
		t.Fatal(err)
	}
	store := &afar{distributed.Folder(t.TempDir()), map[string]int{}}
	scratch := t.TempDir()
	in = &distributed.Table{Blocks: in.Blocks, Shards: in.Shards, Store: store, Engine: one{&distributed.Worker{Store: store, Compute: compute.Options{Workers: 1}, Folder: scratch}}}
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range in.Shards { // workers have the store alone
		if err := os.Rename(s.Path, s.Path+".away"); err == nil {
			t.Cleanup(func() { _ = os.Rename(s.Path+".away", s.Path) })
		}
	}
	if _, err := run(t, d, count{}, true); err == nil {
		t.Error("files that are not there are no error")
	}
	for _, s := range in.Shards {
		if err := os.Rename(s.Path+".away", s.Path); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		got, err := run(t, d, count{}, true)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("row %d has %v, and %v in a folder", i, got[i], want[i])
			}
		}
	}
	if len(store.fetched) != 2 {
		t.Errorf("%d files were fetched", len(store.fetched))
	}
	for name, times := range store.fetched {
		if times != 1 {
			t.Errorf("%s was fetched %d times", name, times)
		}
	}
	err = filepath.WalkDir(scratch, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content[len(content)/2] ^= 1
		return os.WriteFile(path, content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	in.Engine = one{&distributed.Worker{Store: store, Folder: scratch}}
	if d, err = in.Driver(steps, rows.Streamed); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, d, count{}, true); err == nil || !strings.Contains(err.Error(), "is not what was written to the store") {
		t.Errorf("a file that was changed: %v", err)
	}
}
