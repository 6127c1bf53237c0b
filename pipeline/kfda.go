package pipeline

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/kfda"
	"mercer/prep"
	"mercer/tune"
)

// KFDA is the kernel Fisher discriminant. Its options take the row weights from the
// problem.
type KFDA struct {
	kfda.Options
	// EqualPriors takes the classes for equally probable.
	EqualPriors bool
}

// Barycentre is the nearest mean of the classes in feature space. Its options take the
// row weights from the problem.
type Barycentre struct{ kfda.BarycentreOptions }

var (
	_ = register(plainReport[kfda.Report], KFDA{}.Name())
	_ = register(plainReport[kfda.BarycentreReport], Barycentre{}.Name())
)

// Name returns "kfda".
func (KFDA) Name() string { return "kfda" }

// Name returns "barycentre".
func (Barycentre) Name() string { return "barycentre" }

func (o KFDA) compute() gram.Options       { return o.Compute }
func (o Barycentre) compute() gram.Options { return o.Compute }

func (o KFDA) fit(ctx context.Context, p *Problem) (*learned, error)       { return p.expand(ctx, o) }
func (o Barycentre) fit(ctx context.Context, p *Problem) (*learned, error) { return p.expand(ctx, o) }

func (o KFDA) solve(ctx context.Context, k gram.Operator, p *Problem) (*solution, error) {
	t, y, err := p.classes()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	if o.EqualPriors {
		o.Priors = slices.Repeat([]float64{1}, len(t.Labels))
	}
	s, r, err := kfda.Solve(ctx, k, y, o.Options)
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.Coef, bias: s.Bias, decision: discriminants(t, r.Decision), report: r}, nil
}

// discriminants returns the decision by the centres of the classes along directions.
func discriminants(t prep.Target, rule *kfda.Decision) Decision {
	d := Decision{Rule: Centres, Centres: rule}
	for j := range rule.Centroids[0] {
		d.Outputs = append(d.Outputs, fmt.Sprintf("%s.LD%d", t.Name, j+1))
	}
	return d
}

// solve gives one function per class, or for two classes their difference.
func (o Barycentre) solve(ctx context.Context, k gram.Operator, p *Problem) (*solution, error) {
	t, y, err := p.classes()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	s, r, err := kfda.SolveBarycentres(ctx, k, y, o.BarycentreOptions)
	if err != nil {
		return nil, err
	}
	if len(s.Bias) == 2 {
		first, difference := s.Coef.ColView(0), mat.NewDense(len(y), 1, nil)
		difference.Copy(s.Coef.ColView(1))
		difference.Sub(difference, first)
		s.Coef, s.Bias = difference, []float64{s.Bias[1] - s.Bias[0]}
	}
	return &solution{coef: s.Coef, bias: s.Bias, decision: largest(t), report: r}, nil
}

func (o KFDA) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	if dim := p.narrow(); dim > 0 {
		return planNarrow(ctx, p, o.Compute, func(n, classes int, m gram.Machine) gram.Cost { return gram.WoodburyCost(n, dim, classes, m) })
	}
	return planBySample(ctx, p, o, matrixNeed)
}

func (o Barycentre) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	if dim := p.narrow(); dim > 0 {
		return planNarrow(ctx, p, o.Compute, func(n, classes int, m gram.Machine) gram.Cost {
			flops := 4 * float64(n) * float64(dim) * float64(classes)
			return gram.Cost{Stage: "barycentres", Memory: 8 * int64(n) * int64(dim+2*classes), Flops: flops, Seconds: flops / m.GemmRate}
		})
	}
	return planBySample(ctx, p, o, vectorNeed)
}

// planNarrow predicts what one stage takes in features.
func planNarrow(ctx context.Context, p *Problem, o gram.Options, cost func(n, classes int, m gram.Machine) gram.Cost) (gram.Plan, error) {
	t, _, err := p.classes()
	if err != nil {
		return gram.Plan{}, err
	}
	m, s, err := p.sizes(ctx, o)
	return gram.NewPlan("features", m, cost(s.rows, len(t.Labels), m)), err
}

// matrixNeed is what a method holds that factors the matrix where it lies.
func matrixNeed(n int) int64 { return 8 * int64(n) * int64(n) }

// vectorNeed is what a method holds that multiplies with a matrix it never stores.
func vectorNeed(n int) int64 { return 64 * int64(n) }

// axes are λ in decades.
func (KFDA) axes(*Problem) []tune.Axis { return []tune.Axis{tune.Powers("lambda", 10, -7, 0, 1)} }

func (o KFDA) with(values []float64) tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}

// axes are none: only the kernel can be searched.
func (Barycentre) axes(*Problem) []tune.Axis { return nil }

func (o Barycentre) with([]float64) tunable { return o }
