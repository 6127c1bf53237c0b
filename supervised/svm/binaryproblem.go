package svm

import (
	"fmt"
	"math"

	"example.org/mercer/compute"
)

// binaryProblem is one dual problem on its way: that of two classes, of a regression or of one
// class.
type binaryProblem struct {
	positive, negative int
	spans              []span // its rows, in order
	p                  *program
	beta               []float64
	g                  []float64 // gradient, as well as it is known
	longest            float64   // √max k(x, x) over its rows
	steps              int
	violation          float64 // by the exact gradient
	startGap           float64 // of the coefficients that were given, by the exact gradient
	converged          bool
	nearing            nearing
}

// nearing tells how far a search has come: how much of the way to the tolerance the logarithm of
// the violation has fallen.
type nearing struct {
	told   *compute.Meter // of all problems, each of problemUnits
	widest float64        // the first violation
	units  int64          // that were told
}

const problemUnits = 1000

func (w *nearing) tell(violation, tolerance float64) {
	if w.told == nil || !(violation > tolerance) {
		return
	}
	w.widest = max(w.widest, violation)
	share := math.Log(w.widest/violation) / math.Log(w.widest/tolerance)
	if units := int64(share * problemUnits); units > w.units { // NaN where there is no way to go: no more units
		w.told.Add(units - w.units)
		w.units = units
	}
}

// span is a run of rows of the matrix.
type span struct{ from, to int }

// rows returns their number.
func (s span) rows() int { return s.to - s.from }

// newProblem starts from the feasible point of its program.
func newProblem(positive, negative int, spans []span, p *program) *binaryProblem {
	m := &binaryProblem{positive: positive, negative: negative, spans: spans, p: p, beta: p.feasiblePoint(), g: make([]float64, p.size())}
	m.reset()
	return m
}

// reset makes the gradient that of no function.
func (m *binaryProblem) reset() {
	for t := range m.g {
		m.g[t] = m.p.q(t)
	}
}

// rowsOf returns the number of rows of spans.
func rowsOf(spans []span) int {
	n := 0
	for _, s := range spans {
		n += s.rows()
	}
	return n
}

// pieces cuts the segments of the program at the ends of the spans in which the rows of
// the problem stand in a matrix.
func (m *binaryProblem) pieces(spans []span) []piece {
	var out []piece
	for _, s := range m.p.segments {
		local := 0
		for _, span := range spans {
			width := span.rows()
			from, to := max(s.row, local), min(s.row+s.to-s.from, local+width)
			if from < to {
				out = append(out, piece{from: s.from + from - s.row, to: s.from + to - s.row, row: span.from + from - local, group: s.group})
			}
			local += width
		}
	}
	return out
}

// coef returns the coefficients of the problem's rows, in the order of its spans.
func (m *binaryProblem) coef() []float64 {
	out := make([]float64, rowsOf(m.spans))
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			out[s.row+t-s.from] += m.beta[t]
		}
	}
	return out
}

// each yields the rows of the problem, and where they stand in the matrix.
func (m *binaryProblem) each() func(yield func(local, row int) bool) {
	return func(yield func(local, row int) bool) {
		local := 0
		for _, s := range m.spans {
			for row := s.from; row < s.to; row++ {
				if !yield(local, row) {
					return
				}
				local++
			}
		}
	}
}

// place returns where a row of the problem stands in the matrix.
func (m *binaryProblem) place(local int) int {
	for _, s := range m.spans {
		if local < s.rows() {
			return s.from + local
		}
		local -= s.rows()
	}
	return local
}

// mostSteps is the number of steps after which a problem is given up, as LIBSVM has it.
func mostSteps(n int) int { return max(10_000_000, 100*n) }

// exhausted reports whether a search has no more to hope for: too many steps, or
// coefficients that run away to infinity.
func (m *binaryProblem) exhausted() bool {
	return m.steps >= mostSteps(m.p.size()) || m.apart() < leastApart
}

// leastApart is the relative distance of two convex hulls at which they count as
// touching: the root of what single precision can resolve of its square.
const leastApart = 1e-3

// apart returns the distance of the two points of the convex hulls of the classes that
// the coefficients of a hard margin are proportional to, relative to the longest point;
// +Inf for every other problem. With s = Σα/2 these points are Σ αᵢφ(xᵢ)/s over each
// class, and their distance is √(βᵀKβ)/s.
func (m *binaryProblem) apart() float64 {
	if m.p.bounded() {
		return math.Inf(1)
	}
	sum := 0.0
	for _, b := range m.beta {
		sum += math.Abs(b)
	}
	if sum == 0 {
		return math.Inf(1)
	}
	quadratic, _ := m.p.energy(m.beta, m.g)
	return 2 * math.Sqrt(max(0, quadratic)) / sum / m.longest
}

// NotSeparable is the error of a hard margin ([CSVC] with C = ∞) where there is none.
type NotSeparable struct {
	// Distance is that of two points of the feature space, one in the convex hull of
	// each class, relative to the longest point: the hulls meet, or come at least so
	// close.
	Distance float64
	// Positive and Negative are the classes; −1 is all the others.
	Positive, Negative int
}

// Error says how close the classes come, and what to do.
func (e *NotSeparable) Error() string {
	other := fmt.Sprintf("and %d", e.Negative)
	if e.Negative < 0 {
		other = "and the others"
	}
	return fmt.Sprintf("svm: classes %d %s cannot be separated by a hard margin: in the space of the kernel their convex hulls come within %.1g of the longest point; give a finite C, or a more flexible kernel",
		e.Positive, other, e.Distance)
}
