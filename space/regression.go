package space

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
)

// Targets are numbers tᵢ ∈ ℝᵐ of the rows. They are made when they are asked for, so that a pass
// over rows in a file need not hold them.
type Targets struct {
	Columns int // m
	// Row stores tᵢ in dst.
	Row func(dst []float64, i int) error
}

// Ridge is a weighted ridge regression: its weights and its penalty.
type Ridge struct {
	Weights  []float64 // vᵢ ≥ 0, not all zero; nil are ones
	R        float64   // ≥ 0
	Constant bool      // b is free, and else 0
	// Factorless says that the solution is all that is asked for. A space on landmarks then finds
	// it without the features of each row, and [Regression.Factor] may be nil.
	Factorless bool
}

// Regression is the weighted ridge regression of targets: the f and b of least
//
//	½ Σ vᵢ‖f(xᵢ) + b − tᵢ‖² + (R/2)‖f‖².
//
// It is one step of many methods: kernel ridge regression itself, the discriminant as the
// regression of class indicators, structured answers as the regression of their embeddings.
type Regression struct {
	Theta  *mat.Dense // coordinates of f
	Bias   []float64  // b about the caller's origin; zeros without a constant
	Factor Factor     // of the Hessian
	// Quality says how the system was solved, where the factor can tell.
	Quality Quality

	space   Space
	ridge   Ridge
	targets Targets   // as they are given
	centred Targets   // less t̄ where the space moves its origin
	mean    []float64 // t̄; zeros without a constant
	v       []float64
	origin  []float64  // b − t̄ about the origin of the space
	spanned bool       // residuals are Rθᵢ/vᵢ, see [Spanned]
	values  *mat.Dense // f(xᵢ), once asked for, of a space that is not streamed
	left    *mat.Dense // residuals, where they are known already
}

// streamed is a space whose rows may be made in every pass, so that nothing is held for each row.
// With a free constant its origin is the mean of the rows.
type streamed interface {
	// normalEquations factors the Hessian and returns Σ vᵢtᵢφ(xᵢ), in one pass, a step of the
	// checkpoint of o; nil weights are ones.
	normalEquations(ctx context.Context, r Ridge, t Targets, o compute.Options) (Factor, *mat.Dense, error)
	// eachValue calls do with f(xᵢ) of the rows from … to−1, which do may write, for all blocks.
	eachValue(ctx context.Context, theta *mat.Dense, o compute.Options, do func(from, to int, f *mat.Dense) error) error
}

// factorless is a space that may find the solution without a factor of the Hessian.
type factorless interface {
	// regress solves g, or returns false.
	regress(ctx context.Context, g *Regression, o compute.Options) (done bool, err error)
	// residuals is [Regression.Residuals], where there is a faster way than a pass over features.
	residuals(ctx context.Context, g *Regression, o compute.Options) (*mat.Dense, error)
}

