package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/kernel/seq"
)

// spectrum fills the Gram matrix of the spectrum kernel on sequences of bases.
type spectrum struct {
	k    seq.Spectrum
	xs   data.Slice[string]
	gram *mat.SymDense
}

// newSpectrum writes each row of x, numbers from 0 to 3, as a sequence.
func newSpectrum(dir string, p params) (work, error) {
	x, err := readMatrix(dir, "x")
	if err != nil {
		return nil, err
	}
	n, length := x.Dims()
	s := &spectrum{k: seq.Spectrum{K: p.K, Alphabet: seq.DNA}, xs: make(data.Slice[string], n)}
	for i := range s.xs {
		text := make([]byte, length)
		for j := range text {
			text[j] = "ACGT"[int(x.At(i, j))&3]
		}
		s.xs[i] = string(text)
	}
	return s, nil
}

func (s *spectrum) forget() { s.gram = nil }

func (s *spectrum) run(ctx context.Context) (float64, error) {
	var err error
	s.gram, err = gram.Dense(ctx, kernel.Bind[string](s.k, s.xs, s.xs), gram.Options{})
	return 0, err
}

func (s *spectrum) save(_ context.Context, dir string) error { return writeSample(dir, s.gram.At) }
