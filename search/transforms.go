package search

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/data/prep/transform"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/krr"
)

// concluding is a method whose fit has leave-one-out errors where they cost little.
type concluding interface {
	Concluded(rows int, o compute.Options) learner.Learner
}

// mostSkewed is the skewness from which functions of a target are tried. Below it they won nothing
// on public tables, and every one of them takes a search.
const mostSkewed = 1

// transforms returns the functions of the target that are tried beside the target itself: those
// with few parameters, where numbers that are skewed are predicted in closed form, unless one is
// given.
func (f *familySearch) transforms() []string {
	if f.spec.Transform != "" || !f.closedForm() || f.Approximation.Wanted() {
		return nil
	}
	_, rows, err := prep.Fit(f.part(firstRung), f.spec)
	if err != nil || rows.Y == nil || rows.Y.RawMatrix().Cols != 1 {
		return nil // who prepares the rows says why
	}
	if labels, _, err := f.spec.TargetKind(f.table); labels || err != nil {
		return nil
	}
	if math.Abs(stat.Skew(mat.Col(nil, 0, rows.Y), rows.W)) < mostSkewed {
		return nil
	}
	return transform.Parametric()
}

// transformed are the best kernel for the functions of the target that have values for all rows.
func (f *familySearch) transformed(best *FamilyScore) []*FamilyScore {
	var out []*FamilyScore
	for _, name := range f.transforms() {
		s := f.specOf(best)
		s.Transform = name
		if _, _, err := prep.Fit(f.table, s); err == nil && best.values != nil {
			out = append(out, &FamilyScore{Family: fmt.Sprintf("%s, %s of the target", best.Family, name), kernel: best.kernel, levels: best.levels, transform: name})
		}
	}
	return out
}

// inUnits scores what was found for functions of targets in the units of these: the mean squared
// leave-one-out error, as for targets that are learned as they are.
func (f *familySearch) inUnits(ctx context.Context, one found) error {
	targets := one.p.Prep.Targets()
	if !prep.IsTransformed(targets) || !f.closedForm() {
		return nil
	}
	method := one.m
	if c, ok := method.(concluding); ok {
		method = c.Concluded(one.p.Points.Size(), f.Options.Compute)
	}
	fitted, err := learner.Fit(ctx, one.p, method)
	if err != nil {
		return err
	}
	r, ok := learner.StateOf[learner.Residuals](fitted)
	if !ok || r.Residuals() == nil {
		return fmt.Errorf("search: %s keeps no leave-one-out residuals, by which functions of the target are compared: choose one (--target-transform)", one.m.Name())
	}
	y, predicted := mat.DenseCopyOf(one.p.Rows.Y), new(mat.Dense)
	predicted.Sub(y, r.Residuals())
	prep.InUnits(targets, y)
	prep.InUnits(targets, predicted)
	measured := krr.Measure(y, predicted, one.p.Rows.W)
	one.tuned.Best.Score, one.tuned.Best.Error = measured.MSE(), 0
	if one.tuned.Point != nil {
		point := *one.tuned.Point
		point.LOO = measured
		one.tuned.Point = &point
	}
	return nil
}
