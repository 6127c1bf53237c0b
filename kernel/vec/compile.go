package vec

import (
	"errors"
	"fmt"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// Compile translates an expression of this package's kernels, of selected columns,
// and of the algebra of package kernel (Constant, Scaled, Sum, Product, Power, Exp,
// Series) into a plan. It returns an error that names the first part which is none of
// these; such an expression is bound part by part by [kernel.Bind]. The plan of [ANOVA] and
// [Wendland] depends on the number of columns: on all of them, they are compiled when bound.
func Compile(k Kernel) (*tile.Plan, error) { return CompileOn(k, -1) }

// CompileOn is Compile for points of d coordinates; −1: it is not known how many.
func CompileOn(k Kernel, d int) (*tile.Plan, error) {
	c := &compiler{known: map[string]int{}, dim: d}
	if err := errors.Join(c.compile(k), c.err); err != nil {
		return nil, err
	}
	return &c.plan, nil
}

// compiler is the state of one compilation.
type compiler struct {
	plan    tile.Plan
	dim     int            // of the points; −1: unknown
	columns []int          // in force; nil: all
	known   map[string]int // statistics already in the plan, by text
	depth   int            // values on the stack
	last    int            // the statistic pushed last
	err     error          // the first of emit, which returns none
}

func (c *compiler) compile(k Kernel) error {
	switch k := k.(type) {
	case leaf:
		k.emit(c)
		return nil
	case Columns:
		return c.inColumns(k)
	case ANOVA:
		return c.compileANOVA(k)
	case kernel.Constant[[]float64]:
		c.push(tile.Op{Code: tile.OpConstant, A: k.Value})
		return nil
	case kernel.Scaled[[]float64]:
		return c.unary(k.Of, tile.Op{Code: tile.OpAffine, A: k.Factor})
	case kernel.Sum[[]float64]:
		return c.fold(k.Terms, tile.OpAdd, 0)
	case kernel.Product[[]float64]:
		return c.fold(k.Factors, tile.OpMultiply, 1)
	case kernel.Power[[]float64]:
		if k.Degree < 0 {
			return fmt.Errorf("vec: %s has a negative power", k)
		}
		return c.unary(k.Of, tile.Op{Code: tile.OpPower, A: float64(k.Degree)})
	case kernel.Exp[[]float64]:
		return c.unary(k.Of, tile.Op{Code: tile.OpExp})
	case kernel.Series[[]float64]:
		return c.unary(k.Of, tile.Op{Code: tile.OpSeries, List: k.Coefficients})
	}
	return fmt.Errorf("vec: %s is not made of kernels that can be compiled", k)
}

// unary compiles a part and one operation on its value.
func (c *compiler) unary(of Kernel, op tile.Op) error {
	if err := c.compile(of); err != nil {
		return err
	}
	c.plan.Program = append(c.plan.Program, op)
	return nil
}

// fold compiles parts and combines their values from left to right.
func (c *compiler) fold(parts []Kernel, code tile.Code, empty float64) error {
	if len(parts) == 0 {
		c.push(tile.Op{Code: tile.OpConstant, A: empty})
		return nil
	}
	for i, part := range parts {
		if err := c.compile(part); err != nil {
			return err
		}
		if i > 0 {
			c.plan.Program = append(c.plan.Program, tile.Op{Code: code})
			c.depth--
		}
	}
	return nil
}

// inColumns compiles a kernel on selected columns. The indices of a selection within
// a selection count in the outer one.
func (c *compiler) inColumns(k Columns) error {
	outer := c.columns
	defer func() { c.columns = outer }()
	c.columns = k.Index
	if outer != nil {
		c.columns = make([]int, len(k.Index))
		for i, j := range k.Index {
			if j >= len(outer) {
				return fmt.Errorf("vec: %s selects column %d of %d", k, j, len(outer))
			}
			c.columns[i] = outer[j]
		}
	}
	return c.compile(k.Of)
}

// width returns the number of columns in force. Where it is not known, nothing is compiled.
func (c *compiler) width() int {
	switch {
	case c.columns != nil:
		return len(c.columns)
	case c.dim < 0:
		c.err = errors.New("vec: the number of columns is not known, which the kernel depends on, so it cannot be compiled before it is bound")
		return 0
	}
	return c.dim
}

func (c *compiler) push(op tile.Op) {
	c.plan.Program = append(c.plan.Program, op)
	c.depth++
	c.plan.Depth = max(c.plan.Depth, c.depth)
}

// statistic emits the push of a statistic of the columns in force, which is added to
// the plan unless it is there already.
func (c *compiler) statistic(kind tile.Kind, weights []float64, period float64) {
	c.add(tile.Statistic{Kind: kind, Columns: c.columns, Weights: weights, Period: period})
}

// powerDistance emits the push of Σⱼ wⱼ|xⱼ−yⱼ|^p.
func (c *compiler) powerDistance(weights []float64, p float64) {
	c.add(tile.Statistic{Kind: tile.PowerDistance, Columns: c.columns, Weights: weights, Exponent: p})
}

// powers emits the push of a statistic of the points whose coordinates are replaced by
// |xⱼ|^p.
func (c *compiler) powers(kind tile.Kind, p float64) {
	c.add(tile.Statistic{Kind: kind, Columns: c.columns, Power: p})
}

// transformed emits the push of the inner product of the points after they are
// multiplied by a matrix.
func (c *compiler) transformed(matrix []float64, rank int) {
	c.add(tile.Statistic{Kind: tile.InnerProduct, Columns: c.columns, Matrix: matrix, Rank: rank})
}

func (c *compiler) add(s tile.Statistic) {
	text := s.String()
	i, ok := c.known[text]
	if !ok {
		i = len(c.plan.Statistics)
		c.known[text] = i
		c.plan.Statistics = append(c.plan.Statistics, s)
	}
	c.last = i
	c.push(tile.Op{Code: tile.OpPush, Statistic: i})
}

// op emits an operation on the top of the stack.
func (c *compiler) op(code tile.Code, a, b float64) {
	op := tile.Op{Code: code, A: a, B: b}
	if code.Normed() {
		op.Statistic = c.last
	}
	c.plan.Program = append(c.plan.Program, op)
}
