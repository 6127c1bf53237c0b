package kernel

import (
	"math"

	"example.org/mercer/data"
)

// RowMapped is a [Mapped] kernel that maps many points faster than one after another.
// MapRows stores φ(xs[from+i]) in row i of dst, up to the rounding of Map.
type RowMapped[T any] interface {
	Mapped[T]
	MapRows(dst Tile, xs data.Set[T], from int)
}

// MapRows stores φ(xs[from+i]) in row i of dst, which has a column for each feature.
func MapRows[T any](k Mapped[T], dst Tile, xs data.Set[T], from int) {
	if m, ok := k.(RowMapped[T]); ok {
		m.MapRows(dst, xs, from)
		return
	}
	for i := range dst.Rows {
		k.Map(dst.Row(i), xs.At(from+i))
	}
}

// maxFeatures is the longest explicit map that the algebra builds: tensor products
// grow fast, and beyond a million features a kernel is the better representation.
const maxFeatures = 1 << 20

// features returns the length of the map of a part, and false where it has none.
func features[T any](k Kernel[T], like T) (int, bool) {
	m, ok := k.(Mapped[T])
	if !ok {
		return 0, false
	}
	return m.Features(like)
}

// mapOf returns φ(x) of a part that has a map.
func mapOf[T any](k Kernel[T], x T) []float64 {
	n, _ := features(k, x)
	phi := make([]float64, n)
	if n > 0 {
		k.(Mapped[T]).Map(phi, x)
	}
	return phi
}

// symmetricSize returns the length of the p-th symmetric tensor power of d features,
// C(d+p−1, p), and false beyond [maxFeatures].
func symmetricSize(d, p int) (int, bool) {
	switch {
	case p < 0:
		return 0, false
	case p == 0:
		return 1, true
	case d <= 1:
		return d, true
	}
	size := 1
	for i := 1; i <= p; i++ {
		size = size * (d - 1 + i) / i // C(d−1+i, i), exact at every step
		if size > maxFeatures {
			return 0, false
		}
	}
	return size, true
}

// symmetricPower stores c·(u⊗…⊗u), p factors, in phi with equal entries merged: one
// entry √(p!/Πmᵢ!)·Πuᵢ^mᵢ for every way to choose mᵢ ≥ 0 with Σmᵢ = p, so that
// ⟨uᵖ, vᵖ⟩ = ⟨u, v⟩ᵖ by the multinomial theorem. It returns the rest of phi.
func symmetricPower(phi, u []float64, p int, c float64) []float64 {
	if p == 0 {
		phi[0] = c
		return phi[1:]
	}
	for i, ui := range u {
		value, choose := c, 1.0
		for m := 1; m <= p; m++ {
			value *= ui
			choose = choose * float64(p-m+1) / float64(m) // C(p, m)
			if i < len(u)-1 || m == p {
				phi = symmetricPower(phi, u[i+1:], p-m, value*math.Sqrt(choose))
			}
		}
	}
	return phi
}
