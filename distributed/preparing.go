package distributed

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"

	"example.org/mercer/data/prep"
)

func init() { gob.Register(preparing{}) }

// Prepare has a pass of the preparation made by workers, a run of rows for each piece.
func (t *Table) Prepare(ctx context.Context, p prep.Pass, runs []prep.Rows, done func(content []byte) error) (why string, err error) {
	s := t.staging()
	table, err := t.file(ctx)
	if err != nil {
		return "", err
	}
	name, err := s.file(ctx, "jobs", sentJob{preparing{Table: table, Pass: p}})
	if err != nil {
		return "", err
	}
	pieces := make([]Piece, len(runs))
	for i, r := range runs {
		pieces[i] = Piece{Job: name, From: r.From, To: r.To}
		pieces[i].Key = pieces[i].key(nil)
	}
	made, why, err := s.prepared(ctx, pieces)
	for _, content := range made {
		if err == nil {
			err = done(content)
		}
	}
	if err != nil {
		return "", err
	}
	return why, s.clear(ctx, pieces)
}

// prepared has pieces worked on, and returns what was found in each, or why one could not be read.
func (s staging) prepared(ctx context.Context, pieces []Piece) (made [][]byte, why string, err error) {
	missing, err := s.missing(ctx, pieces)
	if err == nil {
		err = s.work(ctx, missing)
	}
	for _, p := range pieces {
		var content []byte
		if err == nil {
			content, err = s.result(ctx, p)
		}
		var r prepared
		if err == nil {
			err = gob.NewDecoder(bytes.NewReader(content)).Decode(&r)
		}
		if err != nil {
			return nil, "", fmt.Errorf("rows %d to %d: %w", p.From+1, p.To, err)
		}
		if r.Why != "" {
			return nil, r.Why, nil
		}
		made = append(made, r.Content)
	}
	return made, "", nil
}

// preparing is the job of a pass of a preparation: a piece is a run of rows of the table.
type preparing struct {
	Table string
	Pass  prep.Pass
}

// prepared is what was found in a run, or why it could not be read.
type prepared struct {
	Content []byte
	Why     string
}

// do reads a run. One that cannot be prepared is no failure of the piece: the command tries it
// itself, so that errors are those without workers.
func (r preparing) do(ctx context.Context, w *Worker, p Piece) ([]byte, error) {
	w.count(ctx, "rows", p.To-p.From)
	var content []byte
	table, err := w.table(ctx, r.Table)
	if err == nil {
		content, err = r.Pass.Run(ctx, table, prep.Rows{From: p.From, To: p.To})
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		w.forget()
		return encode(prepared{Why: err.Error()})
	}
	return encode(prepared{Content: content})
}
