package distributed

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
)

func init() { gob.Register(compiling{}) }

// Compiler has the files of a table compiled by workers, each as a piece of one job. A compiled
// file lies beside its file, or in the folder that is named, on a disk that all workers see. Where
// the store is [Remote] there is none: then workers fetch the objects that files are copies of
// ([Origins]), and compiled files come back through the store. What is no such copy they do not
// compile.
type Compiler struct {
	Store  Store
	Engine Engine
	// Progress is told how many files, or splits, are done; nil: nobody is.
	Progress func(stage string, done, total int64)
}

var _ open.Compiler = Compiler{}

// Compile has files compiled that are not, and compiled files checked that are there.
func (c Compiler) Compile(ctx context.Context, files []open.Compilation) ([]open.Elsewhere, error) {
	if remote, is := c.Store.(Remote); is {
		return c.compileObjects(ctx, remote, files)
	}
	done, err := c.job(ctx, compiling{files}, len(files))
	out := make([]open.Elsewhere, len(files))
	for i, d := range done {
		out[i] = d.Elsewhere
	}
	return out, err
}

// done is what became of a file.
type done struct {
	open.Elsewhere
	Name string // of the compiled file in the store; "": it is none of it
}

// job makes a job of one piece for each file.
func (c Compiler) job(ctx context.Context, j job, files int) ([]done, error) {
	if files == 0 {
		return nil, nil
	}
	s := staging{c.Store, c.Engine, compute.Options{Progress: c.Progress}}
	name, err := s.file(ctx, "jobs", sentJob{j})
	if err != nil {
		return nil, err
	}
	pieces, old := make([]Piece, files), make([]string, files)
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
	out := make([]done, files)
	for i, p := range pieces {
		content, err := s.result(ctx, p)
		if err == nil {
			err = gob.NewDecoder(bytes.NewReader(content)).Decode(&out[i])
		}
		if err != nil {
			return nil, err
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
	d, err := compileFile(ctx, c.Files[p.From], several(c.Files))
	if err != nil {
		return nil, err
	}
	return encode(done{Elsewhere: d})
}

// several reports whether files are not all splits of one, which decides by itself what it has.
func several(files []open.Compilation) bool {
	return slices.ContainsFunc(files, func(c open.Compilation) bool { return c.Path != files[0].Path })
}

// compileFile compiles a file, and counts its words.
func compileFile(ctx context.Context, file open.Compilation, count bool) (open.Elsewhere, error) {
	t, made, err := file.Do(ctx)
	var words []data.Tally
	if err == nil && count {
		words, err = open.CountWords(ctx, t)
	}
	if t != nil {
		err = errors.Join(err, t.Close())
	}
	if ctx.Err() != nil {
		return open.Elsewhere{}, context.Cause(ctx)
	}
	if err != nil {
		return open.Elsewhere{Why: err.Error()}, nil
	}
	return open.Elsewhere{Made: made, Words: words}, nil
}
