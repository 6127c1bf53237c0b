package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/manifold"
)

// Laplacian learns from rows with a target and from where the others lie: a loss of the first and
// the penalty λ(‖f‖² + γ fᵀLf), f the values at all rows and L the Laplacian of the graph of
// neighbours. That is a norm of a kernel of its own, by which another method learns from the
// labelled rows. In Belkin, Niyogi and Sindhwani (2006) λ is γ_A, and λγn² is γ_I.
type Laplacian struct {
	// Loss is "laprls", the squared one, or "lapsvm", the hinge loss.
	Loss        string
	Lambda      float64 // λ > 0
	Smoothness  float64 // γ ≥ 0
	Neighbours  int     // 0: 10
	NoIntercept bool    // of the squared loss
	Compute     compute.Options
}

// The losses of [Laplacian].
const (
	laplacianRidge   = "laprls"
	laplacianMachine = "lapsvm"
)

// onLabelled are the methods that take the kernel of the new norm, for l labelled rows.
var onLabelled = map[string]func(o Laplacian, l int) learner.Solver{
	laplacianRidge: func(o Laplacian, _ int) learner.Solver {
		return KRR{Options: krr.Options{Lambda: o.Lambda, NoIntercept: o.NoIntercept, Compute: o.Compute}}
	},
	laplacianMachine: func(o Laplacian, l int) learner.Solver {
		return SVC{Options: svm.Options{C: 1 / (2 * float64(l) * o.Lambda), Compute: o.Compute}}
	},
}

// Name returns the loss.
func (o Laplacian) Name() string { return o.Loss }

// ComputeOptions are those of the fit.
func (o Laplacian) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o Laplacian) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// LaplacianReport says what a fit with unlabelled rows found.
type LaplacianReport struct {
	manifold.SmoothReport
	Lambda     float64 `json:"lambda"`
	Smoothness float64 `json:"smoothness"`
}

// TrainingRows is the number of rows, those without a target included.
func (r *LaplacianReport) TrainingRows() int { return r.N }

// Lines returns the report as people read it.
func (r *LaplacianReport) Lines() []model.Line {
	parts := ""
	if r.Parts > 1 {
		parts = fmt.Sprintf(", in %d parts", r.Parts)
	}
	return []model.Line{
		model.Linef("rows", "%d, %d of them with a target", r.N, r.Labelled),
		model.Linef("graph", "%d edges, each row joined with its %d nearest%s", r.Edges, r.Neighbours, parts),
		model.Linef("penalties", "λ = %s of the norm, γ = %s times that of the differences along the edges", model.FormatNumber(r.Lambda), model.FormatNumber(r.Smoothness)),
		model.FormLine(),
	}
}

// labelled returns the rows that have all of their targets; the others must have none.
func labelled(p *task.Task, method string) ([]int, error) {
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	if p.Rows.W != nil {
		return nil, fmt.Errorf("learner: %s takes no row weights: leave them out", method)
	}
	if p.Indefinite != "" {
		return nil, fmt.Errorf("learner: %s goes by distances and affinities of the kernel itself, and new rows have no treated ones: leave --psd out", method)
	}
	var rows []int
	n, m := y.Dims()
	for i := range n {
		missing := 0
		for _, v := range y.RawRowView(i) {
			if math.IsNaN(v) {
				missing++
			}
		}
		switch missing {
		case 0:
			rows = append(rows, i)
		case m:
		default:
			return nil, fmt.Errorf("learner: row %s has some of its targets and not the others: complete it, or leave all of them empty", task.RowName(p.Rows, i))
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("learner: no row has a target: some must, those without leave the cell empty")
	}
	return rows, nil
}

// CheckApproximated refuses landmarks and features.
func (o Laplacian) CheckApproximated(bool) error { return refuseApproximated(o.Name()) }

func refuseApproximated(method string) error {
	return fmt.Errorf("learner: %s stands on all rows, those without a target too, and landmarks or features save nothing of it: leave them out", method)
}

// CheckHeldOut refuses to be scored on rows left out, whose targets others must not be without.
func (o Laplacian) CheckHeldOut() error {
	return fmt.Errorf("learner: %s is not scored on rows left out: keep a table aside, and use eval", o.Name())
}

// WhyNotStreamed says that all rows have to be there.
func (Laplacian) WhyNotStreamed(*task.Task) string { return "holds the graph of all rows" }

func (o Laplacian) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	rows, err := labelled(p, o.Name())
	if err != nil {
		return nil, err
	}
	if !(o.Lambda > 0) || math.IsInf(o.Lambda, 1) {
		return nil, fmt.Errorf("learner: lambda = %v is not a finite number > 0", o.Lambda)
	}
	smooth, err := manifold.Smooth(ctx, p.Pairs(), rows, manifold.Smoothing{Neighbours: o.Neighbours, Strength: o.Smoothness, Compute: o.Compute})
	if err != nil {
		return nil, err
	}
	inner := o
	if l := int64(len(rows)); o.Compute.MaxMemory > 0 { // beside what is held
		inner.Compute.MaxMemory = max(1, o.Compute.MaxMemory-8*l*(l+int64(p.Points.Size())))
		debug.FreeOSMemory() // the matrices of the graph are not held by what follows
	}
	s, err := onLabelled[o.Loss](inner, len(rows)).Solve(ctx, gram.FromMatrix(smooth.Gram), p.Part(rows))
	if err != nil {
		return nil, err
	}
	report := &LaplacianReport{SmoothReport: smooth.Report, Lambda: o.Lambda, Smoothness: o.Smoothness}
	found := *s.Report.Ran()
	found.Before(report.Run)
	report.Run = found
	var coef mat.Dense
	coef.Mul(smooth.Expand, s.Coef)
	l := &learner.Fitted{Decision: s.Decision, Report: report, NoIntercept: o.NoIntercept}
	l.Function, l.Rows = p.Points.Expand(&coef, s.Bias)
	return l, nil
}