// Regress solves the regression r of targets in s.
//
//  1. In a [Primal] with a free constant the origin of the space and that of the targets become
//     their weighted means ([Space.Centre]), which keeps the digits that large means would take.
//  2. The Hessian is factored and Σ vᵢtᵢφ(xᵢ) summed up: in one pass in a [Primal], a step of the
//     checkpoint of o.
//  3. One solve, refined where the factor can tell how good it is ([Refiner]).
//
// Coefficients of rows of weight zero are exactly zero. Errors are those of the targets, the rows
// and the factor. Cost: that of [Space.Weigh], a pass for the mean of features, and the targets
// made twice.
func Regress(ctx context.Context, s Space, r Ridge, t Targets, o compute.Options) (*Regression, error) {
	g := &Regression{space: s, ridge: r, targets: t, centred: t, v: r.Weights}
	n, _ := s.Dims()
	if r.Weights == nil {
		g.v = make([]float64, n)
		for i := range g.v {
			g.v[i] = 1
		}
	} else if err := checkWeights(s, r.Weights); err != nil {
		return nil, err
	}
	if err := g.meanTarget(ctx); err != nil {
		return nil, err
	}
	if f, ok := s.(factorless); ok && r.Factorless {
		if done, err := f.regress(ctx, g, o); done || err != nil {
			return g, err
		}
	}
	if r.Constant {
		if err := s.Centre(ctx, r.Weights, o); err != nil {
			return nil, err
		}
	}
	covector, beta, err := g.weigh(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := g.solve(ctx, covector, beta); err != nil {
		return nil, err
	}
	if _, ok := s.(Spanned); ok {
		g.spanned = true
		for i, w := range g.v {
			if w == 0 {
				clear(g.Theta.RawRowView(i))
			}
		}
	}
	return g, nil
}

// solve solves the factored system for Σ vᵢtᵢφ(xᵢ) and Σ vᵢtᵢ.
func (g *Regression) solve(ctx context.Context, covector *mat.Dense, beta []float64) (err error) {
	if g.Theta, g.origin, err = g.Factor.Solve(ctx, covector, beta); err != nil {
		return err
	}
	if r, ok := g.Factor.(Refiner); ok {
		q, err := r.Refine(ctx, covector, beta, g.Theta, g.origin)
		if err != nil {
			return err
		}
		g.took(q)
	}
	if g.origin == nil {
		g.origin = make([]float64, g.targets.Columns)
	}
	bias := slices.Clone(g.origin)
	if _, ok := g.space.(streamed); ok {
		floats.Add(bias, g.mean)
	} else {
		floats.Sub(g.origin, g.mean)
	}
	g.Bias = g.space.Constants(g.Theta, bias)
	return nil
}

// took adds how the system was solved to what is known of the ways that were tried before.
func (g *Regression) took(q Quality) {
	q.Run.Before(g.Quality.Run)
	g.Quality = q
}

// meanTarget finds t̄ = Σ vᵢtᵢ/Σ vᵢ. Where the origin of the space moves to the mean, that of the
// targets does.
func (g *Regression) meanTarget(ctx context.Context) error {
	t, total := g.targets, floats.Sum(g.v)
	g.mean = make([]float64, t.Columns)
	if !g.ridge.Constant {
		return nil
	}
	row := make([]float64, t.Columns)
	for i, w := range g.v {
		if i%design.BlockRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := t.Row(row, i); err != nil {
			return err
		}
		for c, v := range row {
			g.mean[c] += w * v / total
		}
	}
	if _, ok := g.space.(streamed); ok {
		g.centred.Row = func(dst []float64, i int) error {
			err := t.Row(dst, i)
			floats.Sub(dst, g.mean)
			return err
		}
	}
	return nil
}

// weigh factors the Hessian, and returns Σ vᵢtᵢφ(xᵢ) and Σ vᵢtᵢ.
func (g *Regression) weigh(ctx context.Context, o compute.Options) (covector *mat.Dense, beta []float64, err error) {
	if g.ridge.Constant {
		beta = make([]float64, g.targets.Columns) // 0 about t̄
	}
	if p, ok := g.space.(streamed); ok {
		g.Factor, covector, err = p.normalEquations(ctx, g.ridge, g.centred, o)
		return covector, beta, err
	}
	n, _ := g.space.Dims()
	weighted := mat.NewDense(n, g.targets.Columns, nil)
	for i, w := range g.v {
		row := weighted.RawRowView(i)
		if err := g.targets.Row(row, i); err != nil {
			return nil, nil, err
		}
		if floats.Scale(w, row); beta != nil {
			floats.Add(beta, row)
		}
	}
	g.Factor, covector, err = g.space.Weigh(ctx, g.v, g.ridge.R, g.ridge.Constant, weighted)
	return covector, beta, err
}

// Residuals calls do with tᵢ − f(xᵢ) − b of the rows from … to−1 in the rows of e, which do may
// write, for all blocks in their order. In a [Spanned] space they are Rθᵢ/vᵢ, with all digits where
// the fit is close, and NaN in rows of weight zero; else they take a pass.
func (g *Regression) Residuals(ctx context.Context, o compute.Options, do func(from, to int, e *mat.Dense) error) error {
	if f, ok := g.space.(factorless); ok && g.ridge.Factorless && g.left == nil {
		var err error
		if g.left, err = f.residuals(ctx, g, o); err != nil {
			return err
		}
	}
	if !g.spanned && g.left == nil {
		return g.Rows(ctx, o, func(from, to int, _, e *mat.Dense) error { return do(from, to, e) })
	}
	e := g.block()
	return eachBlock(ctx, len(g.v), func(from, to int) error {
		for i := from; i < to; i++ {
			if row := e.RawRowView(i - from); g.left != nil {
				copy(row, g.left.RawRowView(i))
			} else {
				g.pull(row, i)
			}
		}
		return do(from, to, e.Slice(0, to-from, 0, g.targets.Columns).(*mat.Dense))
	})
}

// pull stores Rθᵢ/vᵢ, NaN where vᵢ = 0.
func (g *Regression) pull(dst []float64, i int) {
	root := math.Sqrt(g.v[i])
	for c, v := range g.Theta.RawRowView(i) {
		dst[c] = g.ridge.R * (v / root) / root
	}
}

// Rows calls do with f(xᵢ) + b, less the weighted mean of the targets where b is free, of the rows
// from … to−1 in the rows of f, and their [Regression.Residuals] in those of e. do may write both.
// It takes one pass.
func (g *Regression) Rows(ctx context.Context, o compute.Options, do func(from, to int, f, e *mat.Dense) error) error {
	errors, m := g.block(), g.targets.Columns
	row := func(i int, f, e []float64) error {
		floats.Add(f, g.origin)
		if g.spanned {
			g.pull(e, i)
			return nil
		}
		err := g.targets.Row(e, i)
		floats.Sub(e, g.mean)
		floats.Sub(e, f)
		return err
	}
	return g.eachValue(ctx, o, func(from, to int, f *mat.Dense) error {
		e := errors.Slice(0, to-from, 0, m).(*mat.Dense)
		for i := range to - from {
			if err := row(from+i, f.RawRowView(i), e.RawRowView(i)); err != nil {
				return err
			}
		}
		return do(from, to, f, e)
	})
}

// block holds a block of rows.
func (g *Regression) block() *mat.Dense {
	return mat.NewDense(min(design.BlockRows, len(g.v)), g.targets.Columns, nil)
}

// eachValue calls do with f(xᵢ) of blocks of rows, which do may write.
func (g *Regression) eachValue(ctx context.Context, o compute.Options, do func(from, to int, f *mat.Dense) error) error {
	if s, ok := g.space.(streamed); ok {
		return s.eachValue(ctx, g.Theta, o, do)
	}
	if err := g.evaluate(ctx); err != nil {
		return err
	}
	f := g.block()
	return eachBlock(ctx, len(g.v), func(from, to int) error {
		some := f.Slice(0, to-from, 0, g.targets.Columns).(*mat.Dense)
		some.Copy(g.values.Slice(from, to, 0, g.targets.Columns))
		return do(from, to, some)
	})
}

// evaluate makes the values of all rows, once: in the dual they take a product with the matrix.
func (g *Regression) evaluate(ctx context.Context) error {
	if g.values != nil {
		return nil
	}
	values := mat.NewDense(len(g.v), g.targets.Columns, nil)
	if err := g.space.Values(ctx, values, g.Theta); err != nil {
		return err
	}
	g.values = values
	return nil
}

// Products returns the inner products ⟨f_c, f_d⟩ of the functions: m²D flops in a [Primal], a
// product with the matrix and m²n in the dual.
func (g *Regression) Products(ctx context.Context) (*mat.SymDense, error) {
	m, values := g.targets.Columns, g.Theta // values are not looked at where coordinates are enough
	if _, ok := g.space.(streamed); !ok {
		if err := g.evaluate(ctx); err != nil {
			return nil, err
		}
		values = g.values
	}
	column := func(a *mat.Dense, c int) *mat.Dense {
		rows, _ := a.Dims()
		return a.Slice(0, rows, c, c+1).(*mat.Dense)
	}
	products := mat.NewSymDense(m, nil)
	for c := range m {
		for d := c; d < m; d++ {
			products.SetSym(c, d, g.space.Inner(column(g.Theta, c), column(g.Theta, d), column(values, d)))
		}
	}
	return products, nil
}

// eachBlock cuts n rows into blocks.
func eachBlock(ctx context.Context, n int, do func(from, to int) error) error {
	for from := 0; from < n; from += design.BlockRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := do(from, min(from+design.BlockRows, n)); err != nil {
			return err
		}
	}
	return nil
}
