package methods

import (
	"context"
	"errors"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// Refinement is what support vector machines that were found on landmarks or random features do
// with the kernel itself. To ask for it without them is an error.
type Refinement struct {
	// ExactGap computes how far the coefficients are from the best with the kernel itself, which
	// takes a kernel value for every support vector and row. It is computed unasked where
	// there are at most [affordable] support vectors for each feature.
	ExactGap bool
	// Refine searches on from them with the kernel itself: the model is an expansion on its
	// support vectors, as that of an exact fit.
	Refine bool
}

// affordable is how many support vectors for each feature leave the exact gap cheap beside
// the fit, which takes a kernel value for each row and landmark, and the features of it.
const affordable = 4

// errNothingStands is the refusal to compare a kernel with itself.
var errNothingStands = errors.New("learner: the exact gap and refinement (--polish) compare landmarks or random features with the kernel itself, and this fit is exact; leave them out, or approximate the kernel")

// errWholeMatrix is that where a method is given a matrix.
var errWholeMatrix = errors.New("learner: the exact gap and refinement (--polish) belong to a fit on landmarks or random features, and this search is on a matrix; leave them out")

// wanted reports whether anything is asked for.
func (a Refinement) wanted() bool { return a.ExactGap || a.Refine }

// problem is what is asked of package svm, of whatever rows: those of a kernel or of features.
type problem struct {
	o     svm.Options
	solve func(rows svm.Rows) (*svm.Solution, *svm.Report, error)
	// from begins at given coefficients; nil where a search cannot.
	from func(rows svm.Dual, start svm.Start) (*svm.Solution, *svm.Report, error)
}

// fit solves a problem on the points of a task, and does with the kernel itself what is asked for.
// Decide makes the decision of the report.
func (a Refinement) fit(ctx context.Context, p *task.Task, by problem, decide func(*svm.Report) outcome.Decision) (*learner.Fitted, error) {
	if !p.Approximated() && a.wanted() {
		return nil, errNothingStands
	}
	l, s, r, err := by.fit(p)
	if err != nil {
		return nil, err
	}
	if p.Approximated() && (startable(by.o) || a.wanted()) {
		if l, r, err = a.refine(p, by, l, s, r); err != nil {
			return nil, err
		}
	}
	l.Report, l.Decision = r, decide(r)
	if l.Function.Form() == task.FormDual {
		l.Rows = r.Support
	}
	return l, nil
}

// fit solves with the kernel of the task, which may stand for another, in its features or on the
// points, see [svmInFeatures].
func (by problem) fit(p *task.Task) (*learner.Fitted, *svm.Solution, *svm.Report, error) {
	if svmInFeatures(p, by.o) {
		return by.weigh(p)
	}
	rows, err := p.Points.Source()
	if err != nil {
		return nil, nil, nil, err
	}
	s, r, err := by.solve(svm.Dual{Source: rows})
	if err != nil {
		return nil, nil, nil, err
	}
	return expanded(p.Points, s), s, r, nil
}

// weigh solves in the features of the kernel: the function is one of weights.
func (by problem) weigh(p *task.Task) (*learner.Fitted, *svm.Solution, *svm.Report, error) {
	design, _, err := p.Points.Features(nil)
	if err != nil {
		return nil, nil, nil, err
	}
	s, r, err := by.solve(svm.Primal{Matrix: design})
	if err != nil {
		return nil, nil, nil, err
	}
	f, err := p.Points.Primal(s.W, s.Bias)
	return &learner.Fitted{Function: f}, s, r, err
}

// expanded is the function of a solution on points.
func expanded(points task.Points, s *svm.Solution) *learner.Fitted {
	f, _ := points.Expand(s.All(points.Size()), s.Bias)
	return &learner.Fitted{Function: f}
}

// refine compares what was found on landmarks or features with the best of the kernel itself, where
// that is asked for or cheap, or searches on from there.
func (a Refinement) refine(p *task.Task, by problem, l *learner.Fitted, s *svm.Solution, r *svm.Report) (*learner.Fitted, *svm.Report, error) {
	if !a.wanted() && r.SupportVectors > affordable*p.FeatureCount() {
		return l, r, nil
	}
	exact := p.Points.Original()
	rows, err := exact.Source()
	if err != nil {
		return nil, nil, err
	}
	better, with, err := by.from(svm.Dual{Source: rows}, svm.Start{Rows: r.Support, Coef: s.Coef, EvaluateOnly: !a.Refine})
	if err != nil {
		return nil, nil, err
	}
	if a.Refine {
		with.Before(r.Run)
		l = expanded(exact, better)
		l.Exact = true
		return l, with, nil
	}
	r.Suboptimality(with, p.LandmarkMap != nil)
	return l, r, nil
}

// svmInFeatures reports whether machines are searched in the features of the kernel: in memory in
// those that stand for it where there are so many rows that [svm.UsesCoordinateDescent]. Rows that
// stay in their file are searched in features alone, and so in those that the kernel has itself,
// where these are few.
func svmInFeatures(p *task.Task, o svm.Options) bool {
	n, features := p.Points.Size(), p.FeatureCount()
	switch {
	case features == 0:
		return false
	case p.Streamed():
		return p.Approximated() || features < max(n, negligible)
	}
	return p.Approximated() && svm.UsesCoordinateDescent(n, features, o.Compute) && !math.IsInf(o.C, 1)
}

// negligible is a number of features for which the system of a search is less than a block of rows:
// fewer are few for any number of rows.
const negligible = 256

// WhyNotStreamed refuses what has the kernel itself.
func (a Refinement) WhyNotStreamed(p *task.Task, o svm.Options) string {
	switch {
	case !svmInFeatures(p, o):
		return learner.WhyNotExplicit(p, space.Auto)
	case math.IsInf(o.C, 1):
		return "with --C inf is a hard margin, which is searched in the Gram matrix of all rows (give a finite C), and needs all rows in memory"
	case p.Approximated() && a.wanted(): // else the fit says that it is exact
		return "with --polish or --exact-gap has kernel values of all rows and support vectors, and needs all rows in memory"
	}
	return ""
}

// startable reports whether a search can begin at given coefficients.
func startable(o svm.Options) bool {
	return (o.Type == "" || o.Type == svm.CSVC || o.Type == svm.EpsilonSVR) && !math.IsInf(o.C, 1)
}

// Plan adds what the kernel itself takes to the plan of machines.
func (a Refinement) Plan(p *task.Task, plan compute.Plan, err error, o compute.Options) (compute.Plan, error) {
	if err != nil || !a.wanted() {
		return plan, err
	}
	if p.LandmarkMap == nil && p.FeatureMap == nil {
		return compute.Plan{}, errNothingStands
	}
	n, _, _ := p.Dims()
	pairs := float64(n) * float64(n) / 2
	stages := []compute.Cost{{Stage: "exact gap", Seconds: pairs / plan.Machine.PairRate}}
	note := fmt.Sprintf("half of the rows are taken for support vectors: the exact gap takes %.2g kernel values", pairs)
	if a.Refine {
		bytes := svm.SearchBytes(n, o)
		stages = append(stages, compute.Cost{Stage: "polish", Memory: bytes, Seconds: pairs / plan.Machine.PairRate})
		note += "; polishing is taken to need the matrix of all rows, and steps that nobody foresees"
	}
	plan = plan.After(stages...)
	plan.Notes = append(plan.Notes, note)
	return plan, nil
}