func (o Laplacian) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	rows, err := labelled(p, o.Name())
	if err != nil {
		return compute.Plan{}, err
	}
	machine, s, err := p.Measure(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	plan := manifold.PlanSmooth(s.Rows, len(rows), machine)
	l := len(rows)
	solve := compute.FactorCost(l, machine)
	solve.Stage, solve.Memory = "labelled rows", solve.Memory+5*8*int64(l)*int64(l) // its matrix, copies, and the factor
	return plan.After(solve), nil
}

var (
	lapRLSSpec = laplacianSpec(laplacianRidge, learner.Spec{
		Title: "ridge regression with unlabelled rows",
		Purpose: `Laplacian regularised least squares learns from rows with a target, and from where the rows without one lie: leave their cells
empty. It minimises (1/l) Σ (yᵢ − f(xᵢ) − b)² + λ(‖f‖² + γ fᵀLf), with L the Laplacian of the graph that joins each row with its
nearest ones, so that the function changes little where rows lie close.`,
		Examples: []string{
			`some.csv --target kind --kernel 'rbf(sigma=0.3)' --lambda 1e-3 --smoothness 10`,
			`some.csv --target price --neighbours 6 --smoothness 1`,
		},
	})
	lapSVMSpec = laplacianSpec(laplacianMachine, learner.Spec{
		Target: learner.LabelTarget,
		Title:  "support vector machine with unlabelled rows",
		Purpose: `The Laplacian support vector machine learns from rows with a label, and from where the rows without one lie: leave their cells empty. It
minimises (1/l) Σ max(0, 1 − yᵢf(xᵢ)) + λ(‖f‖² + γ fᵀLf), with L the Laplacian of the graph that joins each row with its nearest
ones; of more than two labels for every pair.`,
		Examples: []string{
			`some.csv --target kind --kernel 'rbf(sigma=0.3)' --lambda 1e-3 --smoothness 10`,
			`some.csv --target kind --neighbours 6`,
		},
	})
)

// laplacianSpec is what both have in common.
func laplacianSpec(loss string, s learner.Spec) *learner.Spec {
	s.Name, s.Unlabelled = loss, true
	s.Settings = func() learner.Settings { return &laplacianSettings{o: Laplacian{Loss: loss}} }
	s.ReadReport = learner.PlainReport[LaplacianReport]
	return &s
}

// laplacianSettings are the settings of both.
type laplacianSettings struct{ o Laplacian }

func (s *laplacianSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.o.Lambda, "lambda", 1e-3, "λ, the penalty of ‖f‖²")
	fs.Float64Var(&s.o.Smoothness, "smoothness", 10, "γ, the penalty of differences along the edges of the graph, as a multiple of λ; 0: rows without a target do not count")
	fs.IntVar(&s.o.Neighbours, neighboursFlag, plannedNeighbours, "how many nearest rows each one is joined with")
	if s.o.Loss == laplacianRidge {
		fs.BoolVar(&s.o.NoIntercept, "no-intercept", false, "no free constant")
	}
}

func (s *laplacianSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	o := s.o
	o.Compute = g.Compute
	n, _, _ := t.Dims()
	if !g.Has(neighboursFlag) {
		o.Neighbours = min(o.Neighbours, max(n-1, 0))
	}
	switch {
	case !(o.Lambda > 0) || math.IsInf(o.Lambda, 1):
		return nil, settings.Errorf("--lambda %g: the penalty is a finite number above 0", o.Lambda)
	case !(o.Smoothness >= 0) || math.IsInf(o.Smoothness, 1):
		return nil, settings.Errorf("--smoothness %g: the penalty is a finite number, 0 or more", o.Smoothness)
	case g.Has(neighboursFlag) && o.Neighbours < 1:
		return nil, settings.Errorf("--neighbours %d: each row is joined with at least one", o.Neighbours)
	}
	return o, nil
}
