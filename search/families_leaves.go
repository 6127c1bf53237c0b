package search

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
	"example.org/mercer/task"
)

// leafJudges is the share of the rows that a tree leaves out: they choose its temperature, and
// their scores are kept for intervals and sets.
const leafJudges = 0.2

// Divides reports whether a tree can divide the rows of a table: their points are vectors, and
// there is one target.
func Divides(t *data.Table, s prep.Spec) bool {
	families, err := task.Families(t, s)
	if err != nil || len(s.Targets) != 1 {
		return false
	}
	in, err := task.Prepare(t, s, filled(families[0].Kernel, []float64{1}))
	return err == nil && in.Kernel.Kind == task.OnVectors
}

// checkLeaves refuses a tree for what it cannot divide.
func (o Search) checkLeaves(t *data.Table, s prep.Spec, m learner.Learner) error {
	switch _, path := m.(learner.ClosedForm); {
	case !o.divides(t.Rows()):
		return nil
	case !path:
		return fmt.Errorf("search: leaves are of a search along the path of λ, which method %q has not", m.Name())
	case o.Approximation.Wanted():
		return errors.New("search: leaves are exact, and landmarks or features approximate: take one of them")
	case !Divides(t, s):
		return errors.New("search: a tree divides rows of numbers and categories with one target, and these are others: leave leaves out, or take landmarks")
	}
	return nil
}

// divides reports whether a tree divides so many rows.
func (o Search) divides(rows int) bool { return o.Leaves > 0 && rows > o.Leaves }

// divided is the last step where the rows are more than a leaf has: a tree divides all of them, and
// every leaf has a machine with the best kernel that has gradients, by which rows are divided. A
// metric is learned in every leaf where one was worth it on fewer rows. Nλ of a leaf is that which
// was found.
func (f *familySearch) divided(ctx context.Context, candidates []*FamilyScore) (found, error) {
	var problems []error
	for _, e := range candidates {
		if e.values == nil {
			continue
		}
		p, m, err := f.tree(ctx, e)
		if ctx.Err() != nil {
			return found{}, ctx.Err()
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		tuned := *e.found.tuned // on fewer rows, as its score is
		tuned.Method, tuned.Kernel, tuned.Point = m.Name(), p.Kernel(), nil
		tuned.Ridge, tuned.Leaves = m.Ridge, m.Leaves
		tuned.Best.Share = float64(e.Rows) / float64(f.table.Rows())
		tuned.Warnings = append(tuned.Warnings[:len(tuned.Warnings):len(tuned.Warnings)], fmt.Sprintf("scores are of %d rows at most; a tree of machines with the best kernel learns from all %d, and its report has the error of the rows that it leaves out", e.Rows, f.table.Rows()))
		return found{p, m, &tuned}, nil
	}
	return found{}, errors.Join(once(problems)...)
}

// tree is the machine of a candidate on all rows. It is an error where its kernel has no gradients.
func (f *familySearch) tree(ctx context.Context, e *FamilyScore) (*task.Task, distance.RFM, error) {
	kernel, shape := filled(e.kernel, e.values), mahalanobis.Identity
	if e.shape != "" {
		kernel, shape = e.plain, e.shape
	}
	p, err := task.New(ctx, f.table, f.specOf(e), kernel)
	if err != nil {
		return nil, distance.RFM{}, err
	}
	m := f.machine(p, shape, e.near)
	_, err = m.Plan(ctx, p)
	return p, m, err
}

// machine is a tree with the given Nλ of its leaves. Factors in single precision would be refined
// by kernel values that are computed again, which takes longer for many kernels, and which of them
// has to be no matter of the machine: its bits would differ.
func (f *familySearch) machine(p *task.Task, shape mahalanobis.Shape, near float64) distance.RFM {
	m := distance.RFM{Options: rfm.Options{Shape: shape, Compute: f.Options.Compute}, Validation: leafJudges, Precision: compute.Double, Leaves: f.Leaves, Seed: f.Options.Seed}
	m.Compute.Checkpoint = nil
	m.Ridge = near * totalWeight(p.Rows) / float64(p.Rows.X.Len())
	return m
}

// withoutMetric is the kernel of a candidate before a metric was learned for it.
func (e *FamilyScore) withoutMetric(values []float64) string {
	return filled(e.kernel, values[:strings.Count(e.kernel, "?")])
}
