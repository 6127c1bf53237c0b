package methods

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/manifold"
)

// Manifold gives the rows coordinates on the surface that they lie on: an output for each. The
// function that it finds places new rows among the training rows.
type Manifold struct{ manifold.Options }

// mdsName is what the command calls both ways of scaling distances.
const mdsName = "mds"

// Name returns the way to the coordinates, "mds" for those that scale distances as they are.
func (o Manifold) Name() string {
	if o.scales() {
		return mdsName
	}
	return string(o.Method)
}

// scales reports whether distances are scaled as they are.
func (o Manifold) scales() bool { return o.Method == manifold.Classical || o.Method == manifold.Stress }

// ComputeOptions are those of the fit.
func (o Manifold) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o Manifold) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o Manifold) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if err := o.CheckTask(p); err != nil {
		return nil, err
	}
	m, r, err := manifold.Solve(ctx, p.Pairs(), o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Fitted{Function: p.Placing(m), Decision: outcome.ForCoordinates(r.Components), Report: r}, nil
}

// CheckTask refuses what a surface has no meaning of.
func (o Manifold) CheckTask(p *task.Task) error {
	switch {
	case p.Rows.W != nil:
		return fmt.Errorf("learner: %s takes no row weights: a row is a place, and counts once; leave the weights out", o.Name())
	case p.Indefinite != "":
		return fmt.Errorf("learner: %s goes by the distances of the kernel itself, and new rows have no treated ones: leave --psd out", o.Name())
	}
	return p.Untargeted(o.Name())
}

// CheckApproximated refuses landmarks and features.
func (o Manifold) CheckApproximated(bool) error {
	return fmt.Errorf("learner: %s holds the distances between all rows, which landmarks or features do not save: leave them out, or take kpca", o.Name())
}

// WhyNotStreamed says that all rows have to be there.
func (Manifold) WhyNotStreamed(*task.Task) string {
	return "holds the distances between all rows, and needs the rows in memory"
}

// surfaceRows is the number of rows on which a search is timed for a plan.
const surfaceRows = 600

func (o Manifold) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	if err := o.CheckTask(p); err != nil {
		return compute.Plan{}, err
	}
	machine, s, err := p.Measure(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	some := o
	some.Neighbours, some.Compute.MaxMemory = min(o.Neighbours, surfaceRows-1), 0
	tried := manifold.Tried{Points: min(surfaceRows, s.Rows)}
	watch := compute.StartStopwatch()
	fitted, err := some.Fit(ctx, p.EvenSample(surfaceRows))
	if err != nil {
		tried.Points = 0
	} else {
		own := watch.Own()
		for _, stage := range fitted.Report.Ran().Stages {
			stage.Seconds *= own
			tried.Stages = append(tried.Stages, stage)
		}
	}
	return manifold.Plan(s.Rows, o.Options, tried, machine), ctx.Err()
}

// manifoldSpec is what the methods have in common.
func manifoldSpec(o manifold.Options, s learner.Spec) *learner.Spec {
	s.Name, s.Verb, s.Target = Manifold{o}.Name(), "embed", learner.AsideTarget
	s.Settings = func() learner.Settings { return &manifoldSettings{o: o} }
	s.ReadReport = learner.PlainReport[manifold.Report]
	return &s
}

