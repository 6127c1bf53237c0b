package erm

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// QuantileReport says how the fits of several quantiles went.
type QuantileReport struct {
	Taus []float64 `json:"taus"`
	// Each is the report of each quantile.
	Each []*Report `json:"each"`
	// Crossed is the number of training rows at which the curves as fitted are not in
	// the order of the quantiles, and have to be rearranged; Worst is by how much.
	Crossed int     `json:"crossed"`
	Worst   float64 `json:"worst,omitempty"`
	// Rows are the rows that the model of [FitQuantiles] is an expansion over; nil where it
	// has weights of features.
	Rows []int `json:"-"`

	model.Run
}

// SolveQuantiles fits the τ-quantiles for rising taus in one space: one column each.
// Each curve is the exact minimum of its own loss. Such curves can cross where data are
// few; [Rearrange] puts their values in order at any point. Cost and errors are those of
// [Solve], once per quantile but for the matrix.
func SolveQuantiles(ctx context.Context, s space.Space, y, taus []float64, o Options) (*Solution, *QuantileReport, error) {
	losses, err := quantiles(taus)
	if err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	sol, reports, err := solveAll(ctx, s, y, losses, o)
	if err != nil {
		return nil, nil, err
	}
	return sol, reportQuantiles(taus, sol, reports, watch), nil
}

// FitQuantiles is [SolveQuantiles] for points, as [Fit] is [Solve]: the outputs of the
// model are the quantiles as fitted.
func FitQuantiles[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y, taus []float64, o Options) (model.Predictor[T], *QuantileReport, error) {
	losses, err := quantiles(taus)
	if err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	f, reports, err := fitModel(ctx, k, xs, y, losses, o)
	if err != nil {
		return nil, nil, err
	}
	r := reportQuantiles(taus, f.solution, reports, watch)
	r.Rows = f.rows
	return f.predictor, r, nil
}

// quantiles returns the losses of rising taus.
func quantiles(taus []float64) ([]loss.Loss, error) {
	if len(taus) == 0 {
		return nil, fmt.Errorf("erm: there are no quantiles")
	}
	losses := make([]loss.Loss, len(taus))
	for c, tau := range taus {
		if c > 0 && !(tau > taus[c-1]) {
			return nil, fmt.Errorf("erm: quantile %g comes after %g: give them in rising order, each once", tau, taus[c-1])
		}
		losses[c] = loss.Quantile{Tau: tau}
	}
	return losses, nil
}

func reportQuantiles(taus []float64, sol *Solution, reports []*Report, watch *model.Stopwatch) *QuantileReport {
	r := &QuantileReport{Taus: slices.Clone(taus), Each: reports}
	for i := range sol.Values.RawMatrix().Rows {
		row, crossed := sol.Values.RawRowView(i), false
		for c := 1; c < len(row); c++ {
			if row[c] < row[c-1] {
				crossed = true
				r.Worst = max(r.Worst, row[c-1]-row[c])
			}
		}
		if crossed {
			r.Crossed++
		}
	}
	for c, each := range reports {
		for _, w := range each.Warnings {
			r.Warn("quantile %g: %s", taus[c], w)
		}
		each.Stages, each.Seconds = nil, 0 // those of the whole are told, and left out of model files
	}
	watch.Lap(&r.Run, "quantiles")
	return r
}

// Rearrange sorts each row of predicted quantiles, in place. The sorted curves do not
// cross anywhere; they are never farther from the true quantiles than the curves as
// fitted, in any Lᵖ norm, and the sum of the quantile losses of a row does not grow
// (Chernozhukov, Fernández-Val and Galichon, Quantile and probability curves without
// crossing, 2010).
func Rearrange(values *mat.Dense) {
	for i := range values.RawMatrix().Rows {
		slices.Sort(values.RawRowView(i))
	}
}
