package klr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// mostCoupled is the largest order nm of the matrix that standard errors of more than
// two classes factor: 8·8000² bytes.
const mostCoupled = 8000

// covariance gives the m×m covariances of the predictors of each row under Laplace's
// approximation. With Qᵢ = √wᵢ·diag(√p)(I − √p√pᵀ), so that Wᵢ = QᵢQᵢᵀ, and prior
// covariance K/R for each function,
//
//	M = I + Qᵀ(K ⊗ I)Q/R,  cov = K/R ⊗ I − VᵀM⁻¹V + G S⁻¹Gᵀ,  V = Qᵀ(K ⊗ I)/R,
//
// where the last term is that of the constants with the sum 0: for a basis Z of these,
// T = 1 ⊗ Z, S = TᵀQM⁻¹QᵀT and G = T − VᵀM⁻¹QᵀT (Rasmussen and Williams, Gaussian
// Processes for Machine Learning, sections 2.7 and 3.5, with the rank of W used).
type covariance struct {
	k      *mat.SymDense
	ridge  float64
	m      int
	roots  []*mat.Dense     // Qᵢ
	factor *linalg.Cholesky // of M
	basis  *mat.Dense       // Z, m×(m−1); nil without an intercept
	along  *mat.Dense       // M⁻¹QᵀT
	schur  *mat.Dense       // S⁻¹
}

// newCovariance forms and factors M.
func (j *job) newCovariance(ctx context.Context, s space.Space, model *newton.Multinomial, eta *mat.Dense) (*covariance, error) {
	n, m := eta.Dims()
	rows, ok := s.(space.Gramian)
	if n*m > mostCoupled || !ok {
		return nil, fmt.Errorf("klr: standard errors and leave-one-out values of %d rows and %d classes need a matrix of order %d, more than %d: leave out LOO, or fit each class against the others", n, m, n*m, mostCoupled)
	}
	if need, limit := 8*int64(n*m)*int64(n*m), j.o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, &compute.TooLarge{What: fmt.Sprintf("klr: leave-one-out of %d rows and %d classes", n, m), Need: need, Limit: limit}
	}
	k, err := rows.Gram(ctx)
	if err != nil {
		return nil, err
	}
	c := &covariance{k: k, ridge: j.report.Ridge, m: m, roots: make([]*mat.Dense, n)}
	p := make([]float64, m)
	for i := range n {
		model.Probabilities(p, i, eta)
		c.roots[i] = root(p, model.Weight(i))
	}
	big := mat.NewSymDense(n*m, nil)
	block := new(mat.Dense)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for l := i; l < n; l++ {
			block.Mul(c.roots[i].T(), c.roots[l])
			for a := range m {
				for b := range m {
					if l > i || b >= a {
						big.SetSym(i*m+a, l*m+b, k.At(i, l)/c.ridge*block.At(a, b))
					}
				}
			}
		}
	}
	if c.factor, err = linalg.Factor(ctx, big, 1, j.o.linalg()); err != nil {
		return nil, j.explain(err)
	}
	if !j.o.NoIntercept {
		err = c.constants(ctx)
	}
	return c, err
}

// root returns Q = √w·diag(√p)(I − √p√pᵀ).
func root(p []float64, weight float64) *mat.Dense {
	q := mat.NewDense(len(p), len(p), nil)
	s := math.Sqrt(weight)
	for a, pa := range p {
		for b, pb := range p {
			v := -pa * math.Sqrt(pb)
			if a == b {
				v += math.Sqrt(pa)
			}
			q.Set(a, b, s*v)
		}
	}
	return q
}

