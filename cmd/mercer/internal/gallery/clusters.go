package gallery

import (
	"context"
	"fmt"
	"strings"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/kmeans"
)

var clusterFigures = []Figure{
	{Name: "kmeans", Title: "k-means: points go to the nearest centroid", Formula: "lᵢ ← arg minⱼ ‖xᵢ − Cⱼ‖²,  Cⱼ ← (1/nⱼ) Σ_{lᵢ = j} xᵢ", Takes: Plane,
		draw:     drawKMeans,
		Commands: []string{"mercer cluster kmeans points.csv --clusters 3 --plot kmeans.png"},
		See:      "The regions are bounded by lines half-way between centroids. From a poor start, all in one cluster, the iteration ends in a local minimum of the sum of squared distances; the best of ten random starts finds the clusters."},
	{Name: "kernel-kmeans", Title: "k-means and kernel k-means on rings", Formula: "‖Φ(xᵢ) − μⱼ‖² = k(xᵢ, xᵢ) − (2/nⱼ) Σ_{l∈Sⱼ} k(xᵢ, x_l) + (1/nⱼ²) Σ_{l,m∈Sⱼ} k(x_l, x_m)", Takes: Classes,
		draw:     drawKernelKMeans,
		Commands: []string{"mercer cluster kernel-kmeans points.csv --clusters 2 --kernel 'rbf(sigma=0.35)' --plot rings.png"},
		See:      "Shapes are the true rings, colours the clusters. A line must cut both rings; clusters in the feature space of a Gaussian kernel follow them."},
}

// groups returns the names of the clusters that a figure should find.
func (p *Points) groups() []string {
	n := max(2, len(p.Named))
	if p.Labels == nil {
		n = 3
	}
	var names []string
	for k := range n {
		names = append(names, fmt.Sprintf("cluster %d", k+1))
	}
	return names
}

func drawKMeans(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(blobs)
	names := p.groups()
	n := len(names)
	// A poor start: the first rows of the table.
	start := p.X.Gather(firsts(n))
	g := over(p.X, 0.12, 121)
	sheet := figure.Sheet{Columns: 4, Width: 6.6, Height: 6, Small: true}
	for _, run := range []struct {
		title string
		o     kmeans.Options
	}{
		{"start: the first rows", kmeans.Options{}},
		{"after 1 step", kmeans.Options{Start: start, MaxIterations: 1}},
		{"the end: sum %.3g", kmeans.Options{Start: start, MaxIterations: 300}},
		{"ten other starts: %.3g", kmeans.Options{Seed: s.Seed}},
	} {
		c := &kmeans.Clusters{Centres: start}
		if run.o.Start.Len() > 0 || run.o.Seed > 0 {
			run.o.Tolerance, run.o.Compute = -1, s.Compute
			var report *kmeans.Report
			var err error
			if c, report, err = kmeans.FitVectors(ctx, p.X, n, run.o); err != nil {
				return nil, err
			}
			if strings.Contains(run.title, "%") {
				run.title = fmt.Sprintf(run.title, report.Objective)
			}
		}
		labels, _, err := c.Assign(ctx, p.X, s.Compute.Workers)
		if err != nil {
			return nil, err
		}
		regions, _, err := c.Assign(ctx, g.points, s.Compute.Workers)
		if err != nil {
			return nil, err
		}
		layers := append([]figure.Layer{g.cells(regions)}, classDots(p.X, labels, names)...)
		layers = append(layers, figure.Dots{Name: "centroid", X: column(c.Centres, 0), Y: column(c.Centres, 1), Ink: figure.Black, Shape: figure.Cross, Size: 4.5})
		panel := p.axes(run.title, layers...)
		panel.Bounds, panel.Equal = g.bounds, true
		sheet.Panels = append(sheet.Panels, panel)
	}
	return sheet, nil
}

// firsts returns 0, …, n−1.
func firsts(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// cells arranges classes at the points of the grid.
func (g lattice) cells(class []int) figure.Cells {
	c := figure.Cells{Xs: g.xs, Ys: g.ys}
	for j := range g.ys {
		c.Class = append(c.Class, class[j*len(g.xs):(j+1)*len(g.xs)])
	}
	return c
}

func drawKernelKMeans(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(func(r *random) *Points { return rings(r, 90, 0.08, 0.4, 1.4) })
	k, err := s.gaussian(ctx, p, 0.35)
	if err != nil {
		return nil, err
	}
	names := p.groups()
	n := len(names)
	g := over(p.X, 0.1, 121)
	options := kmeans.Options{Restarts: 40, Seed: s.Seed, Compute: s.Compute}
	flat, _, err := kmeans.FitVectors(ctx, p.X, n, options)
	if err != nil {
		return nil, err
	}
	regions, _, err := flat.Assign(ctx, g.points, s.Compute.Workers)
	if err != nil {
		return nil, err
	}
	f, report, err := kmeans.Fit(ctx, vec.Kernel(k), p.X, n, options)
	if err != nil {
		return nil, err
	}
	values, err := f.Predict(ctx, g.points, s.Compute)
	if err != nil {
		return nil, err
	}
	left := p.axes("k-means", append([]figure.Layer{g.cells(regions)}, p.clustered(flat.Labels, names)...)...)
	right := p.axes("kernel k-means, "+kernelName(k), append([]figure.Layer{g.cells(model.Largest(values))}, p.clustered(report.Solution.Labels, names)...)...)
	left.Bounds, right.Bounds, left.Equal, right.Equal = g.bounds, g.bounds, true, true
	return figure.Sheet{Panels: []figure.Panel{left, right}}, nil
}

// clustered returns the points with the colours of clusters and the shapes of classes.
func (p *Points) clustered(clusters []int, names []string) []figure.Layer {
	var out []figure.Layer
	for class, label := range p.Named {
		for k, name := range names {
			d := figure.Dots{Ink: figure.Ink(k), Shape: figure.ShapeOf(class), Name: label + " in " + name}
			for i := range clusters {
				if p.Labels[i] == class && clusters[i] == k {
					d.X, d.Y = append(d.X, p.X.At(i)[0]), append(d.Y, p.X.At(i)[1])
				}
			}
			out = append(out, d)
		}
	}
	return out
}
