package learner

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// AfterLandmarks is what support vector machines that were found on landmarks or random
// features do with the kernel itself. To ask for it without them is an error.
type AfterLandmarks struct {
	// ExactGap computes how far the coefficients are from the best with the kernel itself, which
	// takes a kernel value for every support vector and row. It is computed unasked where
	// there are at most [affordable] support vectors for each feature.
	ExactGap bool
	// Polish searches on from them with the kernel itself: the model is an expansion on its
	// support vectors, as that of an exact fit.
	Polish bool
}

// affordable is how many support vectors for each feature leave the exact gap cheap beside
// the fit, which takes a kernel value for each row and landmark, and the features of it.
const affordable = 4

// errNothingStands is the refusal to compare a kernel with itself.
var errNothingStands = errors.New("learner: the exact gap and polishing compare landmarks or random features with the kernel itself, and this fit is exact; leave them out, or approximate the kernel")

// errWholeMatrix is that where a method is given a matrix.
var errWholeMatrix = errors.New("learner: the exact gap and polishing belong to a fit on landmarks or random features, and this search is on a matrix; leave them out")

// standing is a kernel that stands for another, by features.
type standing[T any] interface {
	kernel.Mapped[T]
	Of() kernel.Kernel[T]
}

// machinesOn fits machines to the points: with a kernel, with one from a start, or in explicit
// features.
type machinesOn[T any] struct {
	fit    func(k kernel.Kernel[T]) (*model.Expansion[T], *svm.Report, error)
	from   func(k kernel.Kernel[T], start svm.Start) (*model.Expansion[T], *svm.Report, error)
	primal func(phi gram.Design) (*svm.Solution, *svm.Report, error)
}

// foundMachines are the functions of machines; exact says that they are of the kernel itself,
// although another stood for it.
type foundMachines struct {
	f      task.Function
	report *svm.Report
	coef   *mat.Dense // of the rows with one
	exact  bool
}

// low fits machines with a kernel that may stand for another: in its features where there are so
// many rows that [svm.UsesCoordinateDescent], or where these stay in their file.
func low[T any](l task.TypedPoints[T], o svm.Options, by machinesOn[T]) (*foundMachines, error) {
	design, mapped := gram.DesignOf(l.Kernel, l.Set)
	if _, stands := l.Kernel.(standing[T]); stands && mapped && (filedOn(l) || inFeatures(design.Rows, design.Dim, o)) {
		w, r, err := by.primal(design)
		if err != nil {
			return nil, err
		}
		f, err := l.Primal(w.W, w.Bias)
		return &foundMachines{f: f, report: r, coef: w.Coef}, err
	}
	f, r, err := by.fit(l.Kernel)
	if err != nil {
		return nil, err
	}
	return &foundMachines{f: task.NewFunction(l.Encoding, l.Kernel, model.Predictor[T](f)), report: r, coef: f.Coef}, nil
}

// inFeatures reports whether machines of n rows in memory are searched in so many features that
// stand for the kernel.
func inFeatures(n, features int, o svm.Options) bool {
	return svm.UsesCoordinateDescent(n, features, o.Compute) && !math.IsInf(o.C, 1)
}

// passes refuses what has the kernel itself.
func (a AfterLandmarks) passes(p *task.Task) string {
	switch {
	case !p.Approximated():
		return gramOfRows
	case a.Polish || a.ExactGap:
		return "with --polish or --exact-gap has kernel values of all rows and support vectors, and needs all rows in memory"
	}
	return ""
}

// filed reports whether the points are read when they are asked for.
func filedOn[T any](l task.TypedPoints[T]) bool {
	_, filed := any(l.Set).(*prep.Streamed)
	return filed
}

// after fits machines, and does with the kernel itself what is asked for.
func after[T any](ctx context.Context, l task.TypedPoints[T], a AfterLandmarks, o svm.Options, by machinesOn[T]) (*foundMachines, error) {
	of, stands := l.Kernel.(standing[T])
	if !stands && (a.ExactGap || a.Polish) {
		return nil, errNothingStands
	}
	found, err := low(l, o, by)
	if err != nil || !stands || !startable(o) && !a.ExactGap && !a.Polish {
		return found, err
	}
	r := found.report
	if features, _ := of.Features(l.Set.At(0)); !a.ExactGap && !a.Polish && r.SupportVectors > affordable*features {
		return found, nil
	}
	g, with, err := by.from(of.Of(), svm.Start{Rows: r.Support, Coef: found.coef, EvaluateOnly: !a.Polish})
	if err != nil {
		return nil, err
	}
	if a.Polish {
		with.Before(r.Run)
		return &foundMachines{f: task.NewFunction(l.Encoding, of.Of(), model.Predictor[T](g)), report: with, exact: true}, nil
	}
	_, projects := l.Kernel.(*nystrom.Kernel[T])
	r.Suboptimality(with, projects)
	return found, nil
}

// startable reports whether a search can begin at given coefficients.
func startable(o svm.Options) bool {
	return (o.Type == "" || o.Type == svm.CSVC || o.Type == svm.EpsilonSVR) && !math.IsInf(o.C, 1)
}

// plan adds what the kernel itself takes to the plan of machines.
func (a AfterLandmarks) Plan(p *task.Task, plan compute.Plan, err error, o compute.Options) (compute.Plan, error) {
	if err != nil || !a.ExactGap && !a.Polish {
		return plan, err
	}
	if p.LandmarkMap == nil && p.FeatureMap == nil {
		return compute.Plan{}, errNothingStands
	}
	n, _, _ := p.Dims()
	pairs := float64(n) * float64(n) / 2
	stages := []compute.Cost{{Stage: "exact gap", Seconds: pairs / plan.Machine.PairRate}}
	note := fmt.Sprintf("half of the rows are taken for support vectors: the exact gap takes %.2g kernel values", pairs)
	if a.Polish {
		bytes := svmNeed(o)(n)
		stages = append(stages, compute.Cost{Stage: "polish", Memory: bytes, Seconds: pairs / plan.Machine.PairRate})
		note += "; polishing is taken to need the matrix of all rows, and steps that nobody foresees"
	}
	out := compute.NewPlan(plan.Solver, plan.Machine, append(plan.Stages, stages...)...)
	out.Hint, out.Notes = plan.Hint, append(plan.Notes, note)
	return out, nil
}
