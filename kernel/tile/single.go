package tile

import (
	"math"

	"example.org/mercer/internal/simd"
)

// Single precision is the same plan on statistics of float32, u = 2⁻²⁴. What has to be
// shown is that rounding the points does not spoil small distances between points that
// are far from the origin or from one another.
//
// Points are centred and weighted in float64 first. Where the distance r is added from
// differences, rounding the points moves it by at most 2uR, R being the largest norm of a
// centred point, and a profile κ by at most 2uR·steepness, the largest |dκ/dr|. Where
// that is above 16u·κ(0), a coordinate is stored in two numbers, which have 48 bits
// together, and where even 2·2⁻⁴⁸R·steepness is above, in float64.
//
// Where squared distances come from norms and inner products, the pairs that cancel are
// recomputed in float64, by the same rule and with the same bound relative to itself as
// in [keptShare], with the u of float32.
//
// An inner product is right to (d+2)u‖x‖‖y‖ and a sum of minima to (d+1)u of the sum of
// their sizes.
const (
	plainReach = 8       // largest R·steepness for one number per coordinate
	splitReach = 1 << 27 // largest for two
	// singleRange bounds statistics and operands: far from where float32 overflows or
	// becomes subnormal.
	singleRange = 1e30
)

// singleEngine returns the plan on statistics of float32, or nil where an operation of it
// can amplify their errors without bound (exp, series, 2^t, cos and 1/(1−t)), or has an
// operand of a size that float32 cannot hold: such a plan is evaluated in float64.
func singleEngine(plan *Plan, sources []source[float64]) *engine[float32] {
	for i := range plan.Program {
		if !plan.Program[i].inSingle() {
			return nil
		}
	}
	if len(sources) == 1 {
		if g := gaussianOf(plan, sources[0]); g != nil {
			e := newEngine[float32](plan, nil)
			e.whole = g
			return e
		}
	}
	singles := make([]source[float32], len(sources))
	for i, s := range sources {
		if singles[i] = singleSource(s, plan.steepness(i)); singles[i] == nil {
			return nil
		}
	}
	e := newEngine(plan, singles)
	if len(sources) == 1 {
		e.whole = newCounted(e, sources[0])
	}
	return e
}

// inSingle reports whether an operation has a form in float32.
func (o *Op) inSingle() bool {
	switch o.Code {
	case OpExp, OpSeries, OpExp2, OpCos, OpReciprocalComplement:
		return false
	case OpConstant, OpAffine, OpExpNeg, OpExpNegRoot, OpMatern, OpRationalQuadratic, OpCompact:
		for _, v := range []float64{o.A, o.B} {
			if v != 0 && !(math.Abs(v) >= 1/singleRange && math.Abs(v) <= singleRange) {
				return false
			}
		}
	}
	return true
}

// steepness bounds |dκ/dr| for all profiles κ of statistic number s, where r is the root
// of a squared distance and any other statistic itself. It is +Inf where the statistic is
// used in a way that is not a profile of a distance.
func (p *Plan) steepness(s int) float64 {
	steepest := 0.0
	for i, op := range p.Program {
		if op.Code != OpPush || op.Statistic != s {
			continue
		}
		slope := math.Inf(1)
		if i+1 < len(p.Program) {
			slope = p.Program[i+1].slope(p.Statistics[s].Kind)
		}
		steepest = max(steepest, slope)
	}
	return steepest
}

// slope bounds |dκ/dr| of one profile.
func (o *Op) slope(kind Kind) float64 {
	switch {
	case kind == Manhattan && o.Code == OpExpNeg:
		return o.A
	case kind != SquaredDistance:
	case o.Code == OpExpNeg: // 2Ar·exp(−Ar²), largest at r = 1/√(2A)
		return math.Sqrt(2 * o.A / math.E)
	case o.Code == OpExpNegRoot: // A·exp(−Ar)
		return o.A
	case o.Code == OpMatern && o.B >= 0.5: // |M′| ≤ 1
		return math.Sqrt(o.A)
	case o.Code == OpRationalQuadratic: // 2ABr(1+Ar²)^(−B−1), largest at Ar² = 1/(2B+1)
		return math.Sqrt(2 * o.A * o.B)
	case o.Code == OpCompact:
		return math.Sqrt(o.A) * compactSlope(int(o.B), o.List)
	}
	return math.Inf(1)
}

// singleSource returns a statistic in single precision, or nil where its range is not
// that of float32.
func singleSource(s source[float64], steepness float64) source[float32] {
	f, ok := s.(*field)
	if !ok {
		f = s.(*storedField).of
	}
	if !f.packed || f.counted() || f.inBytes() || f.stat.Kind == ChiSquared || f.stat.Kind == HarmonicMeans || f.stat.Kind == PowerDistance || f.stat.Kind == Angle {
		if f.stat.Kind == Angle && !(inRange(f.rows.norms) && inRange(f.cols.norms)) {
			return nil
		}
		return newRounded(s, f.cols.n)
	}
	if f.mixed() {
		single := newMixedSingle(f, steepness)
		if ok || single == nil {
			return single
		}
		return newRounded(s, f.cols.n)
	}
	columns := f.single()
	reach := columns.reach
	if f.rows != f.cols {
		reach = max(reach, f.rows.reach(f.stat.Kind, columns.change))
	}
	if !(reach >= 1/math.Sqrt(singleRange) && reach <= math.Sqrt(singleRange)) {
		return nil
	}
	if !ok {
		return newRounded(s, f.cols.n)
	}
	loop := f.loop
	switch {
	case f.byNorms || f.stat.Kind != SquaredDistance && f.stat.Kind != Manhattan:
	case reach*steepness <= plainReach:
		if loop == simd.Weighted { // the weights are in the points now
			loop = simd.Squared
		}
	case reach*steepness <= splitReach:
		if loop = simd.SquaredSplit; f.stat.Kind == Manhattan {
			loop = simd.ManhattanSplit
		}
	default:
		return newRounded(s, f.cols.n)
	}
	return newSingleField(f, loop)
}

// reach is the largest norm of the changed points: ‖x‖ for the statistics that are sums
// of products, Σ|xⱼ| for the others.
func (p *points) reach(kind Kind, change func(x []float64)) float64 {
	euclidean := kind == InnerProduct || kind == SquaredDistance
	largest, x := 0.0, make([]float64, p.d)
	for i := range p.n {
		p.unpack(x, i)
		change(x)
		sum := 0.0
		for _, v := range x {
			if euclidean {
				sum += v * v
			} else {
				sum += math.Abs(v)
			}
		}
		if sum > largest || math.IsNaN(sum) {
			largest = sum
		}
	}
	if euclidean {
		return math.Sqrt(largest)
	}
	return largest
}

// unpack copies point i from the panels.
func (p *points) unpack(dst []float64, i int) {
	panel := p.lane(i)
	for j := range dst {
		dst[j] = panel[j*simd.PanelWidth]
	}
}
