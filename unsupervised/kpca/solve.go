package kpca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// analysis is one analysis in progress.
type analysis struct {
	o      *Options
	op     gram.Operator
	diag   []float64 // k(xᵢ, xᵢ)
	root   []float64 // √pᵢ
	report *Report
	watch  *model.Stopwatch
}

// Rows is what is analysed: [Gram] or [Features].
type Rows interface {
	solve(ctx context.Context, o Options) (*Solution, *Report, error)
}

// Gram is points of which a symmetric Gram operator is known, which is not changed.
//
// Where it is a [gram.Stream], [Lanczos] multiplies with one triangle of the matrix, in the
// precision of the options, where that fits the memory limit (4 GiB without one). Otherwise values
// are computed afresh in every product. The total variance needs the diagonal: an operator that
// has neither Pairs nor elements is multiplied with the n unit vectors once.
type Gram struct{ gram.Operator }

// Solve analyses rows: their Gram matrix, or the covariance of their features.
//
// Errors: those of the options, all together; a *[compute.TooLarge]; a
// *[linalg.TopNotConverged]; points that all coincide in the RKHS; those of ctx.
func Solve(ctx context.Context, rows Rows, o Options) (*Solution, *Report, error) {
	return rows.solve(ctx, o)
}

func (k Gram) solve(ctx context.Context, o Options) (*Solution, *Report, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, nil, fmt.Errorf("kpca: the Gram operator is %d×%d: it must be that of one set of points", n, cols)
	}
	if err := o.validate(n); err != nil {
		return nil, nil, err
	}
	if o.Solver == Primal {
		return nil, nil, fmt.Errorf("kpca: solver %q decomposes the covariance of explicit features, and a Gram operator has none: give Solve the Features", Primal)
	}
	diag, err := diagonal(ctx, k.Operator, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	j := newAnalysis(k.Operator, diag, &o)
	if stream, ok := k.Operator.(*gram.Stream); ok && j.report.Solver == Lanczos {
		if err := j.store(ctx, stream.Pairs()); err != nil {
			return nil, nil, err
		}
	}
	return j.solve(ctx)
}

func newAnalysis(k gram.Operator, diag []float64, o *Options) *analysis {
	n := len(diag)
	j := &analysis{o: o, op: k, diag: diag, report: &Report{N: n, Origin: o.Origin}, watch: model.NewStopwatch()}
	j.report.Solver, j.report.Why = o.choose(n)
	return j
}

func (j *analysis) solve(ctx context.Context) (*Solution, *Report, error) {
	c, err := j.centring(ctx)
	if err != nil {
		return nil, nil, err
	}
	j.root = rootShares(j.o.Weights, len(j.diag))
	for i, r := range j.root {
		j.report.Total += r * r * j.diag[i]
	}
	j.report.Total -= c.Mean
	j.watch.Lap(&j.report.Run, "centre")
	values, vectors, err := j.eigen(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "eigenvectors")
	values, err = j.keepAboveFloor(values)
	if err != nil {
		return nil, nil, err
	}
	sol := j.expand(c, values, vectors)
	j.watch.Lap(&j.report.Run, "components")
	return sol, j.report, nil
}

// centring is that at the mean, or with Options.Origin the one that changes nothing.
func (j *analysis) centring(ctx context.Context) (gram.Centring, error) {
	if j.o.Origin {
		return gram.Centring{}, ctx.Err()
	}
	return gram.CentringWith(ctx, j.op, j.o.Weights)
}

// rootShares returns √pᵢ.
func rootShares(weights []float64, n int) []float64 {
	root, sum := slices.Repeat([]float64{1}, n), float64(n)
	if weights != nil {
		copy(root, weights)
		sum = floats.Sum(weights)
	}
	for i, w := range root {
		root[i] = math.Sqrt(w / sum)
	}
	return root
}

// eigen returns eigenvalues of G, descending, and eigenvectors in the columns.
func (j *analysis) eigen(ctx context.Context, c gram.Centring) ([]float64, *mat.Dense, error) {
	if j.report.Solver == Lanczos {
		return j.lanczos(ctx, c)
	}
	n, limit := len(j.diag), j.o.Compute.MaxMemory
	if need := exactBytes(n); limit > 0 && need > limit {
		return nil, nil, &compute.TooLarge{What: fmt.Sprintf("the eigendecomposition of a %d×%d matrix (solver %q finds some components with less)", n, n, Lanczos), Need: need, Limit: limit}
	}
	g, err := gram.CopyDense(ctx, j.op, j.o.Compute)
	if err != nil {
		return nil, nil, err
	}
	if !j.o.Origin {
		if err := c.Apply(ctx, g, j.o.Compute); err != nil {
			return nil, nil, err
		}
	}
	raw := g.RawSymmetric()
	for i, r := range j.root {
		floats.Scale(r, raw.Data[i*raw.Stride+i:i*raw.Stride+n])
		floats.Mul(raw.Data[i*raw.Stride+i:i*raw.Stride+n], j.root[i:])
	}
	e, err := linalg.EigenSym(ctx, g, j.o.Compute.Factoring())
	if err != nil {
		return nil, nil, fmt.Errorf("kpca: %w", err)
	}
	if note := gram.IndefiniteNote(e.Values); note != "" && -e.Values[0] > j.floor(e.Values[n-1]) {
		j.report.Warn("%s; components of negative variance do not exist and were left out", note)
	}
	slices.Reverse(e.Values)
	for i := range n {
		slices.Reverse(e.Vectors.RawRowView(i))
	}
	return e.Values, e.Vectors, nil
}

