package distributed

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"

	"example.org/mercer/data/open"
)

func init() { gob.Register(compiling{}) }

// Compiler has the files of a table compiled by workers, each as a piece of one job. A compiled
// file lies beside its file, or in the folder that is named, and so they must be on a disk that
// all workers see. Where the store is [Remote] there is none, and they compile nothing.
type Compiler struct {
	Store  Store
	Engine Engine
}

var _ open.Compiler = Compiler{}

// Compile has files compiled that are not, and compiled files checked that are there.
func (c Compiler) Compile(ctx context.Context, files []open.Compilation) ([]open.Elsewhere, error) {
	out := make([]open.Elsewhere, len(files))
	if _, remote := c.Store.(Remote); remote || len(files) == 0 {
		return out, nil
	}
	s := staging{store: c.Store, engine: c.Engine}
	name, err := s.file(ctx, "jobs", sentJob{compiling{files}})
	if err != nil {
		return nil, err
	}
	pieces, old := make([]Piece, len(files)), make([]string, len(files))
	for i := range pieces {
		pieces[i] = Piece{Job: name, From: i, To: i + 1}
		pieces[i].Key = pieces[i].key(nil)
		old[i] = pieces[i].out() // it says what was on the disk in a run that was stopped
	}
	if err := s.store.Remove(ctx, old...); err != nil {
		return nil, err
	}
	if err := s.work(ctx, pieces); err != nil {
		return nil, err
	}
	for i, p := range pieces {
		content, err := s.result(ctx, p)
		if err == nil {
			err = gob.NewDecoder(bytes.NewReader(content)).Decode(&out[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[i].Path, err)
		}
	}
	return out, s.clear(ctx, pieces)
}

// compiling is the job of compiling files, one to a piece.
type compiling struct{ Files []open.Compilation }

// do compiles a file. One that cannot be is no failure of the piece: the driver tries it where it
// is, so that errors are those without workers.
func (c compiling) do(ctx context.Context, w *Worker, p Piece) ([]byte, error) {
	w.count(ctx, "files", p.To-p.From)
	if p.From < 0 || p.To > len(c.Files) || p.To != p.From+1 {
		return nil, fmt.Errorf("distributed: files %d to %d of %d", p.From+1, p.To, len(c.Files))
	}
	t, made, err := c.Files[p.From].Do(ctx)
	var words []open.Words
	if err == nil && len(c.Files) > 1 { // one file has decided by itself
		words, err = open.CountWords(ctx, t)
	}
	if t != nil {
		err = errors.Join(err, t.Close())
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return encode(open.Elsewhere{Why: err.Error()})
	}
	return encode(open.Elsewhere{Made: made, Words: words})
}
