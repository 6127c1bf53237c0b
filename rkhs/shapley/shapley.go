package shapley

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// Names of games: what a player has that is not there.
const (
	Ones           = "ones"           // the factor 1, and 0 in a sum
	Means          = "means"          // the mean of its factors over a background
	Interventional = "interventional" // what it has in rows of a background, one after the other
)

// Options say who plays.
type Options struct {
	// Players has for every column the number of the player, from 0, that it belongs to; nil: every
	// column is a player. The columns of a player, such as the 0/1 codes of one category, come and
	// go together.
	Players []int
	// Background are rows whose mean stands for a player outside of S: its factor is
	// (1/N) Σ_b uⱼ(z_b), so that v(S) = E f(x_S, Z) where every player of Z is drawn from the rows
	// by itself; nil: the factor is 1.
	Background data.Set[[]float64]
	// Samples is about how many orders [Sample] draws for every row, rounded up to as many for each
	// row of the background; 0: DefaultSamples.
	Samples int
	Seed    uint64 // of [Sample]
	Pairs   bool   // the interactions of two players, too
	// Compute says how to compute: workers and progress.
	Compute compute.Options
}

// Values are the Shapley values of the outputs f₁ … f_m at some rows.
type Values struct {
	// Base are v(∅) of the outputs.
	Base []float64
	// Phi has for every row the values, outputs × players.
	Phi []*mat.Dense
	// Error has the standard errors of sampled values; nil: they are exact.
	Error []*mat.Dense
	// Samples is the number of orders that were drawn for every row; 0: the values are exact.
	Samples int
	// Pairs has for every row and output the interactions of two players.
	Pairs [][][]Pair
}