func (j *analysis) lanczos(ctx context.Context, c gram.Centring) ([]float64, *mat.Dense, error) {
	g, tolerance := &covariance{of: j.op, root: j.root}, j.o.Tolerance
	if !j.o.Origin {
		g.of = c.Operator(j.op)
	}
	if tolerance == 0 && j.o.Compute.Precision == compute.Single {
		tolerance = 1e-6
	}
	top, report, err := linalg.TopEigen(ctx, gram.Checkpointed(g, j.o.Compute), j.o.Components, linalg.TopOptions{
		Tolerance: tolerance, Seed: j.o.Seed, Workers: j.o.Compute.Workers, Progress: j.o.Compute.Progress,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("kpca: %w", err)
	}
	j.report.Lanczos = &report
	return top.Values, top.Vectors, nil
}

// covariance is the operator G = D^½ K_c D^½, which has the eigenvalues of the
// covariance of the φ(xᵢ); about the origin K_c is K.
type covariance struct {
	of   gram.Operator
	root []float64
}

func (g *covariance) Dims() (rows, cols int) { return g.of.Dims() }

func (g *covariance) Mul(ctx context.Context, dst, x *mat.Dense) error {
	y := mat.DenseCopyOf(x)
	scaleRows(y, g.root)
	if err := g.of.Mul(ctx, dst, y); err != nil {
		return err
	}
	scaleRows(dst, g.root)
	return nil
}

func scaleRows(x *mat.Dense, by []float64) {
	for i, s := range by {
		floats.Scale(s, x.RawRowView(i))
	}
}

// floor is the size of eigenvalues of G that rounding can produce: n·ε·λ₁ by the
// decomposition, and by the kernel values and their means, of which every element of K_c
// is a sum of n at most, n·ε·max k(x,x). Single precision adds the rounding 2⁻²⁴ of the
// values and, sixteen times that, of the sums within tiles of 256: 2⁻²⁰·max k(x,x). An
// error e of every element of K_c moves an eigenvalue of D^½K_cD^½ by no more than e.
func (j *analysis) floor(largest float64) float64 {
	diag := floats.Norm(j.diag, math.Inf(1))
	floor := float64(len(j.diag)) * 0x1p-52 * (math.Max(largest, 0) + diag)
	if j.o.Compute.Precision == compute.Single {
		floor += 0x1p-20 * diag
	}
	return floor
}

// keepAboveFloor returns the eigenvalues of the components to return, and fills in the report.
func (j *analysis) keepAboveFloor(values []float64) ([]float64, error) {
	r := j.report
	r.Floor = j.floor(values[0])
	above := 0
	for above < len(values) && values[above] > r.Floor {
		above++
	}
	if above == 0 {
		return nil, fmt.Errorf("kpca: the largest variance, %.3g, is not above what rounding produces, %.3g: to this kernel all points of positive weight are one", values[0], r.Floor)
	}
	wanted := j.o.Components
	if wanted == 0 {
		wanted = len(values)
	}
	k := min(above, wanted)
	r.Dropped = wanted - k
	if r.Dropped > 0 && j.o.Components > 0 {
		r.Warn("%d of %d components were asked for, but only %d have a variance above what rounding produces (%.3g): the points span no more directions", wanted, r.N, k, r.Floor)
	}
	r.Components, r.Variances, r.Ratio = k, slices.Clone(values[:k]), make([]float64, k)
	for i, v := range r.Variances {
		r.Ratio[i] = v / r.Total
	}
	return r.Variances, nil
}

// expand turns the leading eigenvectors into coefficients of the φ(xᵢ) and biases.
func (j *analysis) expand(c gram.Centring, values []float64, vectors *mat.Dense) *Solution {
	n, k := len(j.diag), len(values)
	coef := mat.DenseCopyOf(vectors.Slice(0, n, 0, k))
	sums := make([]float64, k)
	for i, r := range j.root {
		for col, v := range values {
			a := coef.At(i, col) * r / math.Sqrt(v)
			coef.Set(i, col, a)
			sums[col] += a
		}
	}
	if j.o.Origin {
		linalg.Orient(coef)
		return &Solution{Coef: coef}
	}
	for i, r := range j.root {
		floats.AddScaled(coef.RawRowView(i), -r*r, sums)
	}
	linalg.Orient(coef)
	bias := make([]float64, k)
	for i, m := range c.Means {
		floats.AddScaled(bias, -m, coef.RawRowView(i))
	}
	return &Solution{Coef: coef, Bias: bias, Centred: c}
}

// diagonal returns k(xᵢ, xᵢ).
func diagonal(ctx context.Context, op gram.Operator, o compute.Options) ([]float64, error) {
	n, _ := op.Dims()
	diag := make([]float64, n)
	switch of := op.(type) {
	case interface{ Pairs() kernel.Pairs }:
		kernel.Diag(of.Pairs(), diag)
	case interface{ At(i, j int) float64 }:
		for i := range diag {
			diag[i] = of.At(i, i)
		}
	default:
		k, err := gram.Materialize(ctx, op, o)
		if err != nil {
			return nil, err
		}
		for i := range diag {
			diag[i] = k.At(i, i)
		}
	}
	for i, v := range diag {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("kpca: k(x, x) of row %d is %v, not a finite number", i, v)
		}
	}
	return diag, nil
}
