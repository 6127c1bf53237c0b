package tile

import "math"

const (
	// stepPrice is that of an operation of a program that is one of arithmetic, and
	// profilePrice that of an exponential, a root or a division, in coordinates of the
	// fastest loop.
	stepPrice, profilePrice = 2, 32
)

// Cost sums what the statistics and the program of the plan take for a value. Of a plan that is a
// table it is the words of a point and the look-up.
func (p *pairs) Cost() float64 {
	if c, ok := p.double.whole.(*counted[float64]); ok {
		return float64(stepPrice * (c.of.cols.bits.size + 1))
	}
	sum := 0.0
	for _, s := range p.double.sources {
		f, ok := s.(*field)
		if !ok || !f.packed {
			return math.Inf(1) // from memory, or without a loop over panels
		}
		sum += float64(f.effort())
	}
	if p.double.plan.costly() {
		return math.Inf(1)
	}
	for _, o := range p.double.plan.Program {
		switch o.Code {
		case OpPush, OpConstant, OpAdd, OpMultiply, OpAffine, OpPower:
			sum += stepPrice
		case OpSeries:
			sum += stepPrice * float64(len(o.List))
		case OpNetwork:
			sum += profilePrice * (2 + 2*o.List[1]) // for the angle, and two a layer
		case OpElementary:
			sum += 2 * stepPrice * o.A
		case OpWeightedSum:
			sum += 2 * stepPrice * float64(len(o.List))
		default:
			sum += profilePrice
		}
	}
	return sum
}
