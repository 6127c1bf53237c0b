package mkl

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// easyMKLTolerance is the gap, relative to the objective, at which [EasyMKL] ends.
const easyMKLTolerance = 1e-8

// easyMKL returns the shares of terms with sizes τ:
//
//  1. For each column of targets, whose sign separates two classes, find the γ that minimises
//
//     (1 − Λ) γᵀYKYγ + Λ Σ γᵢ²/wᵢ,   γ ≥ 0,   Σ γᵢ = 1 over either class,   K = Σ Kₖ/τₖ.
//
//  2. The share of term k is proportional to γᵀYKₖYγ/τₖ, the squared distance between the two
//     weighted means of the classes in its feature space.
//
//  3. Average the shares of several columns, one class against the rest each.
func easyMKL(ctx context.Context, terms []kernel.Pairs, size []float64, y *mat.Dense, o *Options) (shares []float64, gap float64, err error) {
	n, columns := y.Dims()
	sum := combination{terms: terms, factors: make([]float64, len(terms))}
	for k, tau := range size {
		if tau > 0 {
			sum.factors[k] = 1 / tau
		}
	}
	a, err := gram.CopyDense(ctx, gram.Of(sum, o.Compute), o.Compute)
	if err != nil {
		return nil, 0, err
	}
	signed := mat.NewDense(n, columns, nil)
	for c := range columns {
		m, err := newMarginProblem(a, y.ColView(c), o)
		if err != nil {
			return nil, 0, fmt.Errorf("%w (column %d of the targets)", err, c)
		}
		reached, err := m.run(ctx, o.Compute)
		if err != nil {
			return nil, 0, err
		}
		gap = max(gap, reached)
		for i, g := range m.gamma {
			signed.Set(i, c, m.sign[i]*g)
		}
	}
	shares = make([]float64, len(terms))
	seen := make([]float64, columns)
	distances := mat.NewDense(len(terms), columns, nil)
	for k, t := range terms {
		if size[k] == 0 {
			continue
		}
		product := new(mat.Dense)
		if err := gram.Checkpointed(gram.Of(t, o.Compute), o.Compute).Mul(ctx, product, signed); err != nil {
			return nil, 0, err
		}
		for c := range columns {
			d := max(0, mat.Dot(signed.ColView(c), product.ColView(c))) / size[k]
			distances.Set(k, c, d)
			seen[c] += d
		}
	}
	for k := range shares {
		for c, s := range seen {
			if s > 0 {
				shares[k] += distances.At(k, c) / s / float64(columns)
			}
		}
	}
	return shares, gap, nil
}

// combination is Σ factorₖ·Kₖ.
type combination struct {
	terms   []kernel.Pairs
	factors []float64
}

func (c combination) Dims() (rows, cols int) { return c.terms[0].Dims() }

func (c combination) Tile(dst kernel.Tile, row, col int) {
	part := kernel.NewTile(dst.Rows, dst.Cols)
	for i := range dst.Rows {
		clear(dst.Row(i))
	}
	for k, t := range c.terms {
		if c.factors[k] == 0 {
			continue
		}
		t.Tile(part, row, col)
		for i := range dst.Rows {
			to := dst.Row(i)
			for j, v := range part.Row(i) {
				to[j] += c.factors[k] * v
			}
		}
	}
}

// marginProblem is the quadratic program of one column.
type marginProblem struct {
	k        *mat.SymDense
	sign     []float64 // ±1; 0 for a row without weight
	ridge    []float64 // Λ/wᵢ
	share    float64   // 1 − Λ
	gamma    []float64
	gradient []float64 // ½ of it
}

