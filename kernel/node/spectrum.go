package node

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/parallel"
	"mercer/linalg"
)

// spectrum is the eigendecomposition of a matrix on one component.
type spectrum = linalg.Eigen

// decompose returns the spectrum of a matrix on every component, which it keeps: M is
// block diagonal, and so is every f(M).
func (n *Network) decompose(ctx context.Context, m Matrix) ([]spectrum, error) {
	s := n.matrix(m)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.spectra[m] != nil {
		return n.spectra[m], nil
	}
	all := make([]spectrum, len(n.members))
	for c, members := range n.members {
		block := mat.NewSymDense(len(members), nil)
		for a, i := range members {
			block.SetSym(a, a, s.diag[i])
			for k := s.start[i]; k < s.start[i+1]; k++ {
				block.SetSym(a, int(n.local[s.to[k]]), s.off[k])
			}
		}
		e, err := linalg.EigenSym(ctx, block, linalg.Options{})
		if err != nil {
			return nil, err
		}
		all[c] = *e
	}
	n.spectra[m] = all
	return all, nil
}

// dense is f(M), one block for each component.
type dense []*mat.SymDense

// apply returns f(M). Of a Laplacian the smallest eigenvalue of every component is 0 and
// known to be so, whatever rounding has made of it. Values below 0 by rounding are 0. With
// R = U·diag(√f) the block is RRᵀ, symmetric and positive semidefinite as it is computed. Cost:
// n³ multiplications for a component of n nodes.
func (n *Network) apply(ctx context.Context, f Filter) (dense, error) {
	spectra, err := n.decompose(ctx, f.matrix())
	if err != nil {
		return nil, err
	}
	blocks := make(dense, len(spectra))
	for c, e := range spectra {
		size := len(e.Values)
		root := mat.DenseCopyOf(e.Vectors)
		scale := make([]float64, size)
		for i, v := range e.Values {
			if f.matrix() != Adjacency {
				v = max(v, 0)
				if i == 0 {
					v = 0
				}
			}
			scale[i] = math.Sqrt(max(f.at(v), 0))
		}
		if err := parallel.Each(ctx, 1, size, func(_, i int) {
			row := root.RawRowView(i)
			for j := range row {
				row[j] *= scale[j]
			}
		}); err != nil {
			return nil, err
		}
		blocks[c] = mat.NewSymDense(size, nil)
		blas64.Syrk(blas.NoTrans, 1, root.RawMatrix(), 0, blocks[c].RawSymmetric())
	}
	return blocks, nil
}
