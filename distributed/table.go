package distributed

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"sync"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/pass"
)

// Table is a table whose rows have passes made by an engine: those of their preparation, and those
// of a method.
type Table struct {
	data.Blocks
	Shards []open.Shard // compiled files, which all workers have
	Store  Store
	Engine Engine
	// Progress is told how many pieces of a pass are done; nil: nobody is.
	Progress func(stage string, done, total int64)

	mu   sync.Mutex
	name string // of the file that says where workers find the shards; "": it is not written
}

var (
	_ pass.Table     = (*Table)(nil)
	_ prep.Elsewhere = (*Table)(nil)
)

// Driver returns the driver of prepared rows of the table.
func (t *Table) Driver(steps *prep.Pipeline, streamed *prep.Streamed) (pass.Driver, error) {
	columns, err := json.Marshal(steps)
	if err != nil {
		return nil, err
	}
	return &driver{staging: t.staging(), table: t, steps: steps, columns: columns, here: streamed}, nil
}

func (t *Table) staging() staging {
	return staging{t.Store, t.Engine, compute.Options{Progress: t.Progress}}
}

// file writes where workers find the shards, once. Where they do not see the disk, the shards are
// put into the store.
func (t *Table) file(ctx context.Context) (name string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.name != "" {
		return t.name, nil
	}
	to := table{Shards: slices.Clone(t.Shards)}
	remote, stored := t.Store.(Remote)
	if to.Stored = stored; stored {
		to.Shards, err = uploaded(ctx, remote, t.Shards)
	}
	for i := range to.Shards {
		if !stored && err == nil { // workers are in folders of their own
			to.Shards[i].Path, err = filepath.Abs(to.Shards[i].Path)
		}
	}
	if err == nil {
		t.name, err = t.staging().file(ctx, "tables", to)
	}
	return t.name, err
}