// constants prepares the term of the intercepts. Column b of the basis is that of
// Helmert: b+1 equal numbers and minus their sum, of length 1.
func (c *covariance) constants(ctx context.Context) error {
	c.basis = mat.NewDense(c.m, c.m-1, nil)
	for b := range c.m - 1 {
		length := math.Sqrt(float64((b + 1) * (b + 2)))
		for a := range b + 1 {
			c.basis.Set(a, b, 1/length)
		}
		c.basis.Set(b+1, b, -float64(b+1)/length)
	}
	t := mat.NewDense(len(c.roots)*c.m, c.m-1, nil)
	for i, q := range c.roots {
		t.Slice(i*c.m, (i+1)*c.m, 0, c.m-1).(*mat.Dense).Mul(q.T(), c.basis)
	}
	c.along = new(mat.Dense)
	if err := c.factor.Solve(ctx, c.along, t); err != nil {
		return err
	}
	s := new(mat.Dense)
	s.Mul(t.T(), c.along)
	c.schur = new(mat.Dense)
	if err := c.schur.Inverse(s); err != nil {
		return fmt.Errorf("klr: the constants are not determined by the rows: %w", err)
	}
	return nil
}

// rows returns the covariances of the predictors of the rows from … to−1.
func (c *covariance) rows(ctx context.Context, from, to int) ([]*mat.Dense, error) {
	width := (to - from) * c.m
	v, solved := mat.NewDense(len(c.roots)*c.m, width, nil), new(mat.Dense)
	for l, q := range c.roots {
		for i := from; i < to; i++ {
			at := (i - from) * c.m
			v.Slice(l*c.m, (l+1)*c.m, at, at+c.m).(*mat.Dense).Scale(c.k.At(i, l)/c.ridge, q.T())
		}
	}
	if err := c.factor.Solve(ctx, solved, v); err != nil {
		return nil, err
	}
	out := make([]*mat.Dense, to-from)
	for i := range out {
		out[i] = c.row(from+i, v.Slice(0, len(c.roots)*c.m, i*c.m, (i+1)*c.m), solved.Slice(0, len(c.roots)*c.m, i*c.m, (i+1)*c.m))
	}
	return out, nil
}

// row assembles the covariance of row i from its columns of V and M⁻¹V.
func (c *covariance) row(i int, v, solved mat.Matrix) *mat.Dense {
	cov := new(mat.Dense)
	cov.Mul(v.T(), solved)
	cov.Scale(-1, cov)
	for a := range c.m {
		cov.Set(a, a, cov.At(a, a)+c.k.At(i, i)/c.ridge)
	}
	if c.basis != nil {
		g, term := new(mat.Dense), new(mat.Dense)
		g.Mul(v.T(), c.along)
		g.Sub(c.basis, g)
		term.Product(g, c.schur, g.T())
		cov.Add(cov, term)
	}
	return cov
}

// solvedTogether is the number of columns of V that are solved for at a time.
const solvedTogether = 128

// coupled is [job.point] for more than two classes: loo += C(I − WC)⁻¹g.
func (j *job) coupled(ctx context.Context, s space.Space, model *newton.Multinomial, eta, g *mat.Dense, p *Point, loo *mat.Dense) error {
	c, err := j.newCovariance(ctx, s, model, eta)
	if err != nil {
		return err
	}
	batch := max(1, solvedTogether/c.m)
	for from := 0; from < len(c.roots); from += batch {
		covs, err := c.rows(ctx, from, min(from+batch, len(c.roots)))
		if err != nil {
			return err
		}
		for i, cov := range covs {
			if err := c.judge(from+i, cov, g, p, loo); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge fills in what the covariance of row i says.
func (c *covariance) judge(i int, cov, g *mat.Dense, p *Point, loo *mat.Dense) error {
	rest, step := new(mat.Dense), new(mat.Dense)
	rest.Product(c.roots[i], c.roots[i].T(), cov)
	total := mat.Sum(cov) / float64(c.m*c.m)
	for a := range c.m {
		variance := cov.At(a, a) - 2*mat.Sum(cov.RowView(a))/float64(c.m) + total // of η_a less the mean
		p.StandardErrors = append(p.StandardErrors, math.Sqrt(max(0, variance)))
		p.Leverage[i] += rest.At(a, a)
	}
	rest.Scale(-1, rest)
	for a := range c.m {
		rest.Set(a, a, 1+rest.At(a, a))
	}
	if err := step.Solve(rest, g.RowView(i)); err != nil {
		return undetermined(i)
	}
	moved := new(mat.Dense)
	moved.Mul(cov, step)
	for a := range c.m {
		loo.Set(i, a, loo.At(i, a)+moved.At(a, 0))
	}
	return nil
}