var (
	isomapSpec = manifoldSpec(manifold.Options{Method: manifold.Isomap}, learner.Spec{
		Title: "lengths of paths on a surface",
		Start: "linear",
		Purpose: `Isomap unrolls a surface: it joins each row with its nearest ones, measures distances along the shortest paths in this graph, and scales
them to coordinates. What is near is said by the kernel, d² = k(x, x) + k(z, z) − 2k(x, z); with the linear one it is the distance of
the rows. A new row goes by paths through its neighbours.`,
		Examples: []string{
			`roll.csv --target t --neighbours 8`,
			`digits.csv --target digit --components 3 --neighbours 12`,
		},
	})
	lleSpec = manifoldSpec(manifold.Options{Method: manifold.LLE}, learner.Spec{
		Title: "locally linear embedding",
		Start: "linear",
		Purpose: `Locally linear embedding writes each row as a mean of its nearest ones, and finds the coordinates that the same means reconstruct best.
A new row is the mean of its neighbours' coordinates. Distances are those of the kernel.`,
		Examples: []string{
			`roll.csv --target t --neighbours 12`,
			`digits.csv --target digit --ridge 0.01`,
		},
	})
	eigenmapSpec = manifoldSpec(manifold.Options{Method: manifold.Eigenmap}, learner.Spec{
		Title: "eigenvectors of the graph of neighbours",
		Purpose: `Laplacian eigenmaps join each row with its nearest ones, by edges that weigh what the kernel says (--binary: 1), and find the coordinates
in which joined rows are nearest: the first eigenvectors of the graph's Laplacian. A new row takes a step to its neighbours. Values of
the kernel must not be negative.`,
		Examples: []string{
			`roll.csv --target t --neighbours 8 --binary`,
			`iris.csv --target species --kernel 'rbf(sigma=median)'`,
		},
	})
	diffusionMapSpec = manifoldSpec(manifold.Options{Method: manifold.DiffusionMap}, learner.Spec{
		Title: "eigenvectors of a random walk among the rows",
		Purpose: `Diffusion maps let a walk go from row to row by the values of the kernel, which must not be negative. Their coordinates are eigenvectors
of it, such that distances are those between where walks of --time steps from two rows come to. --alpha 1 takes the density of the
rows out, so that the geometry of the surface alone is left.`,
		Examples: []string{
			`roll.csv --target t --kernel 'rbf(sigma=0.5)' --alpha 1`,
			`iris.csv --target species --kernel 'rbf(sigma=median)' --time 3`,
		},
	})
	mdsSpec = manifoldSpec(manifold.Options{Method: manifold.Stress}, learner.Spec{
		Title:    "multidimensional scaling",
		Synonyms: []string{"scaling"},
		Start:    "linear",
		Purpose: `Multidimensional scaling finds coordinates whose distances are as near as can be to those of the kernel, d² = k(x, x) + k(z, z) − 2k(x, z):
by least stress, Σ (‖zᵢ − zⱼ‖ − dᵢⱼ)², or classically by an eigendecomposition. Distances that were found elsewhere are a kernel
too: gram(file=…, holds=distances). A new row goes where its own stress is least.`,
		Examples: []string{
			`iris.csv --target species`,
			`towns.csv --id town --kernel 'gram(file="roads.npy", holds=distances)'`,
			`iris.csv --target species --by classical --kernel 'laplace(sigma=1)'`,
		},
		Words: map[string][]string{"by": {string(manifold.Stress), string(manifold.Classical)}},
	})
)

// manifoldSettings are the settings of each of these methods that has them.
type manifoldSettings struct {
	o  manifold.Options
	by string
}

func (s *manifoldSettings) Flags(fs learner.Flags) {
	fs.IntVar(&s.o.Components, componentsFlag, 2, "how many coordinates")
	switch s.o.Method {
	case manifold.Stress:
		fs.StringVar(&s.by, "by", string(manifold.Stress), "stress, or classical: inner products alone, by an eigendecomposition")
		return
	case manifold.DiffusionMap:
		fs.IntVar(&s.o.Neighbours, neighboursFlag, 0, "how many nearest rows a walk can go to; 0: all rows")
		fs.Float64Var(&s.o.Alpha, "alpha", 1, "how much of the density of the rows is taken out, between 0 and 1")
		fs.Float64Var(&s.o.Time, "time", 1, "steps of the walk; a fraction is allowed")
		return
	}
	fs.IntVar(&s.o.Neighbours, neighboursFlag, plannedNeighbours, "how many nearest rows each one is joined with")
	switch s.o.Method {
	case manifold.LLE:
		fs.Float64Var(&s.o.Ridge, "ridge", 1e-3, "what steadies the weights of a mean, as a share of the squared distances")
	case manifold.Eigenmap:
		fs.BoolVar(&s.o.Binary, "binary", false, "edges weigh 1, and not the value of the kernel")
	}
}

const (
	neighboursFlag    = "neighbours"
	plannedNeighbours = 10
)

func (s *manifoldSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	o := s.o
	o.Compute = g.Compute
	if s.by != "" {
		o.Method = manifold.Method(s.by)
		if !(Manifold{o}).scales() {
			return nil, &learner.SettingError{Err: fmt.Errorf("--by %s is no way to scale distances: take stress or classical", s.by)}
		}
	}
	n, _, _ := t.Dims()
	o.Components = componentsOf(g, o.Components, max(n-1, 1))
	if !g.Has(neighboursFlag) {
		o.Neighbours = min(o.Neighbours, max(n-1, 0))
	}
	if o.Components < 1 {
		return nil, &learner.SettingError{Err: fmt.Errorf("--components %d: a map has at least one coordinate", o.Components)}
	}
	if g.Has(neighboursFlag) && o.Neighbours < 1 && o.Method != manifold.DiffusionMap {
		return nil, &learner.SettingError{Err: fmt.Errorf("--neighbours %d: each row is joined with at least one", o.Neighbours)}
	}
	return Manifold{o}, nil
}
