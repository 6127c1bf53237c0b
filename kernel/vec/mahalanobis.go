package vec

import (
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
)

// Mahalanobis is k(x, y) = Of(Lx, Ly) with a linear map L, so that a kernel of the distance
// compares points by
//
//	‖Lx − Ly‖² = (x − y)ᵀM(x − y),   M = LᵀL
//
// (Mahalanobis, On the generalized distance in statistics, 1936). It is positive definite
// where Of is, as a kernel after a map. L is diagonal, one scale for each coordinate, or a
// square matrix; package mahalanobis learns either. Of sees the coordinates of Lx.
// [NewMahalanobis] makes one; the zero value is no kernel.
type Mahalanobis struct {
	kernel.Composed[[]float64, []float64]
	scales []float64 // of a diagonal L
	matrix []float64 // row-major d×d; nil: diagonal
}

// NewMahalanobis returns the kernel of the map x ↦ (s₁x₁, …, s_d x_d) for scales, or of the
// d×d matrix L whose rows follow one another in matrix; one of the two is nil. The error
// is about numbers that are not finite, a matrix that is not square, and a kernel that
// chooses coordinates of Lx by the names of those of x.
func NewMahalanobis(of Kernel, scales, matrix []float64) (Mahalanobis, error) {
	k := Mahalanobis{scales: scales, matrix: matrix}
	switch d := k.dim(); {
	case (len(scales) == 0) == (len(matrix) == 0):
		return k, fmt.Errorf("mahalanobis: give either scales, one for each coordinate, or a matrix")
	case len(matrix) != 0 && d*d != len(matrix):
		return k, fmt.Errorf("mahalanobis: %d numbers are not a square matrix: give d·d of them, row after row", len(matrix))
	}
	for i, v := range scales {
		if err := finiteNumber(fmt.Sprintf("mahalanobis: scales[%d]", i), v); err != nil {
			return k, err
		}
	}
	for i, v := range matrix {
		if err := finiteNumber(fmt.Sprintf("mahalanobis: L[%d,%d]", i/k.dim(), i%k.dim()), v); err != nil {
			return k, err
		}
	}
	if selects(of) {
		return k, fmt.Errorf("mahalanobis: %s chooses columns, which are mixed under the map: choose them outside, as in mahalanobis(…)[columns]", of)
	}
	k.Composed = kernel.Composed[[]float64, []float64]{Of: of, By: k.image, Text: k.mapText()}
	return k, nil
}

// selects reports whether a part of k chooses coordinates.
func selects(k Kernel) bool {
	switch k := k.(type) {
	case Columns:
		return true
	case kernel.Compound[[]float64]:
		for _, part := range k.Parts() {
			if selects(part) {
				return true
			}
		}
	}
	return false
}

// dim returns the number of coordinates.
func (k Mahalanobis) dim() int {
	if k.matrix == nil {
		return len(k.scales)
	}
	return int(math.Round(math.Sqrt(float64(len(k.matrix)))))
}

// image returns Lx.
func (k Mahalanobis) image(x []float64) []float64 {
	z := make([]float64, len(x))
	if k.matrix != nil {
		data.LinearImage(z, k.matrix, x)
		return z
	}
	for j, v := range x {
		z[j] = k.scales[j] * v
	}
	return z
}

// Map returns L, row after row.
func (k Mahalanobis) Map() []float64 {
	if k.matrix != nil {
		return slices.Clone(k.matrix)
	}
	d := len(k.scales)
	l := make([]float64, d*d)
	for j, v := range k.scales {
		l[j*d+j] = v
	}
	return l
}

// mapText returns the argument of L: scales=[…] or matrix=[…].
func (k Mahalanobis) mapText() string {
	name, values := "scales", k.scales
	if k.matrix != nil {
		name, values = "matrix", k.matrix
	}
	text := list(values)
	if len(values) == 1 {
		text = "[" + text + "]"
	}
	return name + "=" + text
}

// String returns mahalanobis(of=…, scales=[…]), or with matrix=[…].
func (k Mahalanobis) String() string {
	return "mahalanobis(of=" + k.Of.String() + ", " + k.Text + ")"
}

// Contains refuses points whose number of coordinates is not that of L, and images that Of
// refuses.
func (k Mahalanobis) Contains(x []float64) error {
	if len(x) != k.dim() {
		return fmt.Errorf("mahalanobis has a map of %d coordinates but the point has %d: give %d scales, a matrix of %d×%d, or choose %d columns", k.dim(), len(x), len(x), len(x), len(x), k.dim())
	}
	if err := finite(x); err != nil {
		return err
	}
	return k.Composed.Contains(x)
}

// With returns the kernel with other parameters of Of.
func (k Mahalanobis) With(values []float64) (Kernel, error) {
	with, err := k.Composed.With(values)
	if err != nil {
		return k, err
	}
	k.Composed = with.(kernel.Composed[[]float64, []float64])
	return k, nil
}

// FeatureConstruction is that of Of at the images.
func (k Mahalanobis) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	of, err := kernel.FeatureConstructionOf(k.Of, k.image(like))
	if err != nil {
		return nil, err
	}
	return construction.Pull(of, k.image), nil
}

// slope is Lᵀ∇Of at the images.
func (k Mahalanobis) slope() (Slope, error) {
	of, err := SlopeOf(k.Of)
	d := k.dim()
	return func(dst []float64, c float64, x, y []float64) {
		part := make([]float64, d)
		of(part, c, k.image(x), k.image(y))
		for i, v := range part {
			if k.matrix == nil {
				dst[i] += k.scales[i] * v
				continue
			}
			addScaled(dst, v, k.matrix[i*d:(i+1)*d])
		}
	}, err
}

// Derive applies the rule of composition.
func (k Mahalanobis) Derive() kernel.Derivation {
	d := k.Composed.Derive()
	d.Kernel = k.String()
	return d
}

// Reference describes the kernel.
func (k Mahalanobis) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "mahalanobis", Title: "kernel after a linear map: a learned distance", Formula: "k(Lx, Ly), ‖Lx−Ly‖² = (x−y)ᵀM(x−y) with M = LᵀL",
		Domain:      fmt.Sprintf("x, y ∈ ℝ^%d", k.dim()),
		Equivalents: []string{"k = " + k.Of.String(), "L: " + k.Text},
		Source:      "Mahalanobis, On the generalized distance in statistics (1936); closure under maps: Shawe-Taylor & Cristianini (2004), section 3.4.1",
		SeeAlso:     []string{"bilinear", "rbf"},
	}
}

var mahalanobisEntry = entry{
	Summary: "k(Lx,Ly), a kernel after a linear map",
	Arguments: []expr.Argument{
		{Name: "of", Kind: expr.KernelArg, Help: "the kernel k"},
		{Name: "scales", Kind: expr.ListArg, Help: "the diagonal of L, one number for each column"},
		{Name: "matrix", Kind: expr.ListArg, Help: "or the rows of L, one after another"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		if !a.Has("of") {
			return nil, a.Errorf("of", "mahalanobis: the kernel is missing, as in mahalanobis(of=rbf(sigma=1), scales=[1, 0.5])")
		}
		k, err := NewMahalanobis(expr.KernelArgument[vector](a, "of"), a.List("scales"), a.List("matrix"))
		if err != nil {
			return nil, a.Errorf("of", "%w", err)
		}
		return k, nil
	},
}
