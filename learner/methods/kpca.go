package methods

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/linalg"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
)

// KPCA is kernel principal component analysis: an output for each component, the scores
// of rows along it. Its options take the row weights from the problem. On landmarks or random
// features it is that of the rows of these, see [kpca.Features].
type KPCA struct{ kpca.Options }

// Name returns "kpca".
func (KPCA) Name() string { return "kpca" }

// ComputeOptions are those of the fit.
func (o KPCA) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KPCA) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o KPCA) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if o.inFeatures(p) {
		return o.fitFeatures(ctx, p)
	}
	l, err := learner.FitOnGram(ctx, p, o)
	if err == nil {
		// The mean of the images is part of what was found; a model on landmarks or features
		// does not keep the rows that it is of.
		if !p.Approximated() {
			l.States = []learner.State{rowWeights{}}
		}
	}
	return l, err
}

// inFeatures reports whether the analysis is that of the features that stand for the kernel: not
// where a solver for a Gram matrix is asked for, or where that is smaller.
func (o KPCA) inFeatures(p *task.Task) bool {
	if !p.Approximated() || o.Origin || o.Solver != "" && o.Solver != kpca.Auto && o.Solver != kpca.Primal {
		return false
	}
	return p.Streamed() || o.Solver == kpca.Primal || p.FeatureCount() <= p.Points.Size()
}

func (o KPCA) fitFeatures(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if err := p.Untargeted(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	rows, err := p.MappedRows(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	s, r, err := kpca.Solve(ctx, kpca.Features{Rows: rows}, o.Options)
	if err != nil {
		return nil, err
	}
	f, err := p.Points.Primal(s.Coef, s.Bias)
	return &learner.Fitted{Function: f, Decision: outcome.ForComponents(r.Components), Report: r}, err
}

func (o KPCA) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	if err := p.Untargeted(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	s, r, err := kpca.Solve(ctx, kpca.Gram{Operator: k}, o.Options)
	if err != nil {
		return nil, err
	}
	if s.Bias == nil { // about the origin
		s.Bias = make([]float64, r.Components)
	}
	return &learner.Solution{Coef: s.Coef, Bias: s.Bias, Decision: outcome.ForComponents(r.Components), Report: r}, nil
}

func (o KPCA) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	machine, s, err := p.Measure(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	if o.inFeatures(p) {
		return p.PlanMappedRows(kpca.PlanFeatures(s.Rows, p.FeatureCount(), p.MappedBytes(o.Compute) > 0, o.Options, machine), o.Compute), nil
	}
	return kpca.Plan(s.Rows, s.Columns, o.triedProducts(ctx, p), o.Options, machine), ctx.Err()
}

// triedProducts counts the products that Lanczos takes on an even sample of the rows, whose
// variances lie about as far apart as those of all; 0: it was not tried.
func (o KPCA) triedProducts(ctx context.Context, p *task.Task) int {
	const rows, pays = 512, 4
	if o.Solver != kpca.Lanczos && o.Solver != kpca.Auto && o.Solver != "" || p.Points.Size() < pays*rows || o.Components > rows/32 {
		return 0
	}
	o.Solver = kpca.Lanczos
	l, err := o.Fit(ctx, p.EvenSample(rows))
	if err != nil {
		return 0
	}
	if r, ok := l.Report.(*kpca.Report); ok && r.Lanczos != nil {
		return r.Lanczos.Products
	}
	return 0
}

// kpcaPasses are those of an analysis of features: the first row, the mean, moments, moments in
// the basis found, and residuals.
const kpcaPasses = 4

func (o KPCA) Mappings(p *task.Task) int {
	if o.inFeatures(p) {
		return p.MapsIn(kpcaPasses, o.Compute)
	}
	return 1
}

func (o KPCA) WhyNotStreamed(p *task.Task) string {
	if !o.inFeatures(p) {
		return learner.NeedsGram
	}
	return ""
}

// FactorBytes is what a checkpoint takes that keeps the factor, for the solver of a plan.
func (o KPCA) FactorBytes(p *task.Task, solver string) int64 {
	if o.inFeatures(p) || kpca.Solver(solver) != kpca.Exact {
		return 0
	}
	n, _, _ := p.Dims()
	return linalg.EigenBytes(n)
}

// rowWeights is the state of a method that needs the weights of its training rows and nothing else
// of them.
type rowWeights struct{}

// Store has nothing to put beside the weights.
func (rowWeights) Store(*learner.Entries) error { return nil }

// Restrict refuses to leave rows out.
func (rowWeights) Restrict() (learner.State, error) { return nil, learner.ErrTrainingRows }

// Weighted holds.
func (rowWeights) Weighted() bool { return true }

// Contents is empty.
func (rowWeights) Contents() []string { return nil }

var kpcaSpec = &learner.Spec{
	Name: "kpca", Synonyms: []string{"kernel-pca"}, Default: learner.AsideTarget,
	Title:  "kernel principal components",
	Verb:   "embed",
	Target: learner.AsideTarget,
	Purpose: `Kernel principal components are the directions v of feature space along which the rows vary most about their mean μ; the
score of a row is ⟨v, φ(x) − μ⟩, an expansion in the kernel. With the linear kernel they are principal components. One triangle of
the Gram matrix is enough for a few components (--precision single: of 4-byte numbers), and with --max-mem none. With --landmarks or
--random-features no matrix of the rows is made, and a table larger than memory is read in passes (--out-of-core).`,
	Examples: []string{
		`iris.csv --target species --kernel 'rbf(sigma=median)' --components 2`,
		`digits.csv --target digit --kernel 'rbf(sigma=median)' --components 20 --precision single --max-mem 2GiB`,
		`sky.csv --kernel 'rbf(sigma=median)' --landmarks 500 --components 5 --out-of-core`,
	},
	Settings:   func() learner.Settings { return &kpcaSettings{} },
	ReadReport: learner.PlainReport[kpca.Report],
	Words: map[string][]string{
		"precision": settings.Precisions,
		"solver":    []string{"auto", "exact", "lanczos", "primal"},
	},
}

// kpcaSettings are the settings of kernel principal components.
type kpcaSettings struct {
	o         kpca.Options
	precision string
}

func (s *kpcaSettings) Flags(fs learner.Flags) {
	fs.IntVar(&s.o.Components, componentsFlag, 2, componentsUsage)
	fs.StringVar((*string)(&s.o.Solver), "solver", "auto", "auto, exact or lanczos; with landmarks or random features primal: of their covariance")
	fs.StringVar(&s.precision, "precision", compute.Double.String(), "double, or single: a matrix of 4-byte numbers, for lanczos")
	fs.BoolVar(&s.o.Origin, "origin", false, "about the origin of the feature space and not about the mean of the rows: the uncentred spectral map")
	fs.Float64Var(&s.o.Tolerance, "tolerance", 0, "largest residual of lanczos, relative to the largest variance; default 1e-8")
}

func (s *kpcaSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	o, err := s.o, error(nil)
	if o.Compute, err = settings.InPrecision(g.Compute, s.precision); err != nil {
		return nil, err
	}
	n, _, _ := t.Dims()
	o.Components = componentsOf(g, o.Components, n)
	return KPCA{Options: o}, nil
}

// componentsFlag is the flag of the number of components.
const (
	componentsFlag  = "components"
	componentsUsage = "how many components; 0: all of positive variance"
)

// componentsOf is the number of components that was asked for, or of those there can be.
func componentsOf(g *learner.Given, asked, most int) int {
	if g.Has(componentsFlag) {
		return asked
	}
	return min(asked, most)
}
