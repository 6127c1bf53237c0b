package svm

import "math"

// leastCurvature stands for a curvature that is not positive, as it is between equal
// points and with indefinite kernels; with it every step still lowers the objective,
// so that the method terminates (Chen, Fan, Lin, IEEE TNN 17, 2006).
const leastCurvature = 1e-12

// smo is sequential minimal optimisation on a program of which the whole matrix is in
// memory: in each step the two variables are moved that promise the most, with the sum
// of the two kept. The first is the variable of the steepest descent that can rise; the
// second, that can fall, maximises the decrease of the objective along the pair to
// second order (Fan, Chen, Lin, JMLR 6, 2005: working set selection 2).
type smo[F float32 | float64] struct {
	k      []F // size×size
	size   int
	groups []int
	lo, hi []float64
	beta   []float64
	g      []float64 // gradient
	diag   []float64 // of k
	// stuck and still are 0 for a variable that can rise, and fall, else +Inf.
	stuck, still []float64
}

// newSMO allocates room for at most size variables.
func newSMO[F float32 | float64](size int) *smo[F] {
	numbers := make([]float64, 7*size)
	part := func(i int) []float64 { return numbers[i*size : (i+1)*size] }
	return &smo[F]{k: make([]F, size*size), lo: part(0), hi: part(1), beta: part(2), g: part(3), diag: part(4), stuck: part(5), still: part(6)}
}

// run moves β until the violation is at most tolerance or limit steps are done, and
// returns how many steps it took.
func (s *smo[F]) run(tolerance float64, limit int) (steps int) {
	for t := range s.size {
		s.diag[t] = float64(s.k[t*s.size+t])
		s.mark(t)
	}
	for ; steps < limit; steps++ {
		i, j := s.choose(tolerance)
		if j < 0 {
			break
		}
		s.move(i, j)
	}
	return steps
}

// mark notes in which directions variable t can move.
func (s *smo[F]) mark(t int) {
	s.stuck[t], s.still[t] = 0, 0
	if !(s.beta[t] < s.hi[t]) {
		s.stuck[t] = math.Inf(1)
	}
	if !(s.beta[t] > s.lo[t]) {
		s.still[t] = math.Inf(1)
	}
}

// choose returns the pair to move, j = −1 if the violation is within the tolerance.
func (s *smo[F]) choose(tolerance float64) (i, j int) {
	i, j = -1, -1
	worst, best, scale := tolerance, 0.0, 1.0 // the best gain is best/scale
	for g := range len(s.groups) - 1 {
		from, to := s.groups[g], s.groups[g+1]
		first := s.steepest(from, to)
		if first < 0 {
			continue
		}
		second, gain, curvature, violation := s.second(first, from, to)
		if violation > worst {
			worst = violation
		}
		if second >= 0 && gain*scale > best*curvature {
			i, j, best, scale = first, second, gain, curvature
		}
	}
	if !(worst > tolerance) {
		return -1, -1
	}
	return i, j
}

// steepest returns the variable of a group that can rise and has the least gradient.
func (s *smo[F]) steepest(from, to int) int {
	at, least := -1, math.Inf(1)
	g, stuck := s.g[from:to], s.stuck[from:to]
	stuck = stuck[:len(g)]
	for t, v := range g {
		if v += stuck[t]; v < least {
			at, least = from+t, v
		}
	}
	return at
}

// second returns the partner of variable i with the largest b²/a, where b is the
// violation of the pair and a its curvature, as the fraction gain/curvature; and the
// largest violation. Nothing in the loop branches on data but improvements, which are
// rare: −b·|b| of the variables that cannot fall, and of pairs in order, never win.
func (s *smo[F]) second(i, from, to int) (at int, gain, curvature, violation float64) {
	at, gain, curvature = -1, 0, 1
	row := s.k[i*s.size+from : i*s.size+to]
	g, still, diag := s.g[from:to], s.still[from:to], s.diag[from:to]
	g, still, diag = g[:len(row)], still[:len(row)], diag[:len(row)]
	gi, ki := s.g[i], s.diag[i]
	for t, k := range row {
		b := g[t] - gi - still[t]
		a := ki + diag[t] - 2*float64(k)
		if a < leastCurvature {
			a = leastCurvature
		}
		if b > violation {
			violation = b
		}
		if v := b * math.Abs(b); v*curvature > gain*a {
			at, gain, curvature = from+t, v, a
		}
	}
	return at, gain, curvature, violation
}

// move minimises the objective along the pair within the bounds.
func (s *smo[F]) move(i, j int) {
	ki, kj := s.k[i*s.size:(i+1)*s.size], s.k[j*s.size:(j+1)*s.size]
	curvature := max(s.diag[i]+s.diag[j]-2*float64(ki[j]), leastCurvature)
	step := (s.g[j] - s.g[i]) / curvature
	up, down := s.hi[i]-s.beta[i], s.beta[j]-s.lo[j]
	step = min(step, up, down)
	s.beta[i] += step
	s.beta[j] -= step
	if step == up {
		s.beta[i] = s.hi[i]
	}
	if step == down {
		s.beta[j] = s.lo[j]
	}
	s.mark(i)
	s.mark(j)
	g := s.g[:s.size]
	ki, kj = ki[:len(g)], kj[:len(g)]
	for t := range g {
		g[t] += step * (float64(ki[t]) - float64(kj[t]))
	}
}
