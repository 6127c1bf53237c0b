package tune

import (
	"context"
	"math"
)

// random tries candidates that were drawn.
func (s *search[T]) random(ctx context.Context) error {
	drawn := s.draw(s.o.candidates())
	s.budget = len(drawn)
	for _, x := range drawn {
		if err := s.try(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// draw returns count candidates: of the kernel alone, where each gets its best λ, else of the
// kernel and the method.
func (s *search[T]) draw(count int) []candidate {
	if s.space.Lambda != nil {
		return s.independent(count)
	}
	return s.lattice(count)
}

// randomReach is how far, as a factor, random search goes from a positive start.
const randomReach = 32

// independent returns the start, and then kernels whose parameters are drawn independently:
// log-uniform within a factor of 32 of a positive start, uniform between the bounds otherwise.
func (s *search[T]) independent(count int) []candidate {
	rng, out := searchStream.rand(s.o.Seed), make([]candidate, count)
	for at := range out {
		values := s.space.starts()
		for i := range values {
			p, u := &s.space.Parameters[i], rng.Float64()
			if at == 0 {
				continue
			}
			low, high := p.Lower, p.Upper
			if p.Positive {
				low, high = max(low, p.Start/randomReach), min(high, p.Start*randomReach)
			}
			low, high = p.coordinate(low), p.coordinate(high)
			values[i] = p.value(low + (high-low)*u)
		}
		out[at] = candidate{kernel: values, share: 1}
	}
	return out
}

// dimensions returns all parameters of the search with the range from which candidates
// are drawn: for a parameter of the kernel that of the default grid.
func (f *Free) dimensions() []Parameter {
	out, grid := f.all(), f.grid(0)
	for i, values := range grid {
		out[i].Lower, out[i].Upper = values[0], values[len(values)-1]
	}
	return out
}

// lattice returns count candidates: a shifted lattice of golden ratios, which fills the
// cube more evenly than independent numbers do.
func (s *search[T]) lattice(count int) []candidate {
	dims, r := s.space.dimensions(), searchStream.rand(s.o.Seed)
	shift := make([]float64, len(dims))
	for j := range shift {
		shift[j] = r.Float64()
	}
	ratios := generalisedGolden(len(dims))
	out := make([]candidate, count)
	for i := range out {
		unit := make([]float64, len(dims))
		for j := range unit {
			_, unit[j] = math.Modf(shift[j] + float64(i+1)*ratios[j])
		}
		out[i] = s.inCube(dims, unit)
	}
	return out
}

// generalisedGolden returns φ⁻¹, φ⁻², … for the root φ > 1 of φ^(d+1) = φ + 1: the ratios
// of the R sequence, the golden ratio in one dimension.
func generalisedGolden(d int) []float64 {
	phi := 2.0
	for range 60 {
		phi = math.Pow(1+phi, 1/float64(d+1))
	}
	out := make([]float64, d)
	for j := range out {
		out[j] = math.Pow(phi, -float64(j+1))
	}
	return out
}

// inCube returns the candidate at a point of the unit cube.
func (s *search[T]) inCube(dims []Parameter, unit []float64) candidate {
	values := make([]float64, len(dims))
	for j := range dims {
		values[j] = dims[j].between(unit[j])
	}
	split := len(s.space.Parameters)
	return candidate{kernel: values[:split:split], method: [][]float64{values[split:]}, share: 1}
}
