package shapley

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// Options say who plays.
type Options struct {
	// Players has for every column the number of the player, from 0, that it belongs to; nil: every
	// column is a player. The columns of a player, such as the 0/1 codes of one category, come and
	// go together.
	Players []int
	// Compute says how to compute: workers and progress.
	Compute compute.Options
}

// Values are the Shapley values of the outputs f₁ … f_m at some rows.
type Values struct {
	// Base are v(∅) of the outputs: what f is where every column has the factor 1.
	Base []float64
	// Phi has for every row the values, outputs × players.
	Phi []*mat.Dense
}

// Explain returns the Shapley values of f_o(x) = Σᵢ coef[i, o] k(x, xᵢ) at rows, for a kernel that is
// [kernel.Columnwise].
//
//  1. The kernel is split into terms c·Π_f k_f, or c·Σ_f k_f. Shapley values are linear in the
//     game: those of the terms are added.
//  2. In a product the factors of a player are multiplied: uⱼ = Π k_f(x, xᵢ) over its columns.
//     With e_q, the elementary symmetric polynomial of the others' factors, the value is
//     φⱼ = Σᵢ aᵢ (uⱼ − 1) Σ_q μ(q) e_q,  μ(q) = q!(d−1−q)!/d!, as the paper has it.
//  3. μ(q) = ∫₀¹ t^q (1−t)^{d−1−q} dt, so that the inner sum is ∫₀¹ Π_{l≠j} (1 − t + t·u_l) dt: every
//     other player is there with the chance t (G. Owen, Multilinear extensions of games, 1972). It
//     is a polynomial of degree d−1 in t, which ⌈d/2⌉ nodes of Gauss and Legendre integrate
//     exactly.
//  4. The products without j are those of all before it times those of all behind it.
//  5. In a sum a player outside of S adds 0, and φⱼ is what its columns add.
//
// The polynomials e_q grow like binomial coefficients. All that step 3 multiplies is between 0 and 1
// where the kernels are, all that it adds is positive, and nothing is divided. A player on which a
// term does not depend has the value 0 in it, and is left out of its d.
//
// O(r·n·d²) for r rows, n points and d players, and O(r·m·d) numbers. Errors: a kernel that is no
// sum of products over columns ([ErrNoProduct]), sizes that do not fit, and that of ctx.
func Explain(ctx context.Context, k kernel.Kernel[[]float64], rows, points data.Set[[]float64], coef *mat.Dense, o Options) (*Values, error) {
	n, outputs := coef.Dims()
	if points.Len() != n {
		return nil, fmt.Errorf("shapley: %d coefficients for %d points; give one for each", n, points.Len())
	}
	if n == 0 {
		return nil, errors.New("shapley: the function stands on no points, and has no shares of columns")
	}
	dim := len(points.At(0))
	players, count, err := o.players(dim)
	if err != nil {
		return nil, err
	}
	for i := range rows.Len() {
		if len(rows.At(i)) != dim {
			return nil, fmt.Errorf("shapley: row %d has %d columns, and the points have %d", i+1, len(rows.At(i)), dim)
		}
	}
	terms, err := kernel.ColumnTerms(k, dim)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoProduct, err)
	}
	g := &game{points: points, coef: coef}
	for _, term := range terms {
		g.terms = append(g.terms, playedBy(term, players))
	}
	v := &Values{Base: g.base(), Phi: make([]*mat.Dense, rows.Len())}
	told := o.Compute.Meter("Shapley values", int64(rows.Len()))
	defer told.End(ctx)
	err = parallel.Each(ctx, o.Compute.WorkerCount(), rows.Len(), func(_, i int) {
		v.Phi[i] = mat.NewDense(outputs, count, nil)
		for _, t := range g.terms {
			g.share(ctx, t, rows.At(i), v.Phi[i])
		}
		told.Add(1)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// ErrNoProduct is wrapped by the error about a kernel that looks at several columns together.
var ErrNoProduct = errors.New("exact Shapley values are those of products over columns (rbf, laplace1, periodic, and any of matern, laplace, rq, laplacepq on one column), of products of these, and of weighted sums of such products, linear and numbers")

// players checks whose the columns are, and counts the players.
func (o Options) players(dim int) (players []int, count int, err error) {
	if o.Players == nil {
		return data.Range(0, dim), dim, nil
	}
	if len(o.Players) != dim {
		return nil, 0, fmt.Errorf("shapley: players for %d columns, and the points have %d; give one for each", len(o.Players), dim)
	}
	for j, p := range o.Players {
		if p < 0 {
			return nil, 0, fmt.Errorf("shapley: player %d of column %d; number them from 0", p, j)
		}
		count = max(count, p+1)
	}
	return o.Players, count, nil
}

// game are the terms of the kernel between a row and points with coefficients.
type game struct {
	terms  []term
	points data.Set[[]float64]
	coef   *mat.Dense
}

// term is a product or a sum over those players that it depends on.
type term struct {
	construction.ColumnTerm
	players []int
	at      []int // for every factor the position of its player
	// t and weight are the nodes on (0, 1) that integrate its products.
	t, weight []float64
}

// playedBy finds the players of a term, and the nodes for as many.
func playedBy(of construction.ColumnTerm, players []int) term {
	t := term{ColumnTerm: of}
	for _, f := range of.Factors {
		t.players = append(t.players, players[f.Column])
	}
	slices.Sort(t.players)
	t.players = slices.Compact(t.players)
	for _, f := range of.Factors {
		at, _ := slices.BinarySearch(t.players, players[f.Column])
		t.at = append(t.at, at)
	}
	if nodes := (len(t.players) + 1) / 2; nodes > 0 && !t.Additive {
		t.t, t.weight = make([]float64, nodes), make([]float64, nodes)
		quad.Legendre{}.FixedLocations(t.t, t.weight, 0, 1)
	}
	return t
}

// base returns v(∅) = Σ c Σᵢ aᵢ over the products: a sum of no columns is 0.
func (g *game) base() []float64 {
	n, outputs := g.coef.Dims()
	base := make([]float64, outputs)
	for _, t := range g.terms {
		if t.Additive {
			continue
		}
		for i := range n {
			for o, a := range g.coef.RawRowView(i) {
				base[o] += t.Weight * a
			}
		}
	}
	return base
}

// between is how many points are looked at between two looks at the context.
const between = 64

// share adds the values of the players of a term at x to phi, outputs × players.
func (g *game) share(ctx context.Context, t term, x []float64, phi *mat.Dense) {
	d := len(t.players)
	u, h, right := make([]float64, d), make([]float64, d), make([]float64, d+1)
	for i := range g.points.Len() {
		if i%between == 0 && ctx.Err() != nil {
			return // whoever shares the rows out sees the error
		}
		t.factors(u, x, g.points.At(i))
		if t.Additive {
			copy(h, u)
		} else {
			t.integrate(h, u, right)
		}
		for o, a := range g.coef.RawRowView(i) {
			if a == 0 {
				continue
			}
			row := phi.RawRowView(o)
			for p, player := range t.players {
				row[player] += t.Weight * a * h[p]
			}
		}
	}
}

// factors stores what the columns of every player multiply, or add, up to.
func (t term) factors(u, x, y []float64) {
	if t.Additive {
		clear(u)
		for f, factor := range t.Factors {
			u[t.at[f]] += factor.Of(x[factor.Column], y[factor.Column])
		}
		return
	}
	for p := range u {
		u[p] = 1
	}
	for f, factor := range t.Factors {
		u[t.at[f]] *= factor.Of(x[factor.Column], y[factor.Column])
	}
}

// integrate stores h_p = (u_p − 1) ∫₀¹ Π_{l≠p} (1 + t(u_l − 1)) dt, the Shapley values of the game
// Π_{p∈S} u_p, in O(d²).
func (t term) integrate(h, u, right []float64) {
	d := len(u)
	clear(h)
	right[d] = 1
	for m, at := range t.t {
		for p := d - 1; p >= 0; p-- {
			right[p] = right[p+1] * (1 + at*(u[p]-1))
		}
		left := t.weight[m]
		for p, v := range u {
			h[p] += left * right[p+1]
			left *= 1 + at*(v-1)
		}
	}
	for p, v := range u {
		h[p] *= v - 1
	}
}
