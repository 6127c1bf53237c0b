package level3

import "example.org/mercer/internal/simd"

// steps are a substitution with a triangular matrix, as many rows at a time as a tile
// has: what is already solved is taken off by a product, then the rows are solved by
// their own small triangle.
//
// This is the fused kernel of Goto and van de Geijn, High-performance implementation of
// the level-3 BLAS, ACM Trans. Math. Softw. 35 (2008).
type steps[F simd.Float] struct {
	gemm     simd.Gemm[F]
	small    simd.Solve[F]
	backward bool
	list     []step[F]
	packed   *[]F // what the steps are cut from
}

// step solves count rows from row at on.
type step[F simd.Float] struct {
	at, count    int
	from, solved int // the rows that are taken off
	left         []F // their coefficients with the opposite sign, as panel of a product
	triangle     []F // for simd.Solve
}

// packSteps prepares the substitution with a matrix of order n of which only the upper
// or the lower triangle, with ones on the diagonal if unit, is read. Only the first step
// may have fewer rows than a tile: it takes nothing off.
func (p *precision[F]) packSteps(a matrix[F], upper, unit bool, n int) *steps[F] {
	s := &steps[F]{gemm: p.microkernel(), small: p.substitution(), backward: upper}
	rows := s.gemm.Rows
	s.packed = p.buffer(n*(n+1)/2 + rows*n)
	rest := *s.packed
	for done := 0; done < n; {
		c := step[F]{at: done, count: rows, solved: done}
		if done == 0 {
			c.count = (n-1)%rows + 1
		}
		if upper {
			c.at, c.from = n-done-c.count, n-done
		}
		if done > 0 {
			c.left, rest = rest[:rows*done], rest[rows*done:]
			packLeft(c.left, a.from(c.at, c.from), rows, done, rows, -1)
		}
		size := c.count * (c.count + 1) / 2
		c.triangle, rest = rest[:size], rest[size:]
		packTriangle(c.triangle, a.from(c.at, c.at), upper, unit, c.count)
		s.list = append(s.list, c)
		done += c.count
	}
	return s
}

// packTriangle stores the rows of a triangle of order n in the order in which they are
// solved, each up to its diagonal, of which it takes the reciprocals.
func packTriangle[F simd.Float](dst []F, a matrix[F], upper, unit bool, n int) {
	at := 0
	for i := range n {
		for j := range i + 1 {
			v := F(1)
			switch {
			case i == j && unit:
			case upper:
				v = a.at(n-1-i, n-1-j)
			default:
				v = a.at(i, j)
			}
			if i == j {
				v = 1 / v
			}
			dst[at] = v
			at++
		}
	}
}

// solve replaces a panel of right-hand sides by the solution.
func (s *steps[F]) solve(x []F) {
	width := s.gemm.Cols
	for _, c := range s.list {
		rows := x[c.at*width : (c.at+c.count)*width]
		if c.solved > 0 {
			s.gemm.Tile(rows, width, c.left, x[c.from*width:], c.solved, true)
		}
		s.small.Rows(rows, s.backward, c.triangle, c.count)
	}
}
