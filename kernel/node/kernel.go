package node

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Kernel is f(M) of a network as a kernel on the ids of its nodes.
type Kernel struct {
	net    *Network
	filter Filter

	mu     sync.Mutex
	blocks dense     // f(M), once it is known
	last   *oneBound // what Eval asked for last, in a large network
}

var (
	_ kernel.Binder[string]  = (*Kernel)(nil)
	_ kernel.Domain[string]  = (*Kernel)(nil)
	_ kernel.Tunable[string] = (*Kernel)(nil)
	_ kernel.Deriver         = (*Kernel)(nil)
	_ kernel.Describer       = (*Kernel)(nil)
)

// DenseLimit is the number of nodes of a component up to which K is formed from the
// eigendecomposition of M. In larger ones every product with K is a series of products
// with M.
const DenseLimit = 4096

// New returns the kernel of a network and a filter. Errors name every parameter outside its
// domain with the bound, and a negative weight where the kernel cannot have one.
func New(n *Network, f Filter) (*Kernel, error) {
	if err := f.check(n); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name(), err)
	}
	return &Kernel{net: n, filter: f}, nil
}

// Network returns the network of the kernel.
func (k *Kernel) Network() *Network { return k.net }

// isDense reports whether K is formed.
func (k *Kernel) isDense() bool { return k.net.largest() <= DenseLimit }

// Prepare does what values against some number of points would have to wait for: the
// eigendecomposition of M, about 4n³ multiplications for a component of n nodes, which all
// kernels with the same matrix of the network share. Few points, and large networks, need
// none. The error is that of ctx.
func (k *Kernel) Prepare(ctx context.Context, points int) error {
	if !k.isDense() || k.prefersColumns(points) {
		return ctx.Err()
	}
	_, err := k.net.decompose(ctx, k.filter.matrix())
	return err
}

// formed returns K, or nil, of which every element is NaN, where the decomposition fails.
func (k *Kernel) formed() dense {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.blocks == nil {
		k.blocks, _ = k.net.apply(context.Background(), k.filter)
	}
	return k.blocks
}

// Eval returns the element of two nodes, NaN where one is unknown. In a large network
// it multiplies K by the unit vector of the node with the smaller number, so that the
// value is the same in both orders.
func (k *Kernel) Eval(x, y string) float64 {
	i, ok := k.net.g.Index(x)
	j, also := k.net.g.Index(y)
	if !ok || !also {
		return math.NaN()
	}
	if k.isDense() {
		return k.formed().at(k.net, i, j)
	}
	return k.element(min(i, j), max(i, j))
}

// at returns an element of f(M): 0 between two components.
func (d dense) at(n *Network, i, j int) float64 {
	switch {
	case d == nil:
		return math.NaN()
	case n.component[i] != n.component[j]:
		return 0
	}
	return d[n.component[i]].At(int(n.local[i]), int(n.local[j]))
}

// String returns the expression.
func (k *Kernel) String() string {
	return k.filter.name() + "(graph=" + strconv.Quote(k.net.name) + k.filter.arguments() + ")"
}

// Contains returns an error that names the id unless the graph has such a node.
func (k *Kernel) Contains(id string) error {
	if _, ok := k.net.g.Index(id); ok {
		return nil
	}
	ids := k.net.g.IDs
	for _, other := range ids {
		if strings.EqualFold(strings.TrimSpace(id), strings.TrimSpace(other)) {
			return fmt.Errorf("%s has no node %q; did you mean %q?", k.net.g.Source, id, other)
		}
	}
	return fmt.Errorf("%s has no node %q; its %d nodes are named %q … %q", k.net.g.Source, id, len(ids), ids[0], ids[len(ids)-1])
}

// Parameters returns t where the kernel has one.
func (k *Kernel) Parameters() []kernel.Parameter {
	if f, ok := k.filter.(tunable); ok {
		return []kernel.Parameter{f.parameter()}
	}
	return nil
}