// Explain returns the Shapley values of f_o(x) = Σᵢ coef[i, o] k(x, xᵢ) at rows, for a kernel
// that is [construction.Columnwise].
//
//  1. The kernel is split into terms c·Π_f k_f, or c·Σ_f k_f. Shapley values are linear in the
//     game: those of the terms are added.
//  2. In a product the factors of a player are multiplied: uⱼ = Π k_f(x, xᵢ) over its columns.
//     With e_q, the elementary symmetric polynomial of the others' factors, the value is
//     φⱼ = Σᵢ aᵢ (uⱼ − 1) Σ_q μ(q) e_q,  μ(q) = q!(d−1−q)!/d!, as the paper has it.
//  3. μ(q) = ∫₀¹ t^q (1−t)^{d−1−q} dt, so that the inner sum is ∫₀¹ Π_{l≠j} (1 − t + t·u_l) dt:
//     every other player is there with the chance t (G. Owen, Multilinear extensions of games,
//     1972). The product is a polynomial of degree d−1 in t, which ⌈d/2⌉ nodes of Gauss and
//     Legendre integrate exactly.
//  4. The products without j are those of all before it times those of all behind it.
//  5. In a sum a player outside of S adds 0, and φⱼ is what its columns add.
//  6. With a background its mean factor wⱼ stands for 1, and (1−t)·w_l + t·u_l for 1 − t + t·u_l;
//     in a sum it stands for 0. The means do not depend on the row, and are taken once.
//
// The polynomials e_q grow like binomial coefficients. All that step 3 multiplies is between 0 and
// 1 where the kernels are, all that it adds is positive, and nothing is divided. A player on which
// a term does not depend has the value 0 in it, and is left out of its d.
//
// O(r·n·d²) for r rows, n points and d players, O(n·N·d) for a background of N, O(r·n·d³) for
// pairs, and O((r·m + n)·d) numbers. Errors: a kernel that is no sum of products over columns
// ([ErrNoProduct]), sizes that do not fit, and that of ctx.
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
	if err := errors.Join(sameColumns("row", rows, dim), sameColumns("background row", o.Background, dim)); err != nil {
		return nil, err
	}
	terms, err := construction.ColumnTerms(k, dim)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoProduct, err)
	}
	g := &game{points: points, coef: coef}
	for _, term := range terms {
		t := playedBy(term, players)
		if t.outside, err = g.outside(ctx, t, o); err != nil {
			return nil, err
		}
		g.terms = append(g.terms, t)
	}
	v := &Values{Base: g.base(), Phi: make([]*mat.Dense, rows.Len())}
	if o.Pairs {
		v.Pairs = make([][][]Pair, rows.Len())
	}
	told := o.Compute.Meter("Shapley values", int64(rows.Len()))
	defer told.End(ctx)
	err = parallel.Each(ctx, o.Compute.WorkerCount(), rows.Len(), func(_, i int) {
		v.Phi[i] = mat.NewDense(outputs, count, nil)
		var pairs []*mat.Dense
		if o.Pairs {
			for range outputs {
				pairs = append(pairs, mat.NewDense(count, count, nil))
			}
		}
		for _, t := range g.terms {
			g.share(ctx, t, rows.At(i), v.Phi[i], pairs)
		}
		if o.Pairs {
			v.Pairs[i] = listed(pairs)
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

// sameColumns refuses rows with another number of columns.
func sameColumns(what string, rows data.Set[[]float64], dim int) error {
	if rows == nil {
		return nil
	}
	for i := range rows.Len() {
		if len(rows.At(i)) != dim {
			return fmt.Errorf("shapley: %s %d has %d columns, and the points have %d", what, i+1, len(rows.At(i)), dim)
		}
	}
	return nil
}

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
	outside   [][]float64 // for every point what stands for the players outside of S
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

// outside returns for every point the mean factors of the players over the background; without one,
// 1 in a product and 0 in a sum.
func (g *game) outside(ctx context.Context, t term, o Options) ([][]float64, error) {
	all := make([][]float64, g.points.Len())
	if o.Background == nil || o.Background.Len() == 0 {
		same := make([]float64, len(t.players))
		for p := range same {
			if !t.Additive {
				same[p] = 1
			}
		}
		for i := range all {
			all[i] = same
		}
		return all, nil
	}
	n := o.Background.Len()
	err := parallel.Each(ctx, o.Compute.WorkerCount(), len(all), func(_, i int) {
		mean, u := make([]float64, len(t.players)), make([]float64, len(t.players))
		for b := range n {
			t.factors(u, o.Background.At(b), g.points.At(i))
			floats.Add(mean, u)
		}
		for p := range mean {
			mean[p] /= float64(n)
		}
		all[i] = mean
	})
	return all, err
}

// base returns v(∅) = Σ c Σᵢ aᵢ Π_p w_p, or Σ_p w_p, of what stands for the players.
func (g *game) base() []float64 {
	n, outputs := g.coef.Dims()
	base := make([]float64, outputs)
	for _, t := range g.terms {
		for i := range n {
			value := floats.Prod(t.outside[i])
			if t.Additive {
				value = floats.Sum(t.outside[i])
			}
			for o, a := range g.coef.RawRowView(i) {
				base[o] += t.Weight * a * value
			}
		}
	}
	return base
}

// between is how many points are looked at between two looks at the context.
const between = 64

// share adds the values of the players of a term at x to phi, outputs × players, and their
// interactions to pairs, unless that is nil.
func (g *game) share(ctx context.Context, t term, x []float64, phi *mat.Dense, pairs []*mat.Dense) {
	d := len(t.players)
	u, h, right := make([]float64, d), make([]float64, d), make([]float64, d+1)
	for i := range g.points.Len() {
		if i%between == 0 && ctx.Err() != nil {
			return // whoever shares the rows out sees the error
		}
		t.factors(u, x, g.points.At(i))
		if t.Additive {
			floats.SubTo(h, u, t.outside[i])
		} else {
			t.integrate(h, u, t.outside[i], right)
		}
		if pairs != nil {
			t.pairs(pairs, g.coef.RawRowView(i), u, t.outside[i], right)
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

// integrate stores h_p = (u_p − w_p) ∫₀¹ Π_{l≠p} (w_l + t(u_l − w_l)) dt, the Shapley values of
// the game Π_{p∈S} u_p Π_{p∉S} w_p, in O(d²).
func (t term) integrate(h, u, w, right []float64) {
	d := len(u)
	clear(h)
	right[d] = 1
	for m, at := range t.t {
		for p := d - 1; p >= 0; p-- {
			right[p] = right[p+1] * (w[p] + at*(u[p]-w[p]))
		}
		left := t.weight[m]
		for p, v := range u {
			h[p] += left * right[p+1]
			left *= w[p] + at*(v-w[p])
		}
	}
	for p, v := range u {
		h[p] *= v - w[p]
	}
}
