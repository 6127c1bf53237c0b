package distance

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/falkon"
)

// Descended moves landmarks, where there are steps for it, and returns the kernel after the map
// that was found beside them. The map starts at that of a kernel which has one.
func Descended[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], at *nystrom.Selection[T], y *mat.Dense, o falkon.Options, descent falkon.LandmarkOptions) (kernel.Kernel[T], *nystrom.Selection[T], *falkon.LandmarkReport, error) {
	if descent.Steps == 0 {
		return k, at, nil, nil
	}
	of, onVectors := any(k).(vec.Kernel)
	if !onVectors {
		return nil, nil, nil, fmt.Errorf("learner: the landmarks of %s are no vectors, and cannot move (descent)", k)
	}
	if m, ok := of.(vec.Mahalanobis); ok {
		of, descent.Start = m.Of, m.Map()
	}
	slope, err := vec.SlopeOf(of)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("learner: landmarks move along gradients: %w", err)
	}
	points, landmarks := any(xs).(data.Set[[]float64]), any(at.Points).(data.Set[[]float64])
	moved, err := falkon.OptimizeLandmarks(ctx, of, slope, points, landmarks, y, o, descent)
	if err != nil {
		return nil, nil, nil, err
	}
	if descent.Start != nil || moved.Report.Of != falkon.MoveLandmarks {
		if of, err = vec.NewMahalanobis(of, nil, moved.Map); err != nil {
			return nil, nil, nil, err
		}
	}
	return any(of).(kernel.Kernel[T]), &nystrom.Selection[T]{Points: any(moved.Landmarks).(data.Set[T])}, &moved.Report, nil
}
