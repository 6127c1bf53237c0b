package methods

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/linalg"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/pca"
)

// PCA is principal component analysis of vectors as they are: of a problem with the
// kernel linear. Its options take the row weights from the problem.
type PCA struct{ pca.Options }

// Name returns "pca".
func (PCA) Name() string { return "pca" }

// ComputeOptions are those of the fit.
func (o PCA) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o PCA) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// Fit gives the scores V(x − μ), functions in the space of the linear kernel.
func (o PCA) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	l, err := p.PlainVectors(o.Name())
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	m, r, err := pca.Fit(ctx, l.Set.(data.Rows), o.Options)
	if err != nil {
		return nil, err
	}
	bias := make([]float64, r.Components)
	for j := range bias {
		bias[j] = -floats.Dot(m.Components.RawRowView(j), m.Mean)
	}
	f, err := l.Primal(mat.DenseCopyOf(m.Components.T()), bias)
	return &learner.Fitted{Function: f, Decision: outcome.ForComponents(r.Components), Report: r}, err
}

func (o PCA) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	machine, err := p.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	n, d, _ := p.Dims()
	return p.PlanStreaming(pca.Plan(n, d, !p.Streamed(), o.Options, machine)), nil
}

// WhyNotStreamed has no reason against them.
func (PCA) WhyNotStreamed(*task.Task) string { return "" }

// FactorBytes is what a checkpoint takes that keeps the factor, for the solver of a plan.
func (PCA) FactorBytes(p *task.Task, solver string) int64 {
	n, d, _ := p.Dims()
	if n >= d || pca.Solver(solver) != pca.Exact {
		return 0
	}
	return linalg.EigenBytes(n)
}

var pcaSpec = &learner.Spec{
	Name:   "pca",
	Title:  "principal components",
	Kernel: "linear",
	Verb:   "embed",
	Target: learner.AsideTarget,
	Purpose: `Principal components are the directions along which the rows, as prepared, vary most about their mean: the right singular
vectors of the centred rows, found exactly or, for a few of many, by randomised block Krylov iteration.`,
	Examples: []string{
		`iris.csv --target species --components 2`,
		`wide.csv --components 20 --solver krylov`,
	},
	Settings:   func() learner.Settings { return &pcaSettings{} },
	ReadReport: learner.PlainReport[pca.Report],
	Words: map[string][]string{
		"solver": []string{"auto", "exact", "krylov"},
	},
}

// pcaSettings are the settings of principal components.
type pcaSettings struct{ o pca.Options }

func (s *pcaSettings) Flags(fs learner.Flags) {
	fs.IntVar(&s.o.Components, componentsFlag, 2, componentsUsage)
	fs.StringVar((*string)(&s.o.Solver), "solver", "auto", "auto, exact or krylov")
}

func (s *pcaSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	o := s.o
	n, d, _ := t.Dims()
	o.Components, o.Seed, o.Compute = componentsOf(g, o.Components, min(n, d)), g.Seed, g.Compute
	return PCA{Options: o}, nil
}
