package digits

import "math"

// Side is the number of pixels of an image in each direction.
const Side = 16

// Random is a source of uniform and normal numbers.
type Random interface {
	Float64() float64
	NormFloat64() float64
}

// Seven strokes on corners of two squares, and which of them make a digit.
var (
	ends      = [7][4]float64{{-1, 2, 1, 2}, {-1, 0, -1, 2}, {1, 0, 1, 2}, {-1, 0, 1, 0}, {-1, -2, -1, 0}, {1, -2, 1, 0}, {-1, -2, 1, -2}}
	strokesOf = [10][]int{{0, 1, 2, 4, 5, 6}, {2, 5}, {0, 2, 3, 4, 6}, {0, 2, 3, 5, 6}, {1, 2, 3, 5}, {0, 1, 3, 5, 6}, {0, 1, 3, 4, 5, 6}, {0, 2, 5}, {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 5, 6}}
)

// Draw returns an image of a digit from 0 to 9, row by row from above: −1 is paper and 1 ink, which
// falls off with the distance to the strokes.
func Draw(r Random, digit int) []float64 {
	width, slant := 0.28+0.2*r.Float64(), 0.2*r.NormFloat64()
	dx, dy := 0.25*r.NormFloat64(), 0.25*r.NormFloat64()
	wide, high := 1.1+0.25*r.NormFloat64(), 1.15+0.12*r.NormFloat64()
	image := make([]float64, Side*Side)
	for i := range image {
		y := (7.5-float64(i/Side))/2.5 - dy
		x := (float64(i%Side)-7.5)/2.5 - dx - slant*y
		nearest := math.Inf(1)
		for _, k := range strokesOf[digit] {
			e := ends[k]
			nearest = min(nearest, toSegment(x, y, wide*e[0], high*e[1], wide*e[2], high*e[3]))
		}
		image[i] = 2*math.Exp(-nearest*nearest/(2*width*width)) - 1
	}
	return image
}

// toSegment returns the distance of a point from a line between two others.
func toSegment(x, y, x0, y0, x1, y1 float64) float64 {
	along := ((x-x0)*(x1-x0) + (y-y0)*(y1-y0)) / ((x1-x0)*(x1-x0) + (y1-y0)*(y1-y0))
	along = min(1, max(0, along))
	return math.Hypot(x-x0-along*(x1-x0), y-y0-along*(y1-y0))
}
