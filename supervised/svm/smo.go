package svm

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"example.org/mercer/internal/simd"
)

// rows gives the rows of a kernel matrix as float32 or float64, cut into blocks of
// columns. A row is valid until the next but one is asked for.
type rows[F float32 | float64] interface {
	// row returns the columns of the given block in row i.
	row(ctx context.Context, i, block int) ([]F, error)
	// blockOf returns the block that column i is in, and its first column.
	blockOf(i int) (block, first int)
}

// piece is a run of variables of one group that acts on a run of rows of the matrix, from
// row on, and on the columns of a block from col on.
type piece struct{ from, to, row, block, col, group int }

// leastCurvature stands for a curvature that is not positive, as it is between equal
// points and with indefinite kernels; with it every step still lowers the objective,
// so that the method terminates (Chen, Fan, Lin, IEEE TNN 17, 2006).
const leastCurvature = 1e-12

// smo is sequential minimal optimisation of one problem: in each step the two variables
// are moved that promise the most, with their sum kept. The first is the variable of the
// steepest descent that can rise; the second, which can fall, lowers the objective most
// along the pair to second order
// (Fan, Chen, Lin, JMLR 6, 2005: working set selection 2).
type smo[F float32 | float64] struct {
	m          *binaryProblem
	k          rows[F]
	pieces     []piece
	diag       []float64
	rise, fall []float64 // 0 for a variable that can move so, else +Inf
	most       int       // steps of a run
	first      []int     // of each group, −1 if none can rise
	least      []float64 // its gradient
	violation  float64   // of the last choice
}

// newSMO returns the search for a problem on a matrix with the given diagonal, in which
// its rows are at the spans.
func newSMO[F float32 | float64](m *binaryProblem, k rows[F], spans []span, diag []float64) *smo[F] {
	size := m.p.size()
	numbers := make([]float64, 3*size)
	s := &smo[F]{m: m, k: k, pieces: m.pieces(spans), diag: numbers[:size], rise: numbers[size : 2*size], fall: numbers[2*size:],
		most: max(contextSteps, keptWork/size), first: make([]int, m.p.groups), least: make([]float64, m.p.groups)}
	for i := range s.pieces {
		p := &s.pieces[i]
		block, first := k.blockOf(p.row)
		p.block, p.col = block, p.row-first
		copy(s.diag[p.from:p.to], diag[p.row:])
	}
	m.longest = math.Sqrt(max(0, slices.Max(s.diag)))
	return s
}

// contextSteps is the number of steps between two looks at ctx.
const contextSteps = 256

// run takes steps until the violation is at most tolerance by the gradient that it
// knows, the problem is exhausted, there were the most of a run, or ctx ends.
func (s *smo[F]) run(ctx context.Context, tolerance float64) error {
	for t := range s.rise {
		s.mark(t)
	}
	s.reset()
	for _, p := range s.pieces {
		at, least := steepest(s.m.g[p.from:p.to], s.rise[p.from:p.to])
		s.offer(p, at, least)
	}
	for n := range s.most {
		if n%contextSteps == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if s.m.exhausted() {
				return nil
			}
			s.m.nearing.tell(s.violation, tolerance)
		}
		i, j, err := s.choose(ctx, tolerance)
		if j < 0 || err != nil {
			return err
		}
		if err := s.move(ctx, i, j); err != nil {
			return err
		}
		s.m.steps++
	}
	return nil
}

// mark notes in which directions variable t can move.
func (s *smo[F]) mark(t int) {
	s.rise[t], s.fall[t] = 0, 0
	if !(s.m.beta[t] < s.m.p.hi(t)) {
		s.rise[t] = math.Inf(1)
	}
	if !(s.m.beta[t] > s.m.p.lo(t)) {
		s.fall[t] = math.Inf(1)
	}
}

// reset forgets the first variables.
func (s *smo[F]) reset() {
	for group := range s.first {
		s.first[group], s.least[group] = -1, math.Inf(1)
	}
}

// offer proposes the first variable of a piece.
func (s *smo[F]) offer(p piece, at int, least float64) {
	if at >= 0 && least < s.least[p.group] {
		s.first[p.group], s.least[p.group] = p.from+at, least
	}
}