func newMarginProblem(k *mat.SymDense, y mat.Vector, o *Options) (*marginProblem, error) {
	n := y.Len()
	m := &marginProblem{k: k, sign: make([]float64, n), ridge: make([]float64, n), share: 1 - o.Balance, gamma: make([]float64, n), gradient: make([]float64, n)}
	weights := map[float64]float64{}
	for i := range n {
		if w := o.weight(i); w > 0 {
			m.sign[i], m.ridge[i] = 1, o.Balance/w
			if !(y.AtVec(i) > 0) {
				m.sign[i] = -1
			}
			weights[m.sign[i]] += w
		}
	}
	if weights[1] == 0 || weights[-1] == 0 {
		return nil, fmt.Errorf("mkl: method %q tells targets above 0 from the others, and all rows with weight are on one side: give labels coded by their sign", EasyMKL)
	}
	for i := range n {
		if m.sign[i] != 0 {
			m.gamma[i] = o.weight(i) / weights[m.sign[i]]
		}
	}
	return m, nil
}

// at returns element (i, j) of (1 − Λ)YKY + diag(Λ/w).
func (m *marginProblem) at(i, j int) float64 {
	v := m.share * m.sign[i] * m.sign[j] * m.k.At(i, j)
	if i == j {
		v += m.ridge[i]
	}
	return v
}

// movesPerStep is the number of moves that are one step of a checkpoint: they take 4n·movesPerStep
// flops for 2n numbers.
const movesPerStep = 1 << 16

// run minimises by [marginProblem.moveWeights] until the gap is small, or for 2000(n + 10) moves.
func (m *marginProblem) run(ctx context.Context, o compute.Options) (gap float64, err error) {
	n := len(m.gamma)
	for i := range n {
		for j := range n {
			if m.gamma[j] != 0 {
				m.gradient[i] += m.at(i, j) * m.gamma[j]
			}
		}
	}
	state := []float64{0, 0} // the gap, and whether the search has ended
	for left := 2000 * (n + 10); left > 0 && state[1] == 0; left -= movesPerStep {
		err := o.Step(ctx, "moves", [][]float64{m.gamma, m.gradient, state}, func() error {
			done, err := false, error(nil)
			if state[0], done, err = m.moveWeights(ctx, min(left, movesPerStep)); done {
				state[1] = 1
			}
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	return state[0], nil
}

// moveWeights makes a number of steps of pairwise coordinate descent, or ends when the gap is
// small: it moves weight between the two rows of a class whose gradients differ most, by the exact
// minimum along the line.
func (m *marginProblem) moveWeights(ctx context.Context, moves int) (gap float64, done bool, err error) {
	for at := range moves {
		if at%64 == 0 && ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
		var to, from int
		var most float64
		if to, from, most, gap = m.steepestPair(); gap <= easyMKLTolerance || to < 0 {
			return gap, true, nil
		}
		move := m.gamma[from]
		if curvature := m.at(to, to) + m.at(from, from) - 2*m.at(to, from); curvature > 0 {
			move = min(move, most/curvature)
		}
		m.gamma[to] += move
		m.gamma[from] -= move
		for i := range m.gamma {
			if m.sign[i] != 0 {
				m.gradient[i] += move * (m.at(i, to) - m.at(i, from))
			}
		}
	}
	return gap, false, nil
}

// steepestPair returns the two rows of a class between which weight should move, how much their
// gradients differ, and the gap of Frank and Wolfe, γᵀ∇ − min over the set of γ′ᵀ∇, relative to the
// objective.
func (m *marginProblem) steepestPair() (to, from int, most, gap float64) {
	value, lowest := 0.0, 0.0
	to, from = -1, -1
	for _, s := range []float64{-1, 1} {
		low, high := -1, -1
		for i, g := range m.gradient {
			if m.sign[i] != s {
				continue
			}
			value += m.gamma[i] * g
			if low < 0 || g < m.gradient[low] {
				low = i
			}
			if m.gamma[i] > 0 && (high < 0 || g > m.gradient[high]) {
				high = i
			}
		}
		lowest += m.gradient[low]
		if d := m.gradient[high] - m.gradient[low]; d > most {
			to, from, most = low, high, d
		}
	}
	// The gap of the objective is twice that of the halved gradient.
	return to, from, most, 2 * (value - lowest) / max(math.Abs(value), math.SmallestNonzeroFloat64)
}
