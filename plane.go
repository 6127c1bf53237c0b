package mercer

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

// View is a plane to look at the rows in: two features, as the table has them, where there
// are no more; otherwise the first two principal components in the feature space of the
// kernel. What has one dimension is drawn over the number of the row.
type View struct {
	X, Y   string
	Points [][2]float64

	// On vectors that are seen as they are a point of the plane is A·x + b.
	linear *mat.Dense // 2×d
}

// ViewRows finds the plane of the rows.
func ViewRows(ctx context.Context, p *task.Task, o compute.Options) (*View, error) {
	if v := featureView(p); v != nil {
		return v, nil
	}
	n, d, _ := p.Dims()
	count := min(2, n)
	if p.Points.Kind() == task.OnVectors && p.Points.Text() == (vec.Linear{}).String() {
		m, r, err := pca.Fit(ctx, p.Rows.X, pca.Options{Components: min(count, d), Weights: p.Rows.W, Compute: o})
		if err != nil {
			return nil, err
		}
		scores, err := m.Transform(p.Rows.X)
		if err != nil {
			return nil, err
		}
		v := ViewOf(scores, outcome.ForComponents(r.Components).Outputs)
		if r.Components == 2 {
			v.linear = m.Components
		}
		return v, nil
	}
	m, err := Fit(ctx, p, methods.KPCA{Options: kpca.Options{Components: count, Compute: o}}, 0)
	if err != nil {
		return nil, err
	}
	scores, err := m.On(ctx, p, o)
	if err != nil {
		return nil, err
	}
	return ViewOf(scores.Values, m.Decision.Outputs), nil
}

// featureView returns the plane of one or two numeric features, else nil.
func featureView(p *task.Task) *View {
	names, _ := p.Prep.Features()
	if p.Points.Kind() != task.OnVectors || len(names) > 2 {
		return nil
	}
	values := mat.NewDense(p.Rows.X.Len(), len(names), nil)
	slopes := mat.NewDense(len(names), len(names), nil)
	for j := range names {
		zero, ok := p.Prep.Original(j, 0)
		if !ok {
			return nil
		}
		one, _ := p.Prep.Original(j, 1)
		slopes.Set(j, j, one-zero)
		for i := range p.Rows.X.Len() {
			v, _ := p.Prep.Original(j, p.Rows.X.At(i)[j])
			values.Set(i, j, v)
		}
	}
	v := ViewOf(values, names)
	if len(names) == 2 {
		v.linear = slopes
	}
	return v
}

// ViewOf is the plane of the first two columns of some values, which have names.
func ViewOf(values *mat.Dense, names []string) *View {
	n, m := values.Dims()
	v := &View{X: names[0], Points: make([][2]float64, n)}
	if m == 1 {
		v.X, v.Y = "row", names[0]
		for i := range n {
			v.Points[i] = [2]float64{float64(i + 1), values.At(i, 0)}
		}
		return v
	}
	v.Y = names[1]
	for i := range n {
		v.Points[i] = [2]float64{values.At(i, 0), values.At(i, 1)}
	}
	return v
}

// Linear reports whether the plane is a linear map of vectors, so that it has shadows of
// Gaussians.
func (v *View) Linear() bool { return v.linear != nil }

// Shadow is a Gaussian component as a plane shows it.
type Shadow struct {
	Mean       [2]float64
	Covariance [2][2]float64
}

// Shadows projects the components of a mixture to the plane of its rows: a linear map of a
// Gaussian is one, with the covariance AΣAᵀ. It is an error for a model that is no mixture, or a
// plane that is no linear map.
func (v *View) Shadows(m *Model, p *task.Task) ([]Shadow, error) {
	f, ok := task.MixtureOf(m.Function)
	if !ok || v.linear == nil {
		return nil, fmt.Errorf("mercer: ellipses are the shadows of Gaussians in a plane of vectors, and the model was made by method %q", m.Method)
	}
	// The offset of the map is that of the first row.
	at := func(x []float64) (out [2]float64) {
		first := p.Rows.X.At(0)
		for r := range out {
			out[r] = v.Points[0][r]
			for c, a := range v.linear.RawRowView(r) {
				out[r] += a * (x[c] - first[c])
			}
		}
		return out
	}
	shadows := make([]Shadow, f.Gaussians.Means.Len())
	for j := range shadows {
		shadows[j].Mean = at(f.Gaussians.Means.At(j))
		var turned, seen mat.Dense
		turned.Mul(v.linear, covarianceOf(f.Gaussians, j))
		seen.Mul(&turned, v.linear.T())
		for a := range 2 {
			for b := range 2 {
				shadows[j].Covariance[a][b] = seen.At(a, b)
			}
		}
	}
	return shadows, nil
}

// covarianceOf returns Σ_j of a mixture.
func covarianceOf(m *gmm.Mixture, j int) mat.Symmetric {
	switch m.Shape {
	case gmm.Full:
		return m.Covariances[j]
	case gmm.Tied:
		return m.Covariances[0]
	}
	d := m.Means.Dim()
	c, v := mat.NewDiagDense(d, nil), m.Variances.At(j)
	for a := range d {
		c.SetDiag(a, v[min(a, len(v)-1)])
	}
	return c
}
