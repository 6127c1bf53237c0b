package gp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// TuneOptions say where the search for the largest evidence starts and how long it
// lasts. The parameters start at the values of the kernel, the noise at Options.Noise.
type TuneOptions struct {
	Options
	// FixedNoise keeps σ² as it is. Without it a noise of zero starts at a tenth of the variance of
	// the targets, unless rows have noise of their own.
	FixedNoise bool
	// Fixed names parameters of the kernel that stay as they are.
	Fixed []string
	// Restarts is the number of further searches from random starts.
	Restarts int
	// Seed of the random starts.
	Seed uint64
	// Evaluations is the largest number of factorizations in one search; 0 means
	// 50 + 10 for every parameter.
	Evaluations int
}

// TuneReport says how the search went.
type TuneReport struct {
	// Parameters are what was moved, ln σ² last as "noise" unless that was fixed.
	Parameters []TunedParameter `json:"parameters"`
	// LogEvidence is the largest, Start that of the first start.
	LogEvidence float64 `json:"log_evidence"`
	Start       float64 `json:"start"`
	// Gradient is the largest derivative of the log evidence there by a coordinate of
	// the search (a logarithm, for what is positive), those at bounds left out.
	Gradient    float64 `json:"gradient"`
	Iterations  int     `json:"iterations"` // of L-BFGS, over all starts
	Evaluations int     `json:"evaluations"`
	Converged   bool    `json:"converged"` // the best search
	// Searches are the log evidences that each start reached.
	Searches []float64 `json:"searches"`

	model.Run
}

