package preimage

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
)

// Distances locates z by its distances from the Neighbours training points whose images
// are nearest to Ψ. With D² = ‖Ψ − φ(xᵢ)‖², a pre-image on the sphere ‖φ(z)‖² = κ(0) would
// have κ(dᵢ²) = κ(0) − D²/2, which gives dᵢ² = ‖z − xᵢ‖². With yᵢ = xᵢ − x̄ and z = x̄ + c
//
//	2⟨c, yᵢ⟩ = ‖yᵢ‖² − dᵢ² − mean(‖y‖² − d²),
//
// solved for c in the span of the neighbours by least squares. No iteration, no start.
//
// Ψ itself is seldom on that sphere. With Sphere it is first scaled to it (Rathi,
// Dambreville and Tannenbaum, Statistical shape analysis using kernel PCA, SPIE 6064,
// 2006): κ(dᵢ²) = Ψ(xᵢ)·√κ(0)/‖Ψ‖. A projection about the origin asks for it.
type Distances struct {
	Profile    Profile
	Neighbours int // 0 means 10
	Sphere     bool
}

// PreImages implements [Method].
func (d Distances) PreImages(ctx context.Context, t *Targets[[]float64], _ data.Set[[]float64]) ([]PreImage[[]float64], error) {
	if err := d.Profile.check(t); err != nil {
		return nil, err
	}
	if d.Neighbours <= 0 {
		d.Neighbours = 10
	}
	answers := make([]PreImage[[]float64], t.Len())
	told := t.told(int64(t.Len()))
	err := parallel.Each(ctx, t.compute.WorkerCount(), t.Len(), func(_, j int) {
		answers[j] = d.locate(t, j)
		told.Add(1)
	})
	if err != nil {
		return nil, err
	}
	return t.withResiduals(ctx, answers)
}

func (d Distances) locate(t *Targets[[]float64], j int) PreImage[[]float64] {
	top, _ := d.Profile.At(0)
	rows, feature2 := t.nearest(j, d.Neighbours)
	onSphere := func(i int) float64 { return top - feature2[i]/2 }
	if scale := math.Sqrt(top) / t.Norm(j); d.Sphere && !math.IsInf(scale, 1) {
		onSphere = func(i int) float64 { return scale * t.values.At(rows[i], j) }
	}
	a := PreImage[[]float64]{Index: -1, Converged: true}
	var points [][]float64
	var d2 []float64
	for i, row := range rows {
		if v, ok := d.Profile.Inverse(onSphere(i)); ok {
			points, d2 = append(points, t.points.At(row)), append(d2, v)
		}
	}
	switch left := len(points); {
	case left == 0:
		a.Point, a.Converged = append([]float64(nil), t.points.At(rows[0])...), false
		a.Note = "no neighbour's distance in the RKHS is that of a point: the answer is the training point nearest to it"
		return a
	case left < len(rows):
		a.Note = fmt.Sprintf("the distances of %d of %d neighbours in the RKHS are not those of a point and were left out", len(rows)-left, len(rows))
	}
	a.Point = trilaterate(points, d2)
	return a
}

// trilaterate returns the point in the affine span of the points that has the squared
// distances d2 from them, in the sense of least squares of its linear equations.
func trilaterate(points [][]float64, d2 []float64) []float64 {
	s, dim := len(points), len(points[0])
	z, y, right := make([]float64, dim), mat.NewDense(s, dim, nil), make([]float64, s)
	for _, p := range points {
		floats.AddScaled(z, 1/float64(s), p)
	}
	for i, p := range points {
		floats.SubTo(y.RawRowView(i), p, z)
		right[i] = floats.Dot(y.RawRowView(i), y.RawRowView(i)) - d2[i]
	}
	floats.AddConst(-floats.Sum(right)/float64(s), right)
	var svd mat.SVD
	if !svd.Factorize(y, mat.SVDThin) {
		return z
	}
	values := svd.Values(nil)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	const rank = 1e-10 // below this share of the largest the neighbours span no direction
	for k, sigma := range values {
		if !(sigma > rank*values[0]) {
			break
		}
		c := mat.Dot(u.ColView(k), mat.NewVecDense(s, right)) / (2 * sigma)
		floats.AddScaled(z, c, mat.Col(nil, k, &v))
	}
	return z
}
