package distributed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"example.org/mercer/compute"
)

// staging is how a job reaches workers, and its results come back: through the store, by the
// engine.
type staging struct {
	store    Store
	engine   Engine
	progress compute.Options // is told how many pieces are done
}

// file writes a value to a folder of the store, by its digest.
func (s staging) file(ctx context.Context, folder string, v any) (name string, err error) {
	content, err := encode(v)
	if err != nil {
		return "", err
	}
	name = folder + "/" + digest(content)
	there, err := s.store.Has(ctx, name)
	if err != nil || there {
		return name, err
	}
	return name, s.store.Write(ctx, name, content)
}

// work has the engine do pieces.
func (s staging) work(ctx context.Context, missing []Piece) error {
	if len(missing) == 0 {
		return nil
	}
	failures := make([]string, len(missing)) // of a run before this one
	for i, p := range missing {
		failures[i] = p.failure()
	}
	if err := s.store.Remove(ctx, failures...); err != nil {
		return err
	}
	meter := s.progress.Meter(fmt.Sprintf("%d pieces", len(missing)), int64(len(missing)))
	stop := watch(ctx, s.store, missing, meter)
	err := s.engine.Run(ctx, missing)
	stop()
	if err == nil {
		meter.End(ctx)
		return ctx.Err()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, failure := range failures { // what a worker said is told, and not what the engine made of it
		why, e := s.store.Read(ctx, failure)
		if errors.Is(e, fs.ErrNotExist) {
			continue
		}
		return errors.Join(e, s.store.Remove(ctx, failures...), errors.New(strings.TrimSpace(string(why))))
	}
	return err
}

// missing returns the pieces whose results are not in the store.
func (s staging) missing(ctx context.Context, pieces []Piece) (out []Piece, err error) {
	for _, p := range pieces {
		there, err := s.store.Has(ctx, p.out())
		if err != nil {
			return nil, err
		}
		if !there {
			out = append(out, p)
		}
	}
	return out, nil
}

// result reads what was made of a piece. One that is damaged is removed.
func (s staging) result(ctx context.Context, p Piece) ([]byte, error) {
	content, err := s.store.Read(ctx, p.out())
	if err != nil {
		return nil, err
	}
	r, err := unsealed(content)
	if err != nil {
		return nil, errors.Join(err, s.store.Remove(ctx, p.out()))
	}
	return r, nil
}

// clear removes the files of a job that is done.
func (s staging) clear(ctx context.Context, pieces []Piece) error {
	var names []string
	for _, p := range pieces {
		names = append(names, p.in(), p.out(), p.failure())
	}
	return s.store.Remove(ctx, append(names, pieces[0].Job)...)
}
