package figure

// DistanceLine draws the distance of numbers to a set of numbers in feature space, and the
// set.
func DistanceLine(title, variable string, at, distance, set []float64) Panel {
	return Panel{Title: title, X: variable, Y: "d(x, S)", Layers: []Layer{Lattice{}, Line{Name: "d(x, S)", X: at, Y: distance, Ink: 1},
		Dots{Name: "S", X: set, Y: make([]float64, len(set)), Ink: 0, Size: 3.5}}}
}

// DistanceField draws the distance of points of the plane to a set in feature space, and
// the set.
func DistanceField(title, x, y string, distance Field, setX, setY []float64) Panel {
	distance.Name = "d(x, S)"
	return Panel{Title: title, X: x, Y: y, Layers: []Layer{distance, Dots{Name: "S", X: setX, Y: setY, Ink: 0, Size: 3}},
		Bounds: &Bounds{X0: distance.Xs[0], X1: distance.Xs[len(distance.Xs)-1], Y0: distance.Ys[0], Y1: distance.Ys[len(distance.Ys)-1]}}
}
