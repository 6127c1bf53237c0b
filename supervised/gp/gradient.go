package gp

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Sensitivity is the derivative of the log evidence: its first-order change is
// Σᵢⱼ DK[i,j]·dKᵢⱼ + DLogNoise·d(ln σ²).
type Sensitivity struct {
	LogEvidence float64
	DK          *mat.SymDense // with [kernel.Contract] it gives the derivative in θ
	DLogNoise   float64
}

// Gradient returns the log evidence and its derivative, R&W (5.9),
//
//	∂/∂K = ½(ααᵀ − A⁻¹),
//
// also at the best constant mean, where the derivative in m is zero. It overwrites k, of
// which only the upper triangle is read; n³ multiplications and 8n² bytes more.
func Gradient(ctx context.Context, k *mat.SymDense, y []float64, o Options) (*Sensitivity, error) {
	if y == nil {
		y = []float64{}
	}
	if err := o.validate(k.SymmetricDim(), y); err != nil {
		return nil, err
	}
	c, err := o.condition(ctx, k, o.linalg())
	if err != nil {
		return nil, err
	}
	p, err := c.given(ctx, y)
	if err != nil {
		return nil, err
	}
	inverse, err := c.factor.Inverse(ctx)
	if err != nil {
		return nil, err
	}
	s := &Sensitivity{LogEvidence: p.evidence(y, &o, c.factor.LogDet()).total(), DK: inverse}
	raw, alpha := inverse.RawSymmetric(), p.Coef.RawMatrix().Data
	for i, a := range alpha {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.N]
		for j := i; j < raw.N; j++ {
			if c.on(i) && c.on(j) {
				row[j] = (a*alpha[j] - row[j]) / 2
			} else {
				row[j] = 0
			}
		}
		if w := o.weight(i); w > 0 && o.Noise > 0 {
			s.DLogNoise += o.Noise * (row[i]/w + (1-w)/(2*o.noise(i)))
		}
	}
	return s, nil
}
