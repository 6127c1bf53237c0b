package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
)

const (
	// Halving draws candidates, tries all of them on a small share of the training
	// rows, and each time the best third on three times as many (Jamieson and
	// Talwalkar, Non-stochastic best arm identification and hyperparameter
	// optimization, AISTATS 2016).
	Halving Method = "halving"
	// Bayes draws a few candidates and then tries where a Gaussian process on the scores
	// so far expects the largest improvement (Jones, Schonlau and Welch, Efficient
	// global optimization of expensive black-box functions, 1998).
	Bayes Method = "bayes"
)

// The defaults of [CrossOptions.Trials].
const (
	crossGridValues = 7
	crossCandidates = 40
)

// grid tries every kernel with every set of values of the method.
func (c *cross[T]) grid(ctx context.Context) error {
	count := c.o.Trials
	if count == 0 {
		count = crossGridValues
	}
	var axes [][]float64
	kernels := 1
	for i := range c.space.Parameters {
		axes = append(axes, c.space.Parameters[i].octaves(count))
		kernels *= len(axes[i])
		if kernels > mostKernels {
			return fmt.Errorf("tune: a grid over %d parameters with %d values each has more than %d kernels: use %q, %q or %q", len(c.space.Parameters), count, mostKernels, Random, Halving, Bayes)
		}
	}
	var own [][]float64
	for _, a := range c.method {
		own = append(own, a.Values)
	}
	sets := combinations(own)
	c.budget = kernels * len(sets)
	for _, k := range combinations(axes) {
		if err := c.try(ctx, candidate{kernel: k, method: sets, share: 1}); err != nil {
			return err
		}
	}
	return nil
}

// octaves returns count values in powers of 2 around the start of a parameter, within
// its bounds; for a parameter that is not positive, equal steps between the bounds.
func (p *Parameter) octaves(count int) []float64 {
	var out []float64
	for i := range count {
		v := p.Start * math.Pow(2, float64(i-count/2))
		if !p.Positive {
			v = p.Lower + (p.Upper-p.Lower)*float64(i)/float64(max(count-1, 1))
		}
		if v = min(max(v, p.Lower), p.Upper); len(out) == 0 || v != out[len(out)-1] {
			out = append(out, v)
		}
	}
	return out
}

// dimensions returns all parameters of the search with the range from which candidates
// are drawn: for a parameter of the kernel that of the default grid.
func (c *cross[T]) dimensions() []Parameter {
	var out []Parameter
	for _, p := range c.space.Parameters {
		values := p.octaves(crossGridValues)
		p.Lower, p.Upper = values[0], values[len(values)-1]
		out = append(out, p)
	}
	return append(out, parametersOf(c.method)...)
}

// draw returns count candidates: a shifted lattice of golden ratios, which fills the
// cube more evenly than independent numbers do.
func (c *cross[T]) draw(count int) []candidate {
	dims, r := c.dimensions(), searchStream.rand(c.o.Seed)
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
		out[i] = c.at01(dims, unit)
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

// at01 returns the candidate at a point of the unit cube.
func (c *cross[T]) at01(dims []Parameter, unit []float64) candidate {
	values := make([]float64, len(dims))
	for j := range dims {
		p := &dims[j]
		low, high := p.coordinate(p.Lower), p.coordinate(p.Upper)
		values[j] = p.value(low + unit[j]*(high-low))
	}
	split := len(c.space.Parameters)
	return candidate{kernel: values[:split:split], method: [][]float64{values[split:]}, share: 1}
}

// random tries candidates that were drawn.
func (c *cross[T]) random(ctx context.Context) error {
	drawn := c.draw(c.o.candidates())
	c.budget = len(drawn)
	for _, x := range drawn {
		if err := c.try(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// eta is the factor by which rounds of [Halving] shrink and their shares grow.
const eta = 3

// halving tries all candidates on few rows, and the best of them on more.
func (c *cross[T]) halving(ctx context.Context) error {
	drawn := c.draw(c.o.candidates())
	rounds := halvings(len(drawn), len(c.o.Splits[0].Train))
	for left := len(drawn); left > 0; left /= eta {
		c.budget += left
	}
	for r := rounds; r >= 0; r-- {
		first := len(c.trials)
		for i := range drawn {
			drawn[i].share = math.Pow(eta, -float64(r))
			if err := c.try(ctx, drawn[i]); err != nil {
				return err
			}
		}
		drawn = c.survivors(drawn, first)
	}
	return nil
}

// minShareRows is the least number of training rows of a round.
const minShareRows = 30

// survivors returns the best third of the candidates of the trials from first on.
func (c *cross[T]) survivors(drawn []candidate, first int) []candidate {
	order := make([]int, len(drawn))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := c.trials[first+i], c.trials[first+j]
		switch {
		case (a.Failed == "") != (b.Failed == ""):
			if a.Failed == "" {
				return -1
			}
			return 1
		case c.better(a, b):
			return -1
		case c.better(b, a):
			return 1
		}
		return 0
	})
	var out []candidate
	for _, i := range order[:max(1, len(order)/eta)] {
		out = append(out, drawn[i])
	}
	return out
}
