package moments

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(sumsJob{}) }

// pieceBlocks is the number of blocks of a piece.
const pieceBlocks = 64

// send has a driver add up the rows. With row i go its targets and √wᵢ.
func send[T any](ctx context.Context, s *pass.Sender, shape Shape, r Rows[T]) (*Statistics, error) {
	n, width := r.Points.Len(), shape.Targets+1
	pieces := pass.Pieces(n, height, pieceBlocks)
	total, err := s.Run(ctx, sumsJob{shape}, pieces, func(piece int) ([]float64, error) {
		p := pieces[piece]
		numbers := make([]float64, width*(p.To-p.From))
		for i := p.From; i < p.To; i++ {
			r.beside(numbers[(i-p.From)*width:][:width], i)
		}
		return numbers, nil
	}, func(_ pass.Piece, beyond []float64) error {
		if len(beyond) == 2 {
			return &TooLarge{Row: int(beyond[0]), Times: beyond[1]}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := zero(shape)
	out.Rows = n
	if len(total) != limbs*len(out.words)/2 {
		return nil, fmt.Errorf("moments: workers add up %d numbers, and %d are wanted: they need the same program", len(total), limbs*len(out.words)/2)
	}
	for k := 0; k < len(out.words); k += 2 {
		v, err := joined(total[:limbs])
		if err != nil {
			return nil, err
		}
		out.words[k], out.words[k+1], total = int64(v.low), v.high, total[limbs:]
	}
	return out, out.positive()
}

// sumsJob adds up a piece. Of sums that are too large it returns zeros, and in place of numbers of
// the rows the two of the error.
type sumsJob struct{ Shape Shape }

// Run adds up a piece.
func (j sumsJob) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, o compute.Options) (r pass.Result, err error) {
	by, ok := k.(kernel.Mapped[[]float64])
	dim := 0
	if ok {
		dim, _ = by.Features(rows.At(p.From))
	}
	if dim != j.Shape.Features {
		return r, fmt.Errorf("moments: the kernel %s has %d features here, and %d where the pass comes from", k, dim, j.Shape.Features)
	}
	width := j.Shape.Targets + 1
	if len(numbers) != width*(p.To-p.From) {
		return r, fmt.Errorf("moments: %d numbers go along with %d rows, not %d with each", len(numbers), p.To-p.From, width)
	}
	s := zero(j.Shape)
	err = addRows(ctx, s, by, rows, p, func(dst []float64, i int) { copy(dst, numbers[(i-p.From)*width:]) }, o)
	r.Sums = make([]float64, 0, limbs*len(s.words)/2)
	var beyond *TooLarge
	if errors.As(err, &beyond) {
		return pass.Result{Sums: r.Sums[:cap(r.Sums)], Rows: []float64{float64(beyond.Row), beyond.Times}}, nil
	}
	for k := 0; k < len(s.words); k += 2 {
		r.Sums = wide{s.words[k+1], uint64(s.words[k])}.appendTo(r.Sums)
	}
	return r, err
}

// limbs is the number of those of a wide integer, of limbBits bits each, of which the last has the
// sign. As numbers in floating point they have exact sums over 2²¹ pieces and less.
const (
	limbs    = 4
	limbBits = 32
)

// appendTo appends the limbs of an integer, the lowest first.
func (a wide) appendTo(to []float64) []float64 {
	return append(to, float64(uint32(a.low)), float64(a.low>>limbBits), float64(uint32(a.high)), float64(a.high>>limbBits))
}

// joined is the integer of sums of limbs.
func joined(sums []float64) (wide, error) {
	const base = 1 << limbBits
	var low [limbs - 1]uint64
	carry := 0.0
	for k := range low {
		v := sums[k] + carry
		carry = math.Floor(v / base)
		low[k] = uint64(v - base*carry)
	}
	top := sums[limbs-1] + carry
	if top < -base/2 || top >= base/2 {
		return wide{}, errFull
	}
	return wide{int64(top)<<limbBits | int64(low[2]), low[1]<<limbBits | low[0]}, nil
}
