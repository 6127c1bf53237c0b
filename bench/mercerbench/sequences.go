package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
)

// spectrum fills the Gram matrix of the spectrum kernel on sequences of bases.
type spectrum struct {
	k    seq.Spectrum
	xs   data.Slice[string]
	gram *mat.SymDense
}

// newSpectrum takes each row of x, numbers from 0 to 3, as a sequence.
func newSpectrum(dir string, p params) (work, error) {
	xs, err := readSequences(dir)
	return &spectrum{k: seq.Spectrum{K: p.K, Alphabet: seq.DNA}, xs: xs}, err
}

// readSequences reads the rows of x.
func readSequences(dir string) (data.Slice[string], error) {
	x, err := readMatrix(dir, "x")
	if err != nil {
		return nil, err
	}
	n, length := x.Dims()
	xs := make(data.Slice[string], n)
	for i := range xs {
		text := make([]byte, length)
		for j := range text {
			text[j] = "ACGT"[int(x.At(i, j))&3]
		}
		xs[i] = string(text)
	}
	return xs, nil
}

func (s *spectrum) forget() { s.gram = nil }

func (s *spectrum) run(ctx context.Context) (float64, error) {
	var err error
	s.gram, err = gram.Dense(ctx, kernel.Bind[string](s.k, s.xs, s.xs), compute.Options{})
	return 0, err
}

func (s *spectrum) save(_ context.Context, dir string) error { return writeSample(dir, s.gram.At) }

// gappedWords trains a classifier of sequences.
type gappedWords struct {
	k       kernel.Kernel[string]
	xs      data.Slice[string]
	y       []int
	c       float64
	checked int
	f       *model.Expansion[string]
	report  *svm.Report
}

func newGappedWords(dir string, p params) (work, error) {
	k := kernel.Normalized[string]{Of: seq.GKM{Filter: seq.CountFilter, Alphabet: seq.DNA, Both: true}} // l = 11, k = 7, d = 3
	xs, err := readSequences(dir)
	if err != nil {
		return nil, err
	}
	y, err := readClasses(dir)
	return &gappedWords{k: k, xs: xs, y: y, c: p.C, checked: p.K}, err
}

func (g *gappedWords) forget() { g.f, g.report = nil, nil }

func (g *gappedWords) run(ctx context.Context) (float64, error) {
	var err error
	g.f, g.report, err = svm.Fit(ctx, g.k, data.Set[string](g.xs), g.y, svm.Options{C: g.c})
	return 0, err
}

// save writes the coefficients of all rows, and the values of the first, with the intercept below
// them.
func (g *gappedWords) save(ctx context.Context, dir string) error {
	coef := mat.NewDense(len(g.xs), 1, nil)
	for i, row := range g.report.Support {
		coef.Set(row, 0, g.f.Coef.At(i, 0))
	}
	first, err := g.f.Predict(ctx, g.xs[:g.checked], compute.Options{})
	if err != nil {
		return err
	}
	values := mat.NewDense(g.checked+1, 1, nil)
	values.Copy(first)
	values.Set(g.checked, 0, g.f.Bias[0])
	if err := writeMatrix(dir, "values", values); err != nil {
		return err
	}
	return writeMatrix(dir, "result", coef)
}
