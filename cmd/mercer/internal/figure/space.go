package figure

import "math"

// View is a direction from which points of space are seen: parallel projection on a
// plane, z upwards.
type View struct{ Azimuth, Elevation float64 } // degrees

// At returns where a point is seen.
func (v View) At(x, y, z float64) (u, w float64) {
	sa, ca := math.Sincos(v.Azimuth * math.Pi / 180)
	se, ce := math.Sincos(v.Elevation * math.Pi / 180)
	return ca*x + sa*y, ce*z + se*(ca*y-sa*x)
}

// Polygon returns the projections of corners, for an [Area] or a [Line].
func (v View) Polygon(corners ...[3]float64) (x, y []float64) {
	for _, p := range corners {
		u, w := v.At(p[0], p[1], p[2])
		x, y = append(x, u), append(y, w)
	}
	return x, y
}
