package pipeline

import (
	"errors"
	"fmt"
	"math"

	"mercer/gram"
	"mercer/kernel"
	"mercer/model"
	"mercer/nystrom"
	"mercer/svm"
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
var errNothingStands = errors.New("pipeline: the exact gap and polishing compare landmarks or random features with the kernel itself, and this fit is exact; leave them out, or approximate the kernel")

// errWholeMatrix is that where a method is given a matrix.
var errWholeMatrix = errors.New("pipeline: the exact gap and polishing belong to a fit on landmarks or random features, and this search is on a matrix; leave them out")

// standing is a kernel that stands for another, by features.
type standing[T any] interface {
	kernel.Mapped[T]
	Of() kernel.Kernel[T]
}

// machinesOn fits machines to the points with a kernel, from a start or, without one, from
// nothing.
type machinesOn[T any] func(k kernel.Kernel[T], start *svm.Start) (*model.Expansion[T], *svm.Report, error)

// foundMachines are the functions of machines; exact says that they are of the kernel itself,
// although another stood for it.
type foundMachines struct {
	f      function
	report *svm.Report
	exact  bool
}

// after fits machines, and does with the kernel itself what is asked for.
func after[T any](l learning[T], a AfterLandmarks, o svm.Options, fit machinesOn[T]) (*foundMachines, error) {
	low, stands := l.kernel.(standing[T])
	if !stands && (a.ExactGap || a.Polish) {
		return nil, errNothingStands
	}
	f, r, err := fit(l.kernel, nil)
	if err != nil {
		return nil, err
	}
	found := &foundMachines{f: newFitted(l.space, l.kernel, model.Predictor[T](f)), report: r}
	if !stands {
		return found, nil
	}
	if features, _ := low.Features(l.points.At(0)); !a.ExactGap && !a.Polish && (r.SupportVectors > affordable*features || !startable(o)) {
		return found, nil
	}
	g, with, err := fit(low.Of(), &svm.Start{Rows: r.Support, Coef: f.Coef, Only: !a.Polish})
	if err != nil {
		return nil, err
	}
	if a.Polish {
		with.Before(r.Run)
		return &foundMachines{f: newFitted(l.space, low.Of(), model.Predictor[T](g)), report: with, exact: true}, nil
	}
	_, projects := l.kernel.(*nystrom.Kernel[T])
	r.Compare(with, projects)
	return found, nil
}

// startable reports whether a search can begin at given coefficients.
func startable(o svm.Options) bool {
	return (o.Type == "" || o.Type == svm.CSVC || o.Type == svm.EpsilonSVR) && !math.IsInf(o.C, 1)
}

// plan adds what the kernel itself takes to the plan of machines.
func (a AfterLandmarks) plan(p *Problem, plan gram.Plan, err error, o gram.Options) (gram.Plan, error) {
	if err != nil || !a.ExactGap && !a.Polish {
		return plan, err
	}
	if p.Approximation == nil && p.FeatureMap == nil {
		return gram.Plan{}, errNothingStands
	}
	n, _, _ := p.Dims()
	pairs := float64(n) * float64(n) / 2
	stages := []gram.Cost{{Stage: "exact gap", Seconds: pairs / plan.Machine.PairRate}}
	note := fmt.Sprintf("half of the rows are taken for support vectors: the exact gap takes %.2g kernel values", pairs)
	if a.Polish {
		bytes := svmNeed(o)(n)
		stages = append(stages, gram.Cost{Stage: "polish", Memory: bytes, Seconds: pairs / plan.Machine.PairRate})
		note += "; polishing is taken to need the matrix of all rows, and steps that nobody foresees"
	}
	out := gram.NewPlan(plan.Solver, plan.Machine, append(plan.Stages, stages...)...)
	out.Hint, out.Notes = plan.Hint, append(plan.Notes, note)
	return out, nil
}
