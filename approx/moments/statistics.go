package moments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg/level3"
)

// Shape says what the rows of sums are, all that sums have in common that can be added.
type Shape struct {
	Features int `json:"features"` // D
	Targets  int `json:"targets"`  // p
	// Steps are the exponents e of the steps 2^e: one for all features, one for each target, and
	// one for the roots of the weights.
	Steps Steps `json:"steps"`
}

// Steps are exponents of two.
type Steps struct {
	Features int   `json:"features"`
	Targets  []int `json:"targets"`
	Roots    int   `json:"roots"`
}

// size is the number of rows of S.
func (s Shape) size() int { return s.Features + s.Targets + 1 }

// Words is the number of words that sums of the shape have, 8 bytes each.
func (s Shape) Words() int { return s.size() * (s.size() + 1) }

// columns returns the exponents of the columns of a row.
func (s Shape) columns() []int {
	return append(append(slices.Repeat([]int{s.Steps.Features}, s.Features), s.Steps.Targets...), s.Steps.Roots)
}

// check returns why there are no sums of this shape.
func (s Shape) check() error {
	const most = 900 // numbers of 2^900 and their squares are far from what anything is measured in
	if s.Features < 1 || s.Targets < 1 || len(s.Steps.Targets) != s.Targets {
		return fmt.Errorf("moments: %d features, %d targets and %d steps of targets: each row has at least one of both, and each target a step", s.Features, s.Targets, len(s.Steps.Targets))
	}
	for _, e := range append([]int{s.Steps.Features, s.Steps.Roots}, s.Steps.Targets...) {
		if e < -most || e > most {
			return fmt.Errorf("moments: a step of 2^%d: numbers are as large or as small as no measurement is; scale them", e)
		}
	}
	return nil
}

// same reports whether sums of two shapes can be added.
func (s Shape) same(t Shape) bool {
	return s.Features == t.Features && s.Targets == t.Targets && s.Steps.Features == t.Steps.Features && s.Steps.Roots == t.Steps.Roots && slices.Equal(s.Steps.Targets, t.Steps.Targets)
}

// Statistics are S of some rows.
type Statistics struct {
	Shape
	Rows int // how many there are, those of weight zero included
	// words are the integers on and above the diagonal, row by row: the low word and the high
	// one of each.
	words []int64
}

// zero returns the sums of no rows.
func zero(s Shape) *Statistics { return &Statistics{Shape: s, words: make([]int64, s.Words())} }

// FromWords returns the sums of rows whose integers are words, as [Statistics.Words] gave them. The
// words are used, not copied.
func FromWords(shape Shape, rows int, words []int64) (*Statistics, error) {
	if err := shape.check(); err != nil {
		return nil, err
	}
	if rows < 1 || len(words) != shape.Words() {
		return nil, fmt.Errorf("moments: %d words for the sums of %d rows: there is at least one row, and %d features and %d targets have %d words", len(words), rows, shape.Features, shape.Targets, shape.Words())
	}
	s := &Statistics{Shape: shape, Rows: rows, words: words}
	return s, s.positive()
}

// Words returns the integers: a view.
func (s *Statistics) Words() []int64 { return s.words }

// Bytes returns what sums of D features and p targets take, in memory and in a file: 8 bytes
// for each element of a square matrix.
func Bytes(features, targets int) int64 {
	size := int64(features + targets + 1)
	return 8 * size * (size + 1)
}

// at returns element (i, j) of S, i ≤ j, in units of both steps.
func (s *Statistics) at(i, j int) wide {
	k := s.place(i, j)
	return wide{s.words[k+1], uint64(s.words[k])}
}

// place is the index of the low word of element (i, j), i ≤ j.
func (s *Statistics) place(i, j int) int { return 2 * (i*s.size() - i*(i-1)/2 + j - i) }

// Plus returns the sums of the rows of both.
func (s *Statistics) Plus(t *Statistics) (*Statistics, error) { return s.combined(t, 1) }

// Minus returns the sums of the rows of s without those of t. That they were among them is
// for the caller to know: here it is only seen that some are left, and that no sum of squares
// becomes negative.
func (s *Statistics) Minus(t *Statistics) (*Statistics, error) { return s.combined(t, -1) }

