package mercer_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/node"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/unsupervised/kpca"
)

// counted is an operator that has products and no elements, and counts them.
type counted struct {
	*node.Operator
	products int
}

func (c *counted) Mul(ctx context.Context, dst, x *mat.Dense) error {
	c.products++
	return c.Operator.Mul(ctx, dst, x)
}

// diffusionOn returns exp(−L) on a random tree with n more edges, and targets for its nodes.
func diffusionOn(t testing.TB, n int) (*node.Kernel, *mat.Dense) {
	t.Helper()
	rnd := testkit.Rand(t, 1)
	var edges []graph.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, graph.Edge{From: int32(rnd.IntN(i)), To: int32(i)})
	}
	for range n {
		edges = append(edges, graph.Edge{From: int32(rnd.IntN(n)), To: int32(rnd.IntN(n))})
	}
	g, err := graph.New("random", false, nil, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	net, err := node.NewNetwork("random", g)
	if err != nil {
		t.Fatal(err)
	}
	k, err := node.New(net, node.Diffusion{T: 1})
	if err != nil {
		t.Fatal(err)
	}
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		y.Set(i, 0, rnd.NormFloat64())
	}
	return k, y
}

// ridgeOn solves ridge regression on an operator.
func ridgeOn(ctx context.Context, k gram.Operator, y *mat.Dense, o krr.Options) (*krr.Solution, *krr.Report, error) {
	in, err := space.DualOf(ctx, k, o.Space())
	if err != nil {
		return nil, nil, err
	}
	return krr.Solve(ctx, in, y, o)
}

// TestMethodsOnOperator solves ridge regression by conjugate gradients and kernel PCA by Lanczos
// with products alone, and both with the matrix.
func TestMethodsOnOperator(t *testing.T) {
	k, y := diffusionOn(t, 120)
	op, err := k.Operator(node.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ids := data.Set[string](data.Slice[string](k.Network().Graph().IDs))
	dense, err := gram.Materialize(background, gram.Of(kernel.Bind(k, ids, ids), compute.Options{}), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{Operator: op}
	got, _, err := ridgeOn(background, c, y, krr.Options{Ridge: 0.1, Solver: krr.CG, Tolerance: 1e-13})
	if err != nil {
		t.Fatal(err)
	}
	if c.products == 0 {
		t.Error("the operator was not used")
	}
	want, _, err := ridgeOn(background, gram.FromMatrix(dense), y, krr.Options{Ridge: 0.1, Solver: krr.Cholesky})
	if err != nil {
		t.Fatal(err)
	}
	// ‖α − α*‖ ≤ ‖r‖/R, r the residual of 1e-13·‖y‖ with ‖y‖ about 11: 1.1e-11.
	testkit.CloseSlice(t, "coefficients", got.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, 1e-10)

	c.products = 0
	byLanczos, _, err := kpca.Solve(background, kpca.Gram{Operator: c}, kpca.Options{Components: 3, Solver: kpca.Lanczos})
	if err != nil {
		t.Fatal(err)
	}
	if c.products == 0 {
		t.Error("the operator was not used")
	}
	exact, _, err := kpca.Solve(background, kpca.Gram{Operator: gram.FromMatrix(dense)}, kpca.Options{Components: 3, Solver: kpca.Exact})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "components", byLanczos.Coef.RawMatrix().Data, exact.Coef.RawMatrix().Data, 1e-6)
}

// BenchmarkRidgeOnGraph learns on 1e5 nodes with products alone:
//
//	go test . -run '^$' -bench RidgeOnGraph -benchtime 1x
func BenchmarkRidgeOnGraph(b *testing.B) {
	k, y := diffusionOn(b, 1e5)
	op, err := k.Operator(node.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c := &counted{Operator: op}
		if _, _, err := ridgeOn(b.Context(), c, y, krr.Options{Ridge: 0.1, Solver: krr.CG}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(c.products), "products")
	}
}
