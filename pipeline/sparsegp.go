package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
)

// readProcess reads the report of a process, which is another on landmarks.
func readProcess(text json.RawMessage, outputs int) (Report, error) {
	var which struct {
		Landmarks int `json:"landmarks"`
	}
	if err := json.Unmarshal(text, &which); err != nil {
		return nil, err
	}
	if which.Landmarks == 0 {
		return plainReport[gp.Report](text, outputs)
	}
	r := new(sparsegp.Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	for _, list := range [][]float64{r.LogEvidence, r.Fit, r.Constant, r.RMSE} {
		if len(list) != outputs {
			return nil, fmt.Errorf("it does not have the scores of %d outputs", outputs)
		}
	}
	if r.Within != nil && len(r.Within) != outputs {
		return nil, fmt.Errorf("it bounds the evidence of %d outputs, and there are %d", len(r.Within), outputs)
	}
	return r, nil
}

// sparseProcess is what a process on landmarks adds to what is learned of any method.
type sparseProcess struct {
	state sparsegp.State
	// approximation is that of the kernel that a search found; nil: that of the problem.
	approximation *task.LandmarkMap
}

// onLandmarks fits the process through the landmarks of the problem.
func (o GP) onLandmarks(ctx context.Context, p *task.Task) (*learned, error) {
	if err := o.learnable(false); err != nil {
		return nil, err
	}
	y, err := p.Numbers()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	f, report, sparse, err := fitSparse(ctx, p.Points, y, o)
	if err != nil {
		return nil, err
	}
	if sparse.approximation != nil {
		renewed := *p.LandmarkMap
		renewed.TraceError, renewed.Errors = sparse.approximation.TraceError, sparse.approximation.Errors
		sparse.approximation = &renewed
	}
	return &learned{f: f, report: report, decision: outcome.ForTargets(p.Prep), noise: rowNoise{column: o.NoiseColumn}, sparse: sparse}, nil
}

// inFeatures finds the mean of a process on landmarks in their features, which is ridge
// regression at the ridge σ² in all approximations with the noise of the exact process: what a
// search by the error of rows left out needs.
func (o GP) inFeatures(ctx context.Context, p *task.Task) (*learned, error) {
	if o.Sparse == sparsegp.FITC || o.RowNoise != nil {
		return nil, fmt.Errorf("pipeline: rows with a noise of their own, those of %s among them, are not searched on landmarks by the error of rows left out: let the evidence find the kernel and the noise (GP.Optimize, --optimize)", sparsegp.FITC)
	}
	return KRR{Options: krr.Options{Ridge: o.Noise, NoIntercept: o.Mean == gp.Zero, Compute: o.Compute}}.fit(ctx, p)
}

// sparseOn fits a process on the landmarks of a low-rank kernel, after a search for the largest
// bound if that is asked for.
func sparseOn[T any](ctx context.Context, l task.TypedPoints[T], y *mat.Dense, o GP) (task.Function, *sparsegp.Report, *sparseProcess, error) {
	low, ok := l.Kernel.(*nystrom.Kernel[T])
	if !ok {
		return task.Function{}, nil, nil, fmt.Errorf("pipeline: the kernel %s has no landmarks", l.Kernel)
	}
	at, _ := low.Landmarks()
	k, with := low.Of(), o.sparse()
	var tuned *gp.TuneReport
	if o.Optimize {
		var err error
		if k, with.Noise, tuned, err = sparsegp.Tune(ctx, amplified(k, task.Variance(mat.Col(nil, 0, y))), l.Set, at, y, with, o.search()); err != nil {
			return task.Function{}, nil, nil, err
		}
	}
	f, report, err := sparsegp.Fit(ctx, k, l.Set, at, y, with)
	if err != nil {
		return task.Function{}, nil, nil, err
	}
	out := &sparseProcess{state: f.Posterior.State()}
	if tuned != nil {
		searched(&report.Run, tuned)
		report.Tuned = tuned
		e, err := left(ctx, k, l.Set, at, o)
		if err != nil {
			return task.Function{}, nil, nil, err
		}
		out.approximation = &task.LandmarkMap{TraceError: report.TraceLeft, Errors: *e}
	}
	return task.NewFunction(l.Encoding, k, f.Expansion), report, out, nil
}

// fitSparse is [sparseOn] for points of any type.
func fitSparse(ctx context.Context, rows task.Points, y *mat.Dense, o GP) (f task.Function, report *sparsegp.Report, state *sparseProcess, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { f, report, state, err = sparseOn(ctx, l, y, o) },
		IDs:     func(l task.TypedPoints[string]) { f, report, state, err = sparseOn(ctx, l, y, o) },
		Records: func(l task.TypedPoints[record.Record]) { f, report, state, err = sparseOn(ctx, l, y, o) },
	})
	return f, report, state, err
}

// left measures what landmarks leave of a kernel.
func left[T any](ctx context.Context, k kernel.Kernel[T], xs, at data.Set[T], o GP) (*nystrom.Errors, error) {
	low, err := nystrom.New(ctx, k, at, compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, err
	}
	return low.Errors(ctx, xs, o.Seed, o.Compute)
}

// sparse returns the options of the process on landmarks.
func (o GP) sparse() sparsegp.Options {
	return sparsegp.Options{Approximation: o.Sparse, Noise: o.Noise, RowNoise: o.RowNoise, Mean: o.Mean, Weights: o.Weights, Jitter: o.Jitter, Compute: o.Compute}
}

