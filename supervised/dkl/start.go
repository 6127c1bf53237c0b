package dkl

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// Start is where a network starts.
type Start string

const (
	// Drawn are the weights of the kernel, or those that its seed draws.
	Drawn Start = "drawn"
	// Metric are the same weights after a linear map: they see Lx for the metric ‖Lx − Ly‖ that
	// ridge regression with the kernel of the images learns from the rows; see package mahalanobis.
	Metric Start = "metric"
)

// Starts are both.
var Starts = []Start{Drawn, Metric}

// startFromMetric learns a metric from the rows that are learned from, by those that judge, and
// puts it before the network. It takes a fit for each of at most six rounds.
func (s *search) startFromMetric() error {
	fit := func(ctx context.Context, images data.Vectors) (mahalanobis.Fitted, error) {
		f, _, err := krr.Fit(ctx, s.k.Of, images, s.y, krr.Options{Lambda: s.o.Lambda, NoIntercept: s.o.NoIntercept, Weights: s.weights, Solver: krr.Cholesky, Compute: s.o.Compute})
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		told, err := f.Predict(ctx, images.Gather(s.judging), s.o.Compute)
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		e, expands := f.(*model.Expansion[[]float64])
		if !expands {
			return mahalanobis.Fitted{}, fmt.Errorf("dkl: a %T has no gradients", f)
		}
		score, outputs := 0.0, e.Outputs()
		for i, row := range s.judging {
			for c := range outputs {
				gap := told.At(i, c) - s.y.At(row, c)
				score += gap * gap
			}
		}
		return mahalanobis.Fitted{F: e, Slope: s.slope, Score: score / float64(len(s.judging)*outputs)}, nil
	}
	metric, report, err := mahalanobis.Learn(s.ctx, s.xs, fit, mahalanobis.Options{Shape: mahalanobis.Full, Weights: s.weights, Workers: s.o.Compute.WorkerCount()})
	if err != nil {
		return err
	}
	s.report.Metric = report
	if report.Best > 0 {
		s.start = s.start.After(metric.Matrix()).Spread(s.xs)
	}
	return nil
}
