package node

import (
	"context"
	"fmt"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg"
)

// Options say how products with K are computed. The zero value is ready.
type Options struct {
	// Nodes chooses rows and columns of K by the numbers of nodes; nil means all, in
	// the order of the graph.
	Nodes []int
	// Tolerance bounds the error of a product K·x by Tolerance·‖K‖·‖x‖, see
	// [Operator.Bound]; 0 means 1e-14. For [CommuteTime] it bounds the residual of L·(K·x) = x
	// relative to ‖x‖; 0 means 1e-10.
	Tolerance float64
	// Workers is the number of goroutines; 0 means GOMAXPROCS. Results have the same bits
	// for any number.
	Workers int
}

// Operator multiplies by K = f(M), or by chosen rows and columns of it, without forming it.
// It is an operator as solvers want it. It does not change and may be used by several
// goroutines at a time.
type Operator struct {
	net    *Network
	m      *sparse
	filter Filter
	o      Options
	s      series
}

// Operator returns the operator of the kernel. The error says that t is too large for the
// tolerance.
//
// A product with m columns costs Products()·(edges + nodes)·m multiplications and
// holds 4·nodes·m numbers.
func (k *Kernel) Operator(o Options) (*Operator, error) {
	if o.Tolerance < 0 {
		return nil, fmt.Errorf("node: tolerance is %v: give a positive number, or 0 for the default", o.Tolerance)
	}
	for _, i := range o.Nodes {
		if i < 0 || i >= k.net.Len() {
			return nil, fmt.Errorf("node: there is no node %d; the graph has %d, counted from 0", i, k.net.Len())
		}
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	op := &Operator{net: k.net, m: k.net.matrix(k.filter.matrix()), filter: k.filter, o: o}
	_, solves := k.filter.(CommuteTime)
	if o.Tolerance == 0 && solves {
		op.o.Tolerance = 1e-10
	} else if o.Tolerance == 0 {
		op.o.Tolerance = 1e-14
	}
	if solves {
		return op, nil
	}
	var err error
	op.s, err = k.filter.series(op.m.least, op.m.most, op.o.Tolerance)
	return op, err
}

// Dims returns the number of nodes twice, or that of the chosen ones.
func (op *Operator) Dims() (rows, cols int) {
	n := op.net.Len()
	if op.o.Nodes != nil {
		n = len(op.o.Nodes)
	}
	return n, n
}

// Products returns the number of products with M that a product with K takes; −1 for
// [CommuteTime], where it depends on the vector.
func (op *Operator) Products() int { return len(op.s.coef) - 1 }

// Bound returns b such that a product errs by at most b·‖x‖₂ beside rounding: what the
// series leaves out. It is 0 for [Walk], which is a polynomial, and for [CommuteTime], where the
// error is at most Tolerance·‖x‖₂ divided by the smallest eigenvalue of L that is not 0.
func (op *Operator) Bound() float64 { return op.s.tail }

// Mul stores K·x in dst, which is given its size if it is empty; dst and x must not
// overlap.
func (op *Operator) Mul(ctx context.Context, dst, x *mat.Dense) error {
	n, _ := op.Dims()
	rows, cols := x.Dims()
	if rows != n {
		return fmt.Errorf("node: a product of %d×%d and %d×%d", n, n, rows, cols)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(rows, cols)
	} else if r, c := dst.Dims(); r != rows || c != cols {
		return fmt.Errorf("node: the result of %d×%d does not fit in %d×%d", rows, cols, r, c)
	}
	if op.o.Nodes == nil {
		return op.multiply(ctx, dst, x)
	}
	whole, product := mat.NewDense(op.net.Len(), cols, nil), mat.NewDense(op.net.Len(), cols, nil)
	for r, i := range op.o.Nodes { // a node may be chosen twice
		row := whole.RawRowView(i)
		for j, v := range x.RawRowView(r) {
			row[j] += v
		}
	}
	if err := op.multiply(ctx, product, whole); err != nil {
		return err
	}
	for r, i := range op.o.Nodes {
		dst.SetRow(r, product.RawRowView(i))
	}
	return nil
}

func (op *Operator) multiply(ctx context.Context, dst, x *mat.Dense) error {
	if _, ok := op.filter.(CommuteTime); ok {
		return op.solve(ctx, dst, x)
	}
	return op.m.evaluate(ctx, op.o.Workers, dst, op.s, x)
}

// evaluate stores Σ_k coef[k] T_k(X)x, X = (M − cI)/h, in dst by the recurrence
// T_{k+1} = 2X T_k − T_{k−1}.
func (m *sparse) evaluate(ctx context.Context, workers int, dst *mat.Dense, s series, x *mat.Dense) error {
	centre, half := middle(m.least, m.most)
	dst.Scale(s.coef[0], x)
	if len(s.coef) == 1 {
		return ctx.Err()
	}
	before, now := mat.DenseCopyOf(x), new(mat.Dense)
	now.CloneFrom(x)
	if err := m.combine(ctx, workers, now, 1/half, centre, x, 0, nil); err != nil {
		return err
	}
	if err := add(ctx, workers, dst, s.coef[1], now); err != nil {
		return err
	}
	for _, c := range s.coef[2:] {
		if err := m.combine(ctx, workers, before, 2/half, centre, now, -1, before); err != nil {
			return err
		}
		before, now = now, before
		if err := add(ctx, workers, dst, c, now); err != nil {
			return err
		}
	}
	return nil
}

// add adds c·x to dst.
func add(ctx context.Context, workers int, dst *mat.Dense, c float64, x *mat.Dense) error {
	n, _ := x.Dims()
	return parallel.Each(ctx, workers, (n+chunk-1)/chunk, func(_, task int) {
		for i := task * chunk; i < min(n, (task+1)*chunk); i++ {
			out := dst.RawRowView(i)
			for j, v := range x.RawRowView(i) {
				out[j] += c * v
			}
		}
	})
}

// solve stores L⁺x in dst. With the projections P_C on the constants of each component C,
//
//	(L + γ Σ_C P_C)·y = x − Σ_C P_C x
//
// has the solution y = L⁺x for every γ > 0, and its matrix is positive definite; γ is the
// mean degree. Conjugate gradients are preconditioned by the diagonal.
func (op *Operator) solve(ctx context.Context, dst, x *mat.Dense) error {
	right := mat.DenseCopyOf(x)
	op.net.subtractMeans(right)
	gamma := 0.0
	for _, d := range op.m.diag {
		gamma += d / float64(op.net.Len())
	}
	if gamma == 0 { // no edges: L⁺ = 0
		dst.Zero()
		return ctx.Err()
	}
	y, _, err := linalg.CG(ctx, shifted{op, gamma}, right, linalg.CGOptions{Tolerance: op.o.Tolerance, Preconditioner: jacobi{op.m.diag, gamma}, Separate: true})
	if err != nil {
		return fmt.Errorf("node: products with the pseudo-inverse: %w", err)
	}
	op.net.subtractMeans(y)
	dst.Copy(y)
	return nil
}

// subtractMeans subtracts from every column its mean over each component.
func (n *Network) subtractMeans(x *mat.Dense) {
	_, cols := x.Dims()
	mean := make([]float64, cols)
	for _, members := range n.members {
		clear(mean)
		for _, i := range members {
			for j, v := range x.RawRowView(int(i)) {
				mean[j] += v / float64(len(members))
			}
		}
		for _, i := range members {
			row := x.RawRowView(int(i))
			for j := range row {
				row[j] -= mean[j]
			}
		}
	}
}

// shifted is L + γ Σ_C P_C.
type shifted struct {
	op    *Operator
	gamma float64
}

func (s shifted) Mul(ctx context.Context, dst, x *mat.Dense) error {
	means := mat.DenseCopyOf(x)
	s.op.net.subtractMeans(means)
	means.Sub(x, means)
	return s.op.m.combine(ctx, s.op.o.Workers, dst, 1, 0, x, s.gamma, means)
}

// jacobi divides by the diagonal of L, and by γ where that is 0.
type jacobi struct {
	diag  []float64
	gamma float64
}

func (p jacobi) Mul(ctx context.Context, dst, x *mat.Dense) error {
	for i, d := range p.diag {
		if d == 0 {
			d = p.gamma
		}
		out := dst.RawRowView(i)
		for j, v := range x.RawRowView(i) {
			out[j] = v / d
		}
	}
	return ctx.Err()
}