// learnable refuses what landmarks and features do not have.
func (o GP) learnable(mapped bool) error {
	switch {
	case mapped:
		return errors.New("pipeline: a Gaussian process on features would be certain far from its rows, where they are as certain as near: take landmarks (--landmarks), or fit krr for the mean")
	case o.Solver == gp.CG:
		return fmt.Errorf("pipeline: landmarks make a system of their number, which is factored: leave the solver %q, or the landmarks, out", gp.CG)
	case o.Updatable:
		return errors.New("pipeline: an updatable model keeps all training rows, and one on landmarks none of them: leave one of the two out")
	}
	return nil
}

// passes refuses the exact process, which has a matrix of all rows.
func (o GP) passes(p *task.Task) string {
	switch {
	case p.LandmarkMap == nil:
		return "without landmarks (--landmarks) has the Gram matrix of all rows, and needs all rows in memory"
	case o.NoiseColumn != "":
		return fmt.Sprintf("reads the noise of every row in column %s, and needs all rows in memory", o.NoiseColumn)
	}
	return ""
}

// rowNumbers are those that a fit on landmarks holds for each row with p targets: these and a one,
// less their means and as residuals; k(x, x), what the landmarks leave of it, and Λ.
func rowNumbers(p int) int64 { return 2*int64(p+1) + 3 }

// maps is how often the features of a row are computed: once where they are held.
func (o GP) maps(p *task.Task) int {
	if p.LandmarkMap != nil && compute.FitsInMemory(gram.TallBytes(p.LandmarkMap.Rows, p.LandmarkMap.Landmarks, compute.Double), o.Compute.MaxMemory) {
		return 1
	}
	return 2
}

// planOnLandmarks predicts what there is to do beside the features of the rows: nm² flops of
// moments; and a search before, whose evaluations compute the features, too, and nm²·3 flops and
// nm gradients of the kernel.
func (o GP) planOnLandmarks(ctx context.Context, p *task.Task) (compute.Plan, error) {
	if err := o.learnable(false); err != nil {
		return compute.Plan{}, err
	}
	exact := *p
	exact.Points = p.Points.Original()
	machine, err := exact.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	_, _, targets := p.Dims()
	n, m := p.LandmarkMap.Rows, p.LandmarkMap.Landmarks
	maps := o.maps(p)
	held := 2*8*int64(min(n, 1024))*int64(m) + 8*int64(n)*rowNumbers(targets)
	if maps == 1 {
		held += gram.TallBytes(n, m, compute.Double)
	}
	square, work := float64(m)*float64(m), float64(n)*float64(m)
	values := 0.0
	if machine.PairRate > 0 {
		values = work / machine.PairRate
	}
	once := compute.Cost{Stage: "moments", Memory: held + 32*int64(m)*int64(m), Flops: work*float64(m) + square*float64(m)}
	once.Seconds = once.Flops/machine.GemmRate + float64(maps)*values
	stages := []compute.Cost{once}
	if o.Optimize {
		count := float64(evaluations * (1 + max(0, o.Restarts)))
		search := compute.Cost{Stage: "search", Memory: once.Memory + 64*int64(m)*int64(m), Flops: count * (once.Flops + float64(3+maps)*work*float64(m))}
		search.Seconds = search.Flops/machine.GemmRate + count*float64(maps+4)*values
		stages = []compute.Cost{search, once}
	}
	plan := compute.NewPlan("landmarks", machine, stages...)
	if o.Optimize {
		plan.Notes = append(plan.Notes, fmt.Sprintf("the search is planned with %d evaluations of the bound per start; it may take fewer or more", evaluations))
	}
	return p.PlanStreaming(plan), nil
}

// The tensors of a process on landmarks.
const (
	tensorPrecision = "precision" // m(m+1)/2: the Cholesky factor of the posterior's precision, row by row
	tensorPull      = "pull"      // m+1: what the constant mean has to do with the landmarks, and its precision
)

// storeSparse puts what the variances need among the tensors of a file.
func (m *Model) storeSparse(tensors map[string]model.Tensor) error {
	if m.sparse == nil {
		return nil
	}
	rows := m.sparse.Precision.Rows()
	var err, second error
	tensors[tensorPrecision], err = model.Float64s(rows, len(rows))
	if pull := m.sparse.Pull; pull != nil {
		pull = append(slices.Clone(pull), m.sparse.Mass)
		tensors[tensorPull], second = model.Float64s(pull, len(pull))
	}
	return cmp.Or(err, second)
}

// decodeSparse reads what storeSparse wrote.
func (m *Model) decodeSparse(file *model.File) error {
	r, ok := m.Report.(*sparsegp.Report)
	if !ok || m.Compression != nil {
		return nil
	}
	n := m.f.Size()
	if n != r.Landmarks || !file.Has(tensorPrecision) {
		return fmt.Errorf("the model is a process on %d landmarks, and holds %d of them and not all that its variances need", r.Landmarks, n)
	}
	rows, err := file.Floats(tensorPrecision, n*(n+1)/2)
	if err != nil {
		return err
	}
	s := &sparsegp.State{Approximation: r.Approximation, Jitter: r.Jitter}
	if s.Precision, err = linalg.NewUpdatableFactor(n, rows); err != nil {
		return fmt.Errorf("tensor %q: %w", tensorPrecision, err)
	}
	if !slices.Contains(sparsegp.Approximations, r.Approximation) || !(r.Jitter >= 0) || math.IsInf(r.Jitter, 1) {
		return fmt.Errorf("the report names the approximation %q and the jitter %v", r.Approximation, r.Jitter)
	}
	if r.Mean != gp.Zero {
		pull, err := file.Floats(tensorPull, n+1)
		if err != nil {
			return err
		}
		if s.Pull, s.Mass = pull[:n], pull[n]; !(s.Mass > 0) {
			return fmt.Errorf("tensor %q ends with %v, the precision of the constant mean, which is positive", tensorPull, s.Mass)
		}
	}
	m.sparse = s
	return nil
}
