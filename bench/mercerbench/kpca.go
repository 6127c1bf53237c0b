package main

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/kpca"
)

// components is kernel PCA from the points on.
type components struct {
	matrix
	o      kpca.Options
	found  *model.Expansion[[]float64]
	report *kpca.Report
}

func newComponents(precision compute.Precision) func(string, params) (work, error) {
	return func(dir string, p params) (work, error) {
		m, err := loadGram(dir, p)
		if err != nil {
			return nil, err
		}
		return &components{matrix: *m, o: kpca.Options{Components: p.Components, Solver: kpca.Lanczos, Compute: compute.Options{Precision: precision}}}, nil
	}
}

func (c *components) forget() { c.found, c.report = nil, nil }

func (c *components) run(ctx context.Context) (float64, error) {
	var err error
	c.found, c.report, err = kpca.Fit(ctx, c.k, c.x, c.o)
	return 0, err
}

// save writes the eigenvalues nλ of the centred matrix and its unit eigenvectors
// √(nλ)·α, see package kpca.
func (c *components) save(_ context.Context, dir string) error {
	n := float64(c.x.Len())
	values := mat.NewDense(len(c.report.Variances), 1, nil)
	vectors := mat.DenseCopyOf(c.found.Coef)
	for j, variance := range c.report.Variances {
		values.Set(j, 0, n*variance)
		column := vectors.ColView(j).(*mat.VecDense)
		column.ScaleVec(math.Sqrt(n*variance), column)
	}
	if err := writeMatrix(dir, "result", vectors); err != nil {
		return err
	}
	return writeMatrix(dir, "values", values)
}