// choose returns the pair to move, j = −1 if the violation is within the tolerance.
func (s *smo[F]) choose(ctx context.Context, tolerance float64) (i, j int, err error) {
	i, j = -1, -1
	best, worst := simd.Partner{Curvature: 1}, 0.0
	for group, first := range s.first {
		if first < 0 {
			continue
		}
		at, _ := s.place(first)
		for _, p := range s.pieces {
			if p.group != group {
				continue
			}
			row, err := s.k.row(ctx, at, p.block)
			if err != nil {
				return -1, -1, err
			}
			c := simd.FindPartner(row[p.col:p.col+p.to-p.from], s.m.g[p.from:p.to], s.fall[p.from:p.to], s.diag[p.from:p.to], s.least[group], s.diag[first], leastCurvature)
			worst = max(worst, c.Violation)
			if c.At >= 0 && c.Gain*best.Curvature > best.Gain*c.Curvature {
				i, j, best = first, p.from+c.At, c
			}
		}
	}
	s.violation = worst
	if !(worst > tolerance) {
		return -1, -1, nil
	}
	if j < 0 { // a violation without a gain: no number was above another
		return -1, -1, s.m.notFinite()
	}
	return i, j, nil
}

// errNotFinite is what NaN and infinite kernel values lead to, errUnbounded what a
// direction of negative curvature does where nothing bounds the coefficients.
var (
	errNotFinite = errors.New("svm: the kernel has values that are not finite numbers: check the rows and the kernel")
	errUnbounded = errors.New("svm: the search left the finite numbers: without a bound on the coefficients (C infinite) an indefinite kernel has no best function; " +
		"make its matrix positive semidefinite (gram.MakeDefinite, --psd in the command) or give a finite C, and check that all kernel values are finite")
)

// notFinite says why the numbers of a problem are not finite.
func (m *binaryProblem) notFinite() error {
	if !m.p.bounded() {
		return errUnbounded
	}
	return errNotFinite
}

// move minimises the objective along the pair within the bounds, and finds the next
// first variables while it brings the gradient up to date.
func (s *smo[F]) move(ctx context.Context, i, j int) error {
	rowI, _ := s.place(i)
	rowJ, pieceJ := s.place(j)
	ki, err := s.k.row(ctx, rowI, pieceJ.block)
	if err != nil {
		return err
	}
	m := s.m
	curvature := max(s.diag[i]+s.diag[j]-2*float64(ki[pieceJ.col+j-pieceJ.from]), leastCurvature)
	up, down := m.p.hi(i)-m.beta[i], m.beta[j]-m.p.lo(j)
	step := min((m.g[j]-m.g[i])/curvature, up, down)
	m.beta[i] += step
	m.beta[j] -= step
	if step == up {
		m.beta[i] = m.p.hi(i)
	}
	if step == down {
		m.beta[j] = m.p.lo(j)
	}
	s.mark(i)
	s.mark(j)
	s.reset()
	for _, p := range s.pieces {
		ki, err := s.k.row(ctx, rowI, p.block)
		if err != nil {
			return err
		}
		kj, err := s.k.row(ctx, rowJ, p.block)
		if err != nil {
			return err
		}
		end := p.col + p.to - p.from
		at, least := simd.Advance(m.g[p.from:p.to], s.rise[p.from:p.to], ki[p.col:end], kj[p.col:end], step)
		s.offer(p, at, least)
	}
	return nil
}

// place returns the row of the matrix that variable t acts on, and its piece.
func (s *smo[F]) place(t int) (row int, p *piece) {
	at := 0
	for t < s.pieces[at].from || t >= s.pieces[at].to {
		at++
	}
	p = &s.pieces[at]
	return p.row + t - p.from, p
}

// wanted returns at most count rows of the matrix that are not here, those first whose
// variables have the most to gain: in turn of those that can rise and that can fall.
func (s *smo[F]) wanted(count int, here func(row int) bool) []int {
	seen, out := map[int]bool{}, make([]int, 0, count)
	ups, downs := s.ranked(s.rise, 1, here), s.ranked(s.fall, -1, here)
	for i := range max(len(ups), len(downs)) {
		for _, list := range [][]int{ups, downs} {
			if i < len(list) && len(out) < count && !seen[list[i]] {
				seen[list[i]] = true
				out = append(out, list[i])
			}
		}
		if len(out) == count {
			break
		}
	}
	return out
}

// ranked returns the rows of the variables that are neither blocked nor here, those with
// the least sign·g first.
func (s *smo[F]) ranked(blocked []float64, sign float64, here func(row int) bool) []int {
	var vars []int
	for t, b := range blocked {
		if row, _ := s.place(t); b == 0 && !here(row) {
			vars = append(vars, t)
		}
	}
	slices.SortFunc(vars, func(a, b int) int {
		return cmp.Or(cmp.Compare(sign*s.m.g[a], sign*s.m.g[b]), cmp.Compare(a, b))
	})
	for i, t := range vars {
		vars[i], _ = s.place(t)
	}
	return vars
}

// steepest returns the least gradient of the variables that can rise (rise is 0, else
// +Inf), and where it is; +Inf and −1 if none can.
func steepest(g, rise []float64) (at int, least float64) {
	at, least = -1, math.Inf(1)
	rise = rise[:len(g)]
	for t, v := range g {
		if v += rise[t]; v < least {
			at, least = t, v
		}
	}
	return at, least
}
