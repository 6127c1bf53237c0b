package mercer

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/unsupervised/pca"
)

// shrinkage is principal component analysis that shrinks its projections, the best that a linear
// method can do along the principal axes: what kernel PCA must beat to have gained by being
// non-linear. A score z of a noisy row becomes offset + factor·z, by the least squares of the
// scores of clean rows on those of noisy copies. With normal noise of variance σ² the factor
// comes to λ/(λ + σ²) for the variance λ of the component (Wiener's filter).
type shrinkage struct {
	linear         *pca.Model
	offset, factor []float64
}

// newShrinkage finds the factors on noisy copies of the training rows.
func (d *Denoiser) newShrinkage(train data.Vectors) (*shrinkage, error) {
	clean, err := d.linear.Transform(train)
	if err != nil {
		return nil, err
	}
	noisy, err := d.linear.Transform(d.o.Noise.add(train, d.least, d.most, d.o.Seed+2))
	if err != nil {
		return nil, err
	}
	n, q := clean.Dims()
	s := &shrinkage{linear: d.linear, offset: make([]float64, q), factor: make([]float64, q)}
	for j := range q {
		var x, y, xx, xy float64
		for i := range n {
			x += noisy.At(i, j) / float64(n)
			y += clean.At(i, j) / float64(n)
		}
		for i := range n {
			u := noisy.At(i, j) - x
			xx += u * u
			xy += u * (clean.At(i, j) - y)
		}
		if xx > 0 {
			s.factor[j] = min(max(xy/xx, 0), 1)
		}
		s.offset[j] = y - s.factor[j]*x
	}
	return s, nil
}

// remove shrinks the projections of rows.
func (s *shrinkage) remove(xs data.Vectors) (data.Vectors, error) {
	z, err := s.linear.Transform(xs)
	if err != nil {
		return data.Vectors{}, err
	}
	out := mat.DenseCopyOf(z)
	n, _ := out.Dims()
	for i := range n {
		row := out.RawRowView(i)
		for j := range row {
			row[j] = s.offset[j] + s.factor[j]*row[j]
		}
	}
	return s.linear.Inverse(out)
}
