package space

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// Targets are numbers tᵢ ∈ ℝᵐ of the rows. They are made when they are asked for, so that a pass
// over rows in a file need not hold them.
type Targets struct {
	Columns int // m
	// Row stores tᵢ in dst.
	Row func(dst []float64, i int) error
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
	targets Targets
	v       []float64
	ridge   float64
	origin  []float64  // b about the origin of the space
	spanned bool       // residuals are Rθᵢ/vᵢ, see [Spanned]
	values  *mat.Dense // f(xᵢ), once asked for, of a space that is not streamed
}

// streamed is a space whose rows may be made in every pass, so that nothing is held for each row.
type streamed interface {
	// normalEquations factors the Hessian and returns Σ vᵢtᵢφ(xᵢ), in one pass, a step of the
	// checkpoint of o; nil weights are ones. With a free constant the origin is the mean.
	normalEquations(ctx context.Context, v []float64, ridge float64, constant bool, t Targets, o compute.Options) (Factor, *mat.Dense, error)
	// eachValue calls do with f(xᵢ) of the rows from … to−1, which do may write, for all blocks.
	eachValue(ctx context.Context, theta *mat.Dense, o compute.Options, do func(from, to int, f *mat.Dense) error) error
}

// Regress solves the regression in s with weights vᵢ ≥ 0, not all zero; nil are ones. R = ridge >
// 0; constant says whether b is free or 0.
//
//  1. With a free constant the origin of the space and that of the targets become their weighted
//     means ([Space.Centre]), which keeps the digits that large means would take.
//  2. The Hessian is factored and Σ vᵢtᵢφ(xᵢ) summed up: in one pass in a [Primal], a step of the
//     checkpoint of o.
//  3. One solve, refined where the factor can tell how good it is ([Refiner]).
//
// Coefficients of rows of weight zero are exactly zero. Errors are those of the targets, the rows
// and the factor. Cost: that of [Space.Weigh], a pass for the mean of features, and the targets
// made twice.
func Regress(ctx context.Context, s Space, v []float64, ridge float64, constant bool, t Targets, o compute.Options) (*Regression, error) {
	g := &Regression{space: s, ridge: ridge, v: v}
	n, _ := s.Dims()
	if v == nil {
		g.v = make([]float64, n)
		for i := range g.v {
			g.v[i] = 1
		}
	} else if err := checkWeights(s, v); err != nil {
		return nil, err
	}
	mean, err := g.meanTarget(ctx, t, constant)
	if err != nil {
		return nil, err
	}
	if constant {
		if err := s.Centre(ctx, v, o); err != nil {
			return nil, err
		}
	}
	var covector *mat.Dense
	if p, ok := s.(streamed); ok {
		g.Factor, covector, err = p.normalEquations(ctx, v, ridge, constant, g.targets, o)
	} else {
		g.Factor, covector, err = g.weigh(ctx, constant)
	}
	if err != nil {
		return nil, err
	}
	var beta []float64 // Σ vᵢ(tᵢ − t̄) = 0
	if constant {
		beta = make([]float64, t.Columns)
	}
	if g.Theta, g.origin, err = g.Factor.Solve(ctx, covector, beta); err != nil {
		return nil, err
	}
	if r, ok := g.Factor.(Refiner); ok {
		if g.Quality, err = r.Refine(ctx, covector, beta, g.Theta, g.origin); err != nil {
			return nil, err
		}
	}
	if g.origin == nil {
		g.origin = make([]float64, t.Columns)
	}
	g.Bias = s.Constants(g.Theta, g.origin)
	floats.Add(g.Bias, mean)
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

// meanTarget returns t̄ = Σ vᵢtᵢ/Σ vᵢ, zeros without a constant, and leaves the targets less t̄.
func (g *Regression) meanTarget(ctx context.Context, t Targets, constant bool) ([]float64, error) {
	mean, row, total := make([]float64, t.Columns), make([]float64, t.Columns), 0.0
	for i, w := range g.v {
		if i%gram.DesignRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := t.Row(row, i); err != nil {
			return nil, err
		}
		total += w
		floats.AddScaled(mean, w, row)
	}
	if !constant {
		g.targets = t
		return make([]float64, t.Columns), nil
	}
	floats.Scale(1/total, mean)
	g.targets = Targets{Columns: t.Columns, Row: func(dst []float64, i int) error {
		err := t.Row(dst, i)
		floats.Sub(dst, mean)
		return err
	}}
	return mean, nil
}

// weigh factors the Hessian, and returns Σ vᵢtᵢφ(xᵢ).
func (g *Regression) weigh(ctx context.Context, constant bool) (Factor, *mat.Dense, error) {
	n, coordinates := g.space.Dims()
	weighted := mat.NewDense(n, g.targets.Columns, nil)
	for i, w := range g.v {
		row := weighted.RawRowView(i)
		if err := g.targets.Row(row, i); err != nil {
			return nil, nil, err
		}
		floats.Scale(w, row)
	}
	covector := mat.NewDense(coordinates, g.targets.Columns, nil)
	if err := g.space.Adjoint(ctx, covector, weighted); err != nil {
		return nil, nil, err
	}
	factor, err := g.space.Weigh(ctx, g.v, g.ridge, constant)
	return factor, covector, err
}

// Residuals calls do with tᵢ − f(xᵢ) − b of the rows from … to−1 in the rows of e, which do may
// write, for all blocks in their order. In a [Spanned] space they are Rθᵢ/vᵢ, with all digits where
// the fit is close, and NaN in rows of weight zero; else they take a pass.
func (g *Regression) Residuals(ctx context.Context, o compute.Options, do func(from, to int, e *mat.Dense) error) error {
	if !g.spanned {
		return g.Rows(ctx, o, func(from, to int, _, e *mat.Dense) error { return do(from, to, e) })
	}
	e := g.block()
	return eachBlock(ctx, len(g.v), func(from, to int) error {
		for i := from; i < to; i++ {
			// 0·∞ is NaN in rows of weight zero.
			floats.ScaleTo(e.RawRowView(i-from), g.ridge/g.v[i], g.Theta.RawRowView(i))
		}
		return do(from, to, e.Slice(0, to-from, 0, g.targets.Columns).(*mat.Dense))
	})
}

// Rows calls do with f(xᵢ) + b, less the weighted mean of the targets where b is free, of the rows
// from … to−1 in the rows of f, and their [Regression.Residuals] in those of e. do may write both.
// It takes one pass.
func (g *Regression) Rows(ctx context.Context, o compute.Options, do func(from, to int, f, e *mat.Dense) error) error {
	errors, m := g.block(), g.targets.Columns
	row := func(i int, f, e []float64) error {
		floats.Add(f, g.origin)
		if g.spanned {
			floats.ScaleTo(e, g.ridge/g.v[i], g.Theta.RawRowView(i))
			return nil
		}
		err := g.targets.Row(e, i)
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
	return mat.NewDense(min(gram.DesignRows, len(g.v)), g.targets.Columns, nil)
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
	for from := 0; from < n; from += gram.DesignRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := do(from, min(from+gram.DesignRows, n)); err != nil {
			return err
		}
	}
	return nil
}