// TunedParameter is one coordinate of the search.
type TunedParameter struct {
	Name  string  `json:"name"`
	Start float64 `json:"start"`
	Value float64 `json:"value"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	// AtBound says that the evidence still grows where the search had to stop.
	AtBound bool `json:"at_bound,omitempty"`

	positive bool
}

// startingNoise is the share of the variance of the targets at which a search for the noise starts.
const startingNoise = 0.1

// reach is how far a positive parameter may move from its start, as a factor, and any
// other, as a multiple of 1 or of its size.
const reach = 1e5

// Tune looks for the parameters of a kernel, one by one those of automatic relevance
// determination, and for the noise that make the evidence largest (type II maximum
// likelihood, R&W section 5.4.1): L-BFGS in the logarithms of what is positive, within a
// factor of 1e5 of the start, with restarts from random places. It returns the kernel
// and the noise of the best search.
//
// An evaluation takes n³ multiplications and 2·8n² bytes, and n²/2 gradients of the kernel. With
// the solver [CG] it takes the products of a fit and n² gradients, and no n² bytes: value
// and derivative are estimates by the same random vectors in every evaluation, so that the
// search is one of a fixed function, and ends where the two cannot agree better.
// The evidence may have several maxima. Errors: those of [Options]; a kernel without a
// gradient; targets that are all equal, whose evidence has no maximum; and a start at
// which K + Σ cannot be factored.
func Tune[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, o TuneOptions) (kernel.Kernel[T], float64, *TuneReport, error) {
	if o.Noise == 0 && o.RowNoise == nil && !o.FixedNoise {
		o.Noise = startingNoise * stat.PopVariance(y, nil)
	}
	if err := o.validate(xs.Len(), append([]float64{}, y...)); err != nil {
		return nil, 0, nil, err
	}
	if !slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
		return nil, 0, nil, fmt.Errorf("gp: all targets are %v: the evidence grows without bound as the noise and the kernel vanish; there is nothing to tune", y[0])
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, 0, nil, fmt.Errorf("gp: %w", err)
	}
	of := &byMatrix[T]{xs: xs, compute: o.Compute, criterion: func(ctx context.Context, k *mat.SymDense, noise float64) (*Sensitivity, error) {
		at := o.Options
		at.Noise = noise
		return Gradient(ctx, k, y, at)
	}}
	if o.Solver == CG {
		of := newByProducts(xs, y, o.Options)
		return maximize(ctx, k, o, of.slope, of.pivots)
	}
	return Maximize(ctx, k, o, of.slope)
}

// Objective is the logarithm of an evidence, or what stands for it, as a function of a kernel
// and a noise σ²: its value, the derivatives in the parameters of the kernel, on the scale of
// [kernel.Differentiable], and that in ln σ². smooth is the kernel with its gradient, nil where
// no parameter moves and theta is not wanted.
type Objective[T any] func(ctx context.Context, k kernel.Kernel[T], smooth kernel.Differentiable[T], noise float64) (value float64, theta []float64, dLogNoise float64, err error)

// Maximize is the search of [Tune] for the largest value of any objective. Of the options it
// uses Noise, where σ² starts, and Solver: with [CG] the objective is an estimate, and the search
// ends where it cannot tell kernels apart; and the checkpoint of Compute, of which an evaluation is
// a step.
func Maximize[T any](ctx context.Context, k kernel.Kernel[T], o TuneOptions, objective Objective[T]) (kernel.Kernel[T], float64, *TuneReport, error) {
	return maximize(ctx, k, o, objective, nil)
}

// maximize is Maximize for an objective with numbers that it changes.
func maximize[T any](ctx context.Context, k kernel.Kernel[T], o TuneOptions, objective Objective[T], changes []float64) (kernel.Kernel[T], float64, *TuneReport, error) {
	s := &search[T]{k: k, o: &o, objective: objective, changes: changes, report: &TuneReport{}}
	if err := s.choose(); err != nil {
		return nil, 0, nil, err
	}
	watch := model.NewStopwatch()
	best, err := s.run(ctx)
	if err != nil {
		return nil, 0, nil, err
	}
	tuned, noise, err := s.at(best.c)
	if err != nil {
		return nil, 0, nil, err
	}
	s.finish(best)
	watch.Lap(&s.report.Run, "search")
	return tuned, noise, s.report, nil
}

// search is a search for the largest evidence.
type search[T any] struct {
	k         kernel.Kernel[T]
	o         *TuneOptions
	objective Objective[T]
	changes   []float64 // by the objective, from one evaluation to the next
	report    *TuneReport
	moved     []int // which parameters of the kernel are coordinates
	noise     bool  // whether ln σ² is the last
}

// parameters are those of the kernel, none where it has no such thing.
func (s *search[T]) parameters() []kernel.Parameter {
	if t, ok := s.k.(kernel.Tunable[T]); ok {
		return t.Parameters()
	}
	return nil
}

// choose finds the coordinates.
func (s *search[T]) choose() error {
	var names []string
	for i, q := range s.parameters() {
		names = append(names, q.Name)
		if slices.Contains(s.o.Fixed, q.Name) {
			continue
		}
		s.moved = append(s.moved, i)
		s.report.Parameters = append(s.report.Parameters, newTuned(q.Name, q.Value, q.Positive))
	}
	for _, name := range s.o.Fixed {
		if !slices.Contains(names, name) {
			return fmt.Errorf("gp: kernel %s has no parameter %q to fix; it has %q", s.k, name, names)
		}
	}
	if s.noise = s.o.Noise > 0 && !s.o.FixedNoise; s.noise {
		s.report.Parameters = append(s.report.Parameters, newTuned("noise", s.o.Noise, true))
	}
	if len(s.report.Parameters) == 0 {
		return fmt.Errorf("gp: kernel %s has no parameter that may move, and neither has the noise: there is nothing to tune", s.k)
	}
	if _, ok := kernel.Gradient(s.k); len(s.moved) > 0 && !ok {
		return fmt.Errorf("gp: kernel %s has no gradient in its parameters: tune it by a search without gradients", s.k)
	}
	return nil
}

func newTuned(name string, start float64, positive bool) TunedParameter {
	p := TunedParameter{Name: name, Start: start, positive: positive}
	if positive {
		p.Lower, p.Upper = start/reach, start*reach
	} else {
		size := reach * math.Max(1, math.Abs(start))
		p.Lower, p.Upper = start-size, start+size
	}
	return p
}

// coordinate maps a value to the scale of the search, value back.
func (p *TunedParameter) coordinate(v float64) float64 {
	if p.positive {
		return math.Log(v)
	}
	return v
}

func (p *TunedParameter) value(c float64) float64 {
	if p.positive {
		return math.Exp(c)
	}
	return c
}

// at returns the kernel and the noise at coordinates.
func (s *search[T]) at(c []float64) (kernel.Kernel[T], float64, error) {
	var values []float64
	for _, q := range s.parameters() {
		values = append(values, q.Value)
	}
	for j, i := range s.moved {
		values[i] = s.report.Parameters[j].value(c[j])
	}
	noise := s.o.Noise
	if s.noise {
		last := len(c) - 1
		noise = s.report.Parameters[last].value(c[last])
	}
	if len(s.moved) == 0 {
		return s.k, noise, nil
	}
	k, err := s.k.(kernel.Tunable[T]).With(values)
	return k, noise, err
}

// evaluate returns the log evidence and its gradient at coordinates, −Inf where there is no kernel
// or no factor: a step of a checkpoint.
func (s *search[T]) evaluate(ctx context.Context, c []float64) (float64, []float64, error) {
	value, grad := []float64{math.Inf(-1)}, make([]float64, len(c))
	err := s.o.Compute.Step(ctx, "evidence", [][]float64{value, grad, s.changes}, func() error {
		v, g, err := s.evidence(ctx, c)
		if err != nil {
			return ctx.Err()
		}
		value[0] = v
		copy(grad, g)
		return nil
	})
	return value[0], grad, err
}

// evidence computes the log evidence and its gradient at coordinates.
func (s *search[T]) evidence(ctx context.Context, c []float64) (float64, []float64, error) {
	k, noise, err := s.at(c)
	if err != nil {
		return 0, nil, err
	}
	var smooth kernel.Differentiable[T]
	if len(s.moved) > 0 {
		var ok bool
		if smooth, ok = kernel.Gradient(k); !ok {
			return 0, nil, fmt.Errorf("gp: kernel %s has no gradient, unlike that of the start", k)
		}
	}
	value, theta, dLogNoise, err := s.objective(ctx, k, smooth, noise)
	if err != nil {
		return 0, nil, err
	}
	grad := make([]float64, len(c))
	for j, i := range s.moved {
		grad[j] = theta[i]
	}
	if s.noise {
		grad[len(c)-1] = dLogNoise
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, nil, fmt.Errorf("gp: the log evidence is %v", value)
	}
	return value, grad, nil
}

// startStream tells the stream of random starts from those of other uses of a seed.
const startStream = 0x67705f7374617274

// spread is the standard deviation of the logarithms of random starts.
const spread = 1.5

// run searches from every start.
func (s *search[T]) run(ctx context.Context) (*found, error) {
	first := make([]float64, len(s.report.Parameters))
	for i := range first {
		first[i] = s.report.Parameters[i].coordinate(s.report.Parameters[i].Start)
	}
	var err error
	if s.report.Start, _, err = s.evaluate(ctx, first); err == nil && math.IsInf(s.report.Start, -1) {
		_, _, err = s.evidence(ctx, first) // says why
	}
	if err != nil {
		return nil, fmt.Errorf("gp: the search cannot start: %w", err)
	}
	random := rand.New(rand.NewPCG(s.o.Seed, startStream))
	var best *found
	for i := range 1 + max(0, s.o.Restarts) {
		start := slices.Clone(first)
		for j := range start {
			if z := random.NormFloat64(); i > 0 {
				start[j] += spread * z
			}
		}
		f, err := s.ascend(ctx, start)
		if err != nil {
			return nil, err
		}
		if f == nil {
			s.report.Warn("search %d found no kernel that can be factored", i+1)
			continue
		}
		s.report.Searches = append(s.report.Searches, f.value)
		if best == nil || f.value > best.value {
			best = f
		}
	}
	if best == nil {
		return nil, errors.New("gp: no search found a kernel that can be factored")
	}
	return best, nil
}

// nearBound is how close to a bound, as a share of the width, a parameter is at it.
const nearBound = 1e-2

// finish reports the best point.
func (s *search[T]) finish(best *found) {
	r := s.report
	r.LogEvidence, r.Converged = best.value, best.converged
	for i := range r.Parameters {
		p := &r.Parameters[i]
		p.Value = p.value(best.c[i])
		low, high, g := p.coordinate(p.Lower), p.coordinate(p.Upper), best.grad[i]
		margin := nearBound * (high - low)
		if p.AtBound = best.c[i] < low+margin && g < 0 || best.c[i] > high-margin && g > 0; p.AtBound {
			r.Warn("%s = %.3g is at the bound of the search: the evidence does not determine it, or grows beyond; leave it out, or start elsewhere", p.Name, p.Value)
		} else {
			r.Gradient = math.Max(r.Gradient, math.Abs(g))
		}
	}
	if !r.Converged {
		r.Warn("the search stopped before it converged (gradient %.2g): allow more evaluations", r.Gradient)
	}
}
