package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
)

// mixture fits Gaussians with full covariances by EM, from given means.
type mixture struct {
	x     data.Vectors
	o     gmm.Options
	k     int
	found *gmm.Mixture
}

func newMixture(dir string, p params) (work, error) {
	x, err := readVectors(dir, "x")
	if err != nil {
		return nil, err
	}
	means, err := readVectors(dir, "start")
	if err != nil {
		return nil, err
	}
	start := &gmm.Mixture{Shape: gmm.Full, Means: means}
	unit := mat.NewSymDense(x.Dim(), nil)
	for i := range x.Dim() {
		unit.SetSym(i, i, 1)
	}
	for range p.K {
		start.Weights = append(start.Weights, 1/float64(p.K))
		start.Covariances = append(start.Covariances, unit)
	}
	// A tolerance that no step undercuts: all iterations are done.
	return &mixture{x: x, k: p.K, o: gmm.Options{Start: start, MaxIterations: p.Iterations, Tolerance: 1e-300}}, nil
}

func (m *mixture) forget() { m.found = nil }

func (m *mixture) run(ctx context.Context) (float64, error) {
	var err error
	m.found, _, err = gmm.Fit(ctx, m.x, m.k, gmm.Full, m.o)
	return 0, err
}

// save writes a row for each component: its weight, mean and covariance.
func (m *mixture) save(_ context.Context, dir string) error {
	d := m.x.Dim()
	out := mat.NewDense(m.k, 1+d+d*d, nil)
	for j := range m.k {
		row := append([]float64{m.found.Weights[j]}, m.found.Means.At(j)...)
		for a := range d {
			for b := range d {
				row = append(row, m.found.Covariances[j].At(a, b))
			}
		}
		out.SetRow(j, row)
	}
	return writeMatrix(dir, "result", out)
}

// centres is k-means on vectors, from given centres.
type centres struct {
	x     data.Vectors
	o     kmeans.Options
	k     int
	found *kmeans.Clusters
}

func newCentres(dir string, p params) (work, error) {
	x, err := readVectors(dir, "x")
	if err != nil {
		return nil, err
	}
	start, err := readVectors(dir, "start")
	return &centres{x: x, k: p.K, o: kmeans.Options{Start: start, MaxIterations: p.Iterations}}, err
}

func (c *centres) forget() { c.found = nil }

func (c *centres) run(ctx context.Context) (float64, error) {
	var err error
	c.found, _, err = kmeans.FitVectors(ctx, c.x, c.k, c.o)
	return 0, err
}

func (c *centres) save(_ context.Context, dir string) error {
	return writeMatrix(dir, "result", mat.NewDense(c.k, c.x.Dim(), c.found.Centres.Raw()))
}

// kernelClusters is kernel k-means from the points on, from given labels.
type kernelClusters struct {
	matrix
	o      kmeans.Options
	k      int
	labels []int
}

func newKernelClusters(precision compute.Precision) func(string, params) (work, error) {
	return func(dir string, p params) (work, error) {
		m, err := loadGram(dir, p)
		if err != nil {
			return nil, err
		}
		start, err := readMatrix(dir, "labels")
		if err != nil {
			return nil, err
		}
		o := kmeans.Options{MaxIterations: p.Iterations, StartLabels: make([]int, m.x.Len()), Compute: compute.Options{Precision: precision}}
		for i := range o.StartLabels {
			o.StartLabels[i] = int(start.At(i, 0))
		}
		return &kernelClusters{matrix: *m, o: o, k: p.K}, nil
	}
}

func (c *kernelClusters) forget() { c.labels = nil }

func (c *kernelClusters) run(ctx context.Context) (float64, error) {
	_, report, err := kmeans.Fit(ctx, c.matrix.k, c.x, c.k, c.o)
	if err == nil {
		c.labels = report.Solution.Labels
	}
	return 0, err
}

func (c *kernelClusters) save(_ context.Context, dir string) error {
	out := mat.NewDense(len(c.labels), 1, nil)
	for i, j := range c.labels {
		out.Set(i, 0, float64(j))
	}
	return writeMatrix(dir, "result", out)
}
