package krr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/space"
)

// Path is kernel ridge regression at every λ, from one eigendecomposition VΛVᵀ of the system of a
// space (see [space.Spectrum]). With D = Λ + R and Z the right-hand sides in these coordinates, a
// ridge takes the products uᵀD⁻¹Z and the forms uᵀD⁻¹u of the rows u, and from them everything that
// a [Point] has: O(n²(m+2)) in the span of n rows, and O(nD(m+1)) in D features, which are fewer
// than rows as a rule.
type Path struct {
	sys      *system
	in       space.Space
	spectrum *space.Spectrum
	form     pathForm
	mean     []float64 // ȳ of the targets where features are centred, else zeros
	o        compute.Options
}

// pathForm is what a path does in its way in the span of the rows or in features.
type pathForm interface {
	// admit refuses a ridge with which the system is not positive definite beyond rounding.
	admit(ridge float64) error
	// point assembles what is known from products and forms of the rows, and from D⁻¹Z.
	point(ctx context.Context, ridge float64, found inverse, solution *mat.Dense) (*Point, error)
	// idle are the eigenvalues, the first, that do no harm at R = 0: their D is then 1.
	idle() int
	// functions returns coordinates and constants of the functions at some ridges.
	functions(ctx context.Context, ridges []float64) (coef []*mat.Dense, bias [][]float64, err error)
}

// PathOptions are the parts of [Options] that do not depend on λ.
type PathOptions struct {
	NoIntercept bool
	Weights     []float64
	Compute     compute.Options
}

// NewPath decomposes the system of a space of the training rows with targets y, and takes the
// space over. In the span of n rows it takes O(n³) time, about ten times that of one solve, and
// 3·8n² bytes; in D features nD² flops for the moments, 2nD² to turn the rows, 5D³ for the
// decomposition, and 5·8D² bytes beside the features where these are held.
func NewPath(ctx context.Context, s space.Space, y *mat.Dense, o PathOptions) (*Path, error) {
	n, _ := s.Dims()
	all := Options{NoIntercept: o.NoIntercept, Weights: o.Weights}
	if err := all.Check(n, y); err != nil {
		return nil, err
	}
	in, ok := s.(space.Spectral)
	if !ok {
		return nil, fmt.Errorf("krr: a path decomposes the system of a space, and a %T has no eigendecomposition", s)
	}
	p := &Path{sys: newSystem(y, o.Weights, !o.NoIntercept), in: s, o: o.Compute}
	p.mean = p.sys.means()
	var err error
	if p.spectrum, err = in.Spectrum(ctx, o.Weights, p.sys.intercept, y, p.mean, o.Compute); err != nil {
		return nil, err
	}
	if _, spanned := s.(space.Spanned); spanned {
		p.form = newRowPath(p)
	} else {
		p.form = featurePath{p}
	}
	return p, nil
}

// Eigenvalues returns those of W^½KW^½ or of ΦᵀWΦ, ascending. Do not change them.
func (p *Path) Eigenvalues() []float64 { return p.spectrum.Values }

// rounding is the size of an eigenvalue that cannot be told from zero: nεΛₘₐₓ.
func (p *Path) rounding() float64 {
	values := p.spectrum.Values
	n := len(values)
	return float64(n) * 0x1p-52 * max(math.Abs(values[0]), math.Abs(values[n-1]))
}

// Ridge returns R = Nλ.
func (p *Path) Ridge(lambda float64) float64 { return p.sys.ridge(lambda, 0) }

// At returns everything that is known at λ. See [Path.AtRidge].
func (p *Path) At(ctx context.Context, lambda float64) (*Point, error) {
	return first(p.Along(ctx, []float64{lambda}))
}

// AtRidge returns everything that is known at the ridge R = Nλ. It returns an error
// unless Λ + R is positive beyond rounding. In the span of the rows it is safe for concurrent use.
func (p *Path) AtRidge(ctx context.Context, ridge float64) (*Point, error) {
	return first(p.AlongRidges(ctx, []float64{ridge}))
}

// first returns the only one of the points.
func first(points []*Point, err error) (*Point, error) {
	if err != nil {
		return nil, err
	}
	return points[0], nil
}

// Along is [Path.At] for many λ. See [Path.AlongRidges].
func (p *Path) Along(ctx context.Context, lambdas []float64) ([]*Point, error) {
	ridges, err := p.sys.ridges(lambdas)
	if err != nil {
		return nil, err
	}
	return p.AlongRidges(ctx, ridges)
}

// ridges returns R = Nλ of every λ.
func (sys *system) ridges(lambdas []float64) ([]float64, error) {
	ridges := make([]float64, len(lambdas))
	for i, lambda := range lambdas {
		if bad(lambda) {
			return nil, fmt.Errorf("krr: lambda = %v is not a finite number ≥ 0", lambda)
		}
		ridges[i] = sys.ridge(lambda, 0)
	}
	return ridges, nil
}

// AlongRidges is [Path.AtRidge] for many ridges, of which all must be admissible. They share one
// pass over the rows, with two products of matrices: 2n²(m+2) multiplications and additions for
// each ridge in the span of the rows, 2nD(m+1) in features. There the points have no [Solution],
// which would be a number for each row: see [Path.Functions].
func (p *Path) AlongRidges(ctx context.Context, ridges []float64) ([]*Point, error) {
	s, err := p.shift(ridges)
	if err != nil {
		return nil, err
	}
	inverses, err := p.invert(ctx, s, len(ridges))
	if err != nil {
		return nil, err
	}
	points := make([]*Point, len(ridges))
	for i, v := range inverses {
		if points[i], err = p.form.point(ctx, ridges[i], v, s.solution(i)); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// Functions returns for every λ the coordinates of f in the space, and the intercepts b.
func (p *Path) Functions(ctx context.Context, lambdas []float64) (coef []*mat.Dense, bias [][]float64, err error) {
	ridges, err := p.sys.ridges(lambdas)
	if err != nil {
		return nil, nil, err
	}
	return p.form.functions(ctx, ridges)
}

// shift prepares for ridges that are admissible.
func (p *Path) shift(ridges []float64) (*shifted, error) {
	for _, r := range ridges {
		if bad(r) {
			return nil, fmt.Errorf("krr: ridge = %v is not a finite number ≥ 0", r)
		}
		if err := p.form.admit(r); err != nil {
			return nil, err
		}
	}
	return newShifted(p.spectrum.Values, p.spectrum.Sides, ridges, p.form.idle()), nil
}

// inverse is what a [Path] knows of the inverse of the system at one ridge.
type inverse struct {
	x      *mat.Dense // uᵀD⁻¹Z of every row u
	diag   []float64  // uᵀD⁻¹u
	logDet float64    // ln|D|
}

// invert solves for every ridge.
func (p *Path) invert(ctx context.Context, s *shifted, count int) ([]inverse, error) {
	n, cols := p.sys.n, p.spectrum.Sides.RawMatrix().Cols
	out := make([]inverse, count)
	for i := range out {
		out[i] = inverse{x: mat.NewDense(n, cols, nil), diag: make([]float64, n), logDet: s.logDet[i]}
	}
	err := p.spectrum.Pass(ctx, s.inverses, func(from, to int, made *mat.Dense) error {
		for i := range out {
			for r := range to - from {
				row := made.RawRowView(r)
				copy(out[i].x.RawRowView(from+r), s.product(i, row))
				out[i].diag[from+r] = s.form(i, row)
			}
		}
		return nil
	})
	return out, err
}
