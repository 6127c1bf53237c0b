package distributed

import (
	"context"
	"encoding/gob"
	"fmt"

	"example.org/mercer/pass"
)

func init() { gob.Register(reading{}) }

// reading is the job of a pass over rows: a piece is a run of these. Rows and Kernel are names of
// files.
type reading struct {
	Rows, Kernel string
	Job          pass.Job
}

// do computes a piece.
func (r reading) do(ctx context.Context, w *Worker, p Piece) ([]byte, error) {
	from, k, err := w.prepare(ctx, r.Rows, r.Kernel)
	if err != nil {
		return nil, err
	}
	if p.From < 0 || p.To > from.Len() || p.From >= p.To {
		return nil, fmt.Errorf("distributed: rows %d to %d of %d", p.From+1, p.To, from.Len())
	}
	w.count(ctx, "rows", p.To-p.From)
	along, err := p.along(ctx, w.Store)
	if err != nil {
		return nil, err
	}
	made, err := r.Job.Run(ctx, k, from, pass.Piece{From: p.From, To: p.To}, along, w.Compute)
	if err == nil {
		err = from.Err() // rows that cannot be read are zeros
	}
	if err != nil {
		w.forget()
		return nil, err
	}
	return appendResult(nil, made), nil
}

// along reads the numbers that go along with a piece; nil: none do.
func (p Piece) along(ctx context.Context, s Store) ([]float64, error) {
	if !p.Along {
		return nil, nil
	}
	content, err := s.Read(ctx, p.in())
	if err != nil {
		return nil, err
	}
	if p.key(content) != p.Key {
		return nil, fmt.Errorf("distributed: %s is not what was written there", p.in())
	}
	numbers, _, err := takeNumbers(content)
	return numbers, err
}
