package construction

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/kernel/explanation"
)

// Words describes a kernel that compares all words of two points,
//
//	k(x, y) = Σ_{u in x, v in y} κ(⟨u, v⟩/K),   κ(t) = exp((t − 1)/σ²),
//
// where a word of K symbols is the matrix with a 1 at each symbol in its place, so that ⟨u, v⟩
// counts the places in which two words agree. It is the kernel of one layer of a convolutional
// kernel network.
type Words[T any] struct {
	Column string // of a record, that holds x; "": x is no cell
	K      int
	// Symbols are those of the alphabet.
	Symbols []string
	Sigma   float64
	// Contains returns why x has no words.
	Contains func(x T) error
	// Places returns what x is made of.
	Places func(x T) []explanation.Place
	// List visits the words of x, as numbers of symbols, with the first of their places and their
	// name. What is visited may be overwritten after the visit.
	List func(ctx context.Context, x T, visit func(w Word)) error
}

// Word is one word of a point.
type Word struct {
	Symbols []rune
	Place   int    // the first of its K places, on either strand
	Name    string // as it is written
}

func (Words[T]) construction(T) {}

// Dim is the number of entries of the matrix of a word.
func (w Words[T]) Dim() int { return w.K * len(w.Symbols) }

// Kappa returns κ(t).
func (w Words[T]) Kappa(t float64) float64 { return math.Exp((t - 1) / (w.Sigma * w.Sigma)) }

// OfColumn notes of words that they stand in a column of a record.
func OfColumn[T any](f Features[T], column string) Features[T] {
	switch f := f.(type) {
	case Words[T]:
		within := f.Contains
		f.Column, f.Contains = column, func(x T) error {
			if err := within(x); err != nil {
				return fmt.Errorf("column %s: %w", column, err)
			}
			return nil
		}
		return f
	case Rescaled[T]:
		f.Of = OfColumn(f.Of, column)
		return f
	}
	return f
}

// pullWords lists the words of the images.
func pullWords[S, T any](w Words[T], by func(x S) T) Words[S] {
	return Words[S]{Column: w.Column, K: w.K, Symbols: w.Symbols, Sigma: w.Sigma,
		Contains: func(x S) error { return w.Contains(by(x)) },
		Places:   func(x S) []explanation.Place { return w.Places(by(x)) },
		List:     func(ctx context.Context, x S, visit func(Word)) error { return w.List(ctx, by(x), visit) }}
}
