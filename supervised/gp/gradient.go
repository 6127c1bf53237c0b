package gp

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/space"
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
// also at the best constant mean, where the derivative in m is zero. It takes k over, of
// which only the upper triangle is read; n³ multiplications and 8n² bytes more.
func Gradient(ctx context.Context, k *mat.SymDense, y []float64, o Options) (*Sensitivity, error) {
	if y == nil {
		y = []float64{}
	}
	if err := o.validate(k.SymmetricDim(), y); err != nil {
		return nil, err
	}
	f, err := o.regress(ctx, space.NewDual(k, o.linalg()), y)
	if err != nil {
		return nil, err
	}
	e, _, err := f.evidence(ctx, y, &o)
	if err != nil {
		return nil, err
	}
	inverse, err := f.Factor.(space.Inverter).Inverse(ctx)
	if err != nil {
		return nil, err
	}
	s := &Sensitivity{LogEvidence: e.total(), DK: inverse}
	raw, alpha := inverse.RawSymmetric(), f.Theta.RawMatrix().Data
	for i, a := range alpha {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.N]
		for j := i; j < raw.N; j++ {
			row[j] = (a*alpha[j] - row[j]) / 2
		}
		if w := o.weight(i); w > 0 && o.Noise > 0 {
			s.DLogNoise += o.Noise * (row[i]/w + (1-w)/(2*o.noise(i)))
		}
	}
	return s, nil
}