func (s *Statistics) combined(t *Statistics, sign int) (*Statistics, error) {
	if !s.same(t.Shape) {
		return nil, fmt.Errorf("moments: sums of %d features and %d targets and of %d and %d, or in other steps: they are of different models", s.Features, s.Targets, t.Features, t.Targets)
	}
	out := &Statistics{Shape: s.Shape, Rows: s.Rows + sign*t.Rows, words: make([]int64, len(s.words))}
	if out.Rows < 1 {
		return nil, fmt.Errorf("moments: %d rows less %d: nothing would be left to learn from", s.Rows, t.Rows)
	}
	for k := 0; k < len(out.words); k += 2 {
		a, b := wide{s.words[k+1], uint64(s.words[k])}, wide{t.words[k+1], uint64(t.words[k])}
		if sign < 0 {
			b = b.negative()
		}
		c := a.add(b)
		out.words[k], out.words[k+1] = int64(c.low), c.high
	}
	return out, out.positive()
}

var (
	errNegative = errors.New("moments: a sum of squares is negative: rows were taken out that were not in")
	errFull     = errors.New("moments: the sums have outgrown 128 bits: fit again, so that the steps are chosen anew")
)

// positive looks at the diagonal. Elements beside it are smaller than the larger of theirs, so
// that none has overflown where these have room left.
func (s *Statistics) positive() error {
	if err := s.room(); err != nil {
		return err
	}
	if s.at(s.size()-1, s.size()-1) == (wide{}) {
		return errors.New("moments: the weights of the rows add up to zero: nothing is left to learn from")
	}
	return nil
}

// room looks whether the integers have some left.
func (s *Statistics) room() error {
	for i := range s.size() {
		switch d := s.at(i, i); {
		case d.high < 0:
			return errNegative
		case d.high >= 1<<61:
			return errFull
		}
	}
	return nil
}

// workspace is what the products of a block of rows take.
type workspace struct {
	digits  []*mat.Dense // the lower ones
	both    *mat.Dense
	product *mat.SymDense
	workers int
}

func newWorkspace(size, workers int) *workspace {
	return &workspace{both: mat.NewDense(height, size, nil), product: mat.NewSymDense(size, nil), workers: workers}
}

// digit returns the matrix for digits of one place, cut to some rows.
func (w *workspace) digit(place, rows int) *mat.Dense {
	size := w.product.SymmetricDim()
	if place == len(w.digits) {
		w.digits = append(w.digits, mat.NewDense(height, size, nil))
	}
	return w.digits[place].Slice(0, rows, 0, size).(*mat.Dense)
}

// add adds the products of rows of whole numbers up to most, which it uses up.
func (s *Statistics) add(ctx context.Context, w *workspace, a *mat.Dense, most float64) error {
	rows, size := a.Dims()
	var digits []*mat.Dense
	for range digitCount(most) - 1 {
		low := w.digit(len(digits), rows)
		split(low, a)
		digits = append(digits, low)
	}
	digits = append(digits, a)
	both := w.both.Slice(0, rows, 0, size).(*mat.Dense)
	for t, low := range digits {
		places := []term{{shift: 2 * t}}
		for u := range digits {
			if u != t {
				places = append(places, term{t + u, true})
			}
		}
		if err := s.take(ctx, w, low, places); err != nil {
			return err
		}
		for u, high := range digits[t+1:] {
			both.Add(low, high)
			if err := s.take(ctx, w, both, []term{{shift: 2*t + 1 + u}}); err != nil {
				return err
			}
		}
	}
	s.Rows += rows
	return s.room()
}

// term is ±2^(digitBits·shift).
type term struct {
	shift    int
	negative bool
}

// rowsTaken is the number of rows of a product that are added by one piece of work.
const rowsTaken = 32

// take adds AᵀA, the elements of which are below 2⁵³, times the sum of some terms.
func (s *Statistics) take(ctx context.Context, w *workspace, a *mat.Dense, places []term) error {
	p := w.product.RawSymmetric()
	level3.Implementation{Workers: w.workers}.Syrk(blas.Trans, 1, a.RawMatrix(), 0, p)
	return parallel.Each(ctx, w.workers, (p.N+rowsTaken-1)/rowsTaken, func(_, piece int) {
		for i := piece * rowsTaken; i < min((piece+1)*rowsTaken, p.N); i++ {
			words := s.words[s.place(i, i):]
			for _, v := range p.Data[i*p.Stride+i : i*p.Stride+p.N] {
				total := wide{words[1], uint64(words[0])}
				for _, t := range places {
					by := int64(v)
					if t.negative {
						by = -by
					}
					total = total.add(shifted(by, uint(digitBits*t.shift)))
				}
				words[0], words[1] = int64(total.low), total.high
				words = words[2:]
			}
		}
	})
}
