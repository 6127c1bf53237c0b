package rkhs

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// EffectiveDimension is that of a ridge λ: the degrees of freedom of ridge regression.
type EffectiveDimension struct {
	Lambda    float64 `json:"lambda"`
	Effective float64 `json:"effective"` // tr K(K + nλI)⁻¹
}

// SpectralDimension says how many directions the points take up, by the eigenvalues λᵢ of their
// Gram matrix.
type SpectralDimension struct {
	Rank int `json:"rank"` // eigenvalues above n·2⁻⁵² of the largest
	// Participation is (Σλᵢ)²/Σλᵢ², the number of equal eigenvalues that would spread so.
	Participation float64              `json:"participation"`
	Dimensions    []EffectiveDimension `json:"dimensions"`
	// Note is about negative eigenvalues beyond rounding, or empty.
	Note        string    `json:"note,omitempty"`
	Eigenvalues []float64 `json:"-"` // of K, the largest first
}

// EffectiveDimensions returns the effective dimension tr K(K + nλI)⁻¹ = Σ λᵢ/(λᵢ + nλ) for every λ
// > 0, the degrees of freedom of ridge regression with that λ. It holds the matrix twice, 16n²
// bytes, and is refused where that is more than o.MaxMemory; 4n³/3 flops.
func EffectiveDimensions(ctx context.Context, k Gram, lambdas []float64, o compute.Options) (*SpectralDimension, error) {
	n, _ := k.Dims()
	for _, l := range lambdas {
		if !(l > 0) || math.IsInf(l, 1) {
			return nil, fmt.Errorf("rkhs: λ = %v: the effective dimension needs a positive number", l)
		}
	}
	if need := 16 * int64(n) * int64(n); o.MaxMemory > 0 && need > o.MaxMemory {
		return nil, &compute.TooLarge{What: fmt.Sprintf("the eigenvalues of a Gram matrix of %d points", n), Need: need, Limit: o.MaxMemory}
	}
	matrix, err := gram.Materialize(ctx, k, o)
	if err != nil {
		return nil, err
	}
	values, err := gram.Spectrum(ctx, matrix, o)
	if err != nil {
		return nil, err
	}
	s := &SpectralDimension{Eigenvalues: values, Note: gram.IndefiniteNote(values)}
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum, squares = sum+v, squares+v*v
		if v > float64(n)*0x1p-52*values[0] {
			s.Rank++
		}
	}
	if squares > 0 {
		s.Participation = sum * sum / squares
	}
	for _, l := range lambdas {
		s.Dimensions = append(s.Dimensions, EffectiveDimension{Lambda: l, Effective: gram.EffectiveDimension(values, float64(n)*l)})
	}
	return s, nil
}
