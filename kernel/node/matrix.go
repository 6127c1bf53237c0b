package node

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
)

// Matrix names a symmetric matrix of a network.
type Matrix int

const (
	// Laplacian is L = D − A.
	Laplacian Matrix = iota
	// NormalizedLaplacian is L̃ = D^−½ (D − A) D^−½, with a zero row for a node without
	// neighbours (Chung, Spectral Graph Theory, 1997).
	NormalizedLaplacian
	// Adjacency is A, the weights of the edges.
	Adjacency

	matrices = int(Adjacency) + 1
)

// sparse is a symmetric matrix with the pattern of a network.
type sparse struct {
	start []int
	to    []int32
	off   []float64 // beside the diagonal
	diag  []float64
	// least and most enclose the spectrum.
	least, most float64
}

// matrix returns a matrix of the network, which it keeps.
func (n *Network) matrix(m Matrix) *sparse {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.matrices[m] == nil {
		n.matrices[m] = n.assemble(m)
	}
	return n.matrices[m]
}

func (n *Network) assemble(m Matrix) *sparse {
	s := &sparse{start: n.start, to: n.to, off: n.w, diag: make([]float64, n.Len())}
	if m == Adjacency {
		copy(s.diag, n.loops)
		s.most = radius(s)
		s.least = -s.most
		return s
	}
	degree := make([]float64, n.Len())
	for i := range degree {
		degree[i] = n.degree(i)
	}
	s.off = make([]float64, len(n.w))
	for i := range degree {
		if m == Laplacian {
			s.diag[i] = degree[i]
		} else if degree[i] > 0 {
			s.diag[i] = 1
		}
		for k := n.start[i]; k < n.start[i+1]; k++ {
			s.off[k] = -n.w[k]
			if m == NormalizedLaplacian {
				s.off[k] /= math.Sqrt(degree[i]) * math.Sqrt(degree[n.to[k]])
			}
		}
	}
	s.most = 2
	if m == Laplacian {
		s.most = radius(s)
	}
	return s
}

// radiusSteps is the number of products that sharpen the bound of radius.
const radiusSteps = 30

// radius returns an upper bound of the spectral radius of a matrix: that of its absolute
// values B, for which Collatz and Wielandt's ρ(B) ≤ maxᵢ (Bx)ᵢ/xᵢ holds for every x > 0 (Horn and
// Johnson, Matrix Analysis, 2013, theorem 8.1.26). The vectors x are those of the power
// method on B + cI, along which the bound falls to the radius; the smallest is returned,
// made larger by what rounding may have taken.
func radius(s *sparse) float64 {
	n := len(s.diag)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	best, shift, longest := math.Inf(1), 0.0, 0
	for step := range radiusSteps {
		worst, top := 0.0, 0.0
		for i := range n {
			sum := math.Abs(s.diag[i]) * x[i]
			for k := s.start[i]; k < s.start[i+1]; k++ {
				sum += math.Abs(s.off[k]) * x[s.to[k]]
			}
			longest = max(longest, s.start[i+1]-s.start[i]+1)
			worst = max(worst, sum/x[i])
			if step == 0 {
				shift += sum / float64(n)
			}
			y[i] = sum
		}
		best = min(best, worst)
		for i := range n {
			y[i] += shift * x[i]
			top = max(top, y[i])
		}
		if top == 0 {
			return 0
		}
		for i := range n {
			// A positive floor keeps x > 0 in components whose own radius is smaller.
			x[i] = max(y[i]/top, 1e-150)
		}
	}
	// A sum of d products errs by at most (d+1)·ε relative, the quotient by ε more.
	return best * (1 + float64(longest+4)*0x1p-52)
}

// chunk is the number of rows that one task of a product computes.
const chunk = 1024

// combine stores a·(M − cI)x + b·y in dst, row by row; y may be dst. The bits do not
// depend on the number of workers.
func (s *sparse) combine(ctx context.Context, workers int, dst *mat.Dense, a, c float64, x *mat.Dense, b float64, y *mat.Dense) error {
	n, cols := x.Dims()
	rx := x.RawMatrix()
	return parallel.Each(ctx, workers, (n+chunk-1)/chunk, func(_, task int) {
		sum := make([]float64, cols)
		for i := task * chunk; i < min(n, (task+1)*chunk); i++ {
			d := s.diag[i] - c
			for j, v := range x.RawRowView(i) {
				sum[j] = d * v
			}
			for k := s.start[i]; k < s.start[i+1]; k++ {
				w, from := s.off[k], int(s.to[k])*rx.Stride
				for j, v := range rx.Data[from : from+cols] {
					sum[j] += w * v
				}
			}
			out := dst.RawRowView(i)
			if b == 0 {
				for j, v := range sum {
					out[j] = a * v
				}
				continue
			}
			for j, v := range y.RawRowView(i) {
				out[j] = a*sum[j] + b*v
			}
		}
	})
}
