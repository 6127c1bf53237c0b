package gram

import (
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// FromDistances returns the kernel of a matrix that holds distances: k(x, z) = −½d(x, z)², in whose
// feature space, k(x, x) + k(z, z) − 2k(x, z), they are the distances. It is conditionally positive
// definite if and only if they are Euclidean (Schoenberg, 1935), and serves what looks at distances
// alone or centres. Errors name an element below zero, and a point that is not at its own place.
func (p *Precomputed) FromDistances() (*Precomputed, error) {
	rows, cols := p.k.Dims()
	q := *p
	q.distances, q.k = true, mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j, d := range p.k.RawRowView(i) {
			if d < 0 {
				return nil, fmt.Errorf("%s: element (%d, %d) is %v; a distance is not negative", p.source, i, j, d)
			}
			if d != 0 && p.rowIDs[i] == p.colIDs[j] {
				return nil, fmt.Errorf("%s: the distance of %q to itself is %v, and must be 0", p.source, p.rowIDs[i], d)
			}
			q.k.Set(i, j, -d*d/2)
		}
	}
	return &q, nil
}

// expression is the kernel as it is written.
func (p *Precomputed) expression() string {
	if p.distances {
		return "gram(file=" + strconv.Quote(p.source) + ", holds=distances)"
	}
	return "gram(file=" + strconv.Quote(p.source) + ")"
}
