package distributed

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.org/mercer/data/open"
)

func init() { gob.Register(compilingObjects{}) }

// compileObjects has workers compile the files that are copies of objects, unless their compiled
// files are here, and fetches what they make.
func (c Compiler) compileObjects(ctx context.Context, from Remote, files []open.Compilation) ([]open.Elsewhere, error) {
	out := make([]open.Elsewhere, len(files))
	store, ok := from.(Origins)
	if !ok {
		return out, nil
	}
	var j compilingObjects
	var into []string
	var index []int
	for i, file := range files {
		place := file.Path
		if !filepath.IsAbs(place) {
			place = filepath.Join(file.Dir, place)
		}
		object, known := store.Origin(place)
		if !known {
			continue
		}
		path, there, err := file.Find(ctx)
		if err != nil || there {
			continue // here it is used, or the error is told
		}
		j.Files, j.Objects = append(j.Files, file), append(j.Objects, object)
		into, index = append(into, path), append(index, i)
	}
	done, err := c.job(ctx, j, len(index))
	if err != nil {
		return nil, err
	}
	for k, d := range done {
		if d.Name != "" {
			if err := errors.Join(download(ctx, store, d.Name, into[k]), verify(ctx, d.Name, into[k])); err != nil {
				return nil, err
			}
		}
		out[index[k]] = d.Elsewhere
	}
	return out, nil
}

// compilingObjects is the job of compiling objects, one to a piece: each is the file of a
// compilation on the driver's machine.
type compilingObjects struct {
	Files   []open.Compilation
	Objects []string
}

// do fetches an object, compiles it, and puts the compiled file into the store. It also keeps it
// for the passes that follow.
func (c compilingObjects) do(ctx context.Context, w *Worker, p Piece) ([]byte, error) {
	w.count(ctx, "files", p.To-p.From)
	if p.From < 0 || p.To > len(c.Files) || p.To != p.From+1 || len(c.Objects) != len(c.Files) {
		return nil, fmt.Errorf("distributed: objects %d to %d of %d", p.From+1, p.To, len(c.Files))
	}
	store, ok := w.Store.(Origins)
	if !ok {
		return nil, errors.New("distributed: tables are in an object store, and this worker reaches none")
	}
	if err := os.MkdirAll(w.folder(), 0o755); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(w.folder(), "object-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := c.Files[p.From]
	file.Copy, file.Folder = filepath.Join(folder, "object"), folder
	var parts []open.Range
	if file.Split != nil {
		parts = file.Split.Reads
	}
	if err := store.Fetch(ctx, c.Objects[p.From], file.Copy, parts); err != nil {
		return nil, fmt.Errorf("distributed: %s: %w", c.Objects[p.From], err)
	}
	d, err := compileFile(ctx, file, true)
	if err != nil {
		return nil, err
	}
	made := done{Elsewhere: d}
	if d.Made != nil {
		if made.Name, err = upload(ctx, store, d.Made.Path); err != nil {
			return nil, err
		}
		if err := os.Rename(d.Made.Path, filepath.Join(w.folder(), filepath.Base(made.Name))); err != nil {
			return nil, err
		}
	}
	return encode(made)
}
