package svm

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
)

// problemOptions are those of a problem that is searched beside others.
func (j *job) problemOptions(i int) compute.Options {
	return j.o.Compute.Within(fmt.Sprint("machine ", i))
}

// step runs a search of a problem as a step of a checkpoint, with all that it changes: the
// coefficients, the gradient as it is known, two counts, and a number that it returns.
func (m *binaryProblem) step(ctx context.Context, o compute.Options, search func() (float64, error)) (float64, error) {
	counts := make([]float64, 3)
	err := o.Step(ctx, "search", [][]float64{m.beta, m.g, counts}, func() error {
		found, err := search()
		copy(counts, []float64{float64(m.steps), m.longest, found})
		return err
	})
	m.steps, m.longest = int(counts[0]), counts[1]
	return counts[2], err
}

// keptWork is how many numbers of a gradient are brought up to date from one step of a checkpoint
// to the next, about a minute of one core. Bits do not depend on it: what else a search knows is a
// function of the coefficients and the gradient.
const keptWork = 1 << 35

// inSteps is run as steps of a checkpoint.
func (s *smo[F]) inSteps(ctx context.Context, o compute.Options, tolerance float64) error {
	for {
		before := s.m.steps
		if _, err := s.m.step(ctx, o, func() (float64, error) { return 0, s.run(ctx, tolerance) }); err != nil {
			return err
		}
		if s.m.steps-before < s.most {
			return nil
		}
	}
}
