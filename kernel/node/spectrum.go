package node

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
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

// isDecomposed reports whether the spectrum of a matrix is known.
func (n *Network) isDecomposed(m Matrix) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.spectra[m] != nil
}

// dense is f(M), one block for each component.
type dense []*mat.SymDense

// roots returns √f(λᵢ). Of a Laplacian the smallest eigenvalue of every component is 0 and
// known to be so, whatever rounding has made of it. Values below 0 by rounding are 0.
func roots(f Filter, e *spectrum) []float64 {
	out := make([]float64, len(e.Values))
	for i, v := range e.Values {
		if f.matrix() != Adjacency {
			v = max(v, 0)
			if i == 0 {
				v = 0
			}
		}
		out[i] = math.Sqrt(max(f.at(v), 0))
	}
	return out
}

// halves returns the rows R = U·diag(√f) of some nodes of one component, with which K = RRᵀ is
// symmetric and positive semidefinite as it is computed.
func halves(e *spectrum, scale []float64, nodes []int32) *mat.Dense {
	r := mat.NewDense(len(nodes), len(scale), nil)
	for a, i := range nodes {
		row := r.RawRowView(a)
		for j, v := range e.Vectors.RawRowView(int(i)) {
			row[j] = v * scale[j]
		}
	}
	return r
}

// apply returns f(M). Cost: n³ multiplications for a component of n nodes.
func (n *Network) apply(ctx context.Context, f Filter) (dense, error) {
	spectra, err := n.decompose(ctx, f.matrix())
	if err != nil {
		return nil, err
	}
	blocks := make(dense, len(spectra))
	for c := range spectra {
		e := &spectra[c]
		all := make([]int32, len(e.Values))
		for i := range all {
			all[i] = int32(i)
		}
		blocks[c] = mat.NewSymDense(len(all), nil)
		blas64.Syrk(blas.NoTrans, 1, halves(e, roots(f, e), all).RawMatrix(), 0, blocks[c].RawSymmetric())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return blocks, nil
}

// part stores the elements of f(M) in some rows and columns, NaN for a node that is −1, in
// dst, which is 0. Cost: rows·cols·n multiplications for a component of n nodes.
func (n *Network) part(ctx context.Context, f Filter, dst *mat.Dense, rows, cols []int) error {
	spectra, err := n.decompose(ctx, f.matrix())
	if err != nil {
		return err
	}
	at, to := n.sort(rows), n.sort(cols)
	for c := range spectra {
		if len(at[c]) == 0 || len(to[c]) == 0 {
			continue
		}
		e := &spectra[c]
		scale := roots(f, e)
		local := func(positions, of []int) []int32 {
			nodes := make([]int32, len(positions))
			for i, p := range positions {
				nodes[i] = n.local[of[p]]
			}
			return nodes
		}
		var product mat.Dense
		product.Mul(halves(e, scale, local(at[c], rows)), halves(e, scale, local(to[c], cols)).T())
		for a, i := range at[c] {
			for b, j := range to[c] {
				dst.Set(i, j, product.At(a, b))
			}
		}
	}
	for i, r := range rows {
		for j, c := range cols {
			if r < 0 || c < 0 {
				dst.Set(i, j, math.NaN())
			}
		}
	}
	return nil
}

// sort returns the positions in a list of nodes by component, without those that are −1.
func (n *Network) sort(nodes []int) map[int][]int {
	by := make(map[int][]int)
	for p, i := range nodes {
		if i >= 0 {
			c := int(n.component[i])
			by[c] = append(by[c], p)
		}
	}
	return by
}