// With returns the kernel of the same network with another t.
func (k *Kernel) With(values []float64) (kernel.Kernel[string], error) {
	if want := len(k.Parameters()); len(values) != want {
		return nil, fmt.Errorf("%d values for %d parameters: give one value for each, in the order of Parameters", len(values), want)
	}
	if len(values) == 0 {
		return k, nil
	}
	return New(k.net, k.filter.(tunable).with(values[0]))
}

// Derive gives the argument by eigenvalues.
func (k *Kernel) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: k.filter.reason()}
}

// Reference describes the kernel and the graph.
func (k *Kernel) Reference() kernel.Reference {
	c := k.filter.card()
	c.Equivalents = append(c.Equivalents, fmt.Sprintf("%s: %d nodes, %d pairs joined by an edge, %d components", k.net.name, k.net.Len(), len(k.net.to)/2, k.net.Components()))
	c.Equivalents = append(c.Equivalents, k.net.notes...)
	return c
}

// Bind looks every id up once. Of a network that is not large it forms K from the
// eigendecomposition, or only the elements that are bound where they are few. Few columns of a
// network that is not decomposed yet, and those of a large one, are products with M.
func (k *Kernel) Bind(rows, cols data.Set[string]) kernel.Pairs {
	r, c := k.positions(rows), k.positions(cols)
	switch n := k.net.Len(); {
	case !k.isDense() || k.prefersColumns(len(c)):
		return newColumns(k, r, c)
	case !k.isFormed() && partOfK*len(r)*len(c) <= n*n:
		return k.part(r, c)
	}
	return bound{net: k.net, blocks: k.formed(), rows: r, cols: c}
}

// partOfK is the part of the elements of K below which the others are not computed.
const partOfK = 4

func (k *Kernel) isFormed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.blocks != nil
}

// part returns the elements of some rows and columns.
func (k *Kernel) part(rows, cols []int) kernel.Pairs {
	out := mat.NewDense(max(1, len(rows)), max(1, len(cols)), nil)
	if err := k.net.part(context.Background(), k.filter, out, rows, cols); err != nil {
		for i := range out.RawMatrix().Data {
			out.RawMatrix().Data[i] = math.NaN()
		}
	}
	return elements{rows: len(rows), cols: len(cols), k: out}
}

// elements is a bound kernel of which all elements are computed.
type elements struct {
	rows, cols int
	k          *mat.Dense
}

func (e elements) Dims() (rows, cols int) { return e.rows, e.cols }

func (e elements) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		copy(dst.Row(i), e.k.RawRowView(row + i)[col:])
	}
}

// columnCost is what a multiplication of a sparse product costs beside one of the
// eigendecomposition: its operands are scattered in memory.
const columnCost = 8

// prefersColumns compares the multiplications of an eigendecomposition and of f(M), which
// has not been done yet, with those of some columns.
func (k *Kernel) prefersColumns(columns int) bool {
	if k.isFormed() || k.net.isDecomposed(k.filter.matrix()) {
		return false
	}
	op, err := k.Operator(Options{})
	if err != nil || op.Products() < 0 {
		return false
	}
	whole := 0.0
	for _, members := range k.net.members {
		whole += 5 * math.Pow(float64(len(members)), 3)
	}
	return columnCost*float64(op.Products())*float64(len(k.net.to)+k.net.Len())*float64(columns) < whole
}

// positions returns the numbers of nodes, −1 for an unknown one.
func (k *Kernel) positions(ids data.Set[string]) []int {
	at := make([]int, ids.Len())
	for i := range at {
		n, ok := k.net.g.Index(ids.At(i))
		if at[i] = n; !ok {
			at[i] = -1
		}
	}
	return at
}

// bound is a kernel whose matrix is formed, bound to nodes.
type bound struct {
	net        *Network
	blocks     dense
	rows, cols []int
}

func (b bound) Dims() (rows, cols int) { return len(b.rows), len(b.cols) }

func (b bound) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		x, out := b.rows[row+i], dst.Row(i)
		for j := range out {
			y := b.cols[col+j]
			if x < 0 || y < 0 {
				out[j] = math.NaN()
				continue
			}
			out[j] = b.blocks.at(b.net, x, y)
		}
	}
}
