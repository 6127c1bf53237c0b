package distance

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/falkon"
)

// Descended moves landmarks, where there are steps for it, and returns the kernel after the map
// that was found beside them. The map starts at that of a kernel which has one, and is the
// network of a deep kernel.
func Descended[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], at *nystrom.Selection[T], y *mat.Dense, o falkon.Options, descent falkon.LandmarkOptions) (kernel.Kernel[T], *nystrom.Selection[T], *falkon.LandmarkReport, error) {
	if descent.Steps == 0 {
		return k, at, nil, nil
	}
	of, onVectors := any(k).(vec.Kernel)
	if !onVectors {
		return nil, nil, nil, fmt.Errorf("learner: the landmarks of %s are no vectors, and cannot move (descent)", k)
	}
	points, landmarks := any(xs).(data.Set[[]float64]), any(at.Points).(data.Set[[]float64])
	network, isDeep := of.(deep.Kernel)
	switch m, isLinear := of.(vec.Mahalanobis); {
	case isDeep:
		of, descent.Before = network.Of, networkMap{network.Started(points), o.Compute.WorkerCount()}
	case isLinear:
		of, descent.Start = m.Of, m.Map()
	}
	slope, err := Slope(of)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("learner: landmarks move along gradients: %w", err)
	}
	moved, err := falkon.OptimizeLandmarks(ctx, of, slope, points, landmarks, y, o, descent)
	switch {
	case err != nil:
	case isDeep:
		of, err = network.WithNetwork(descent.Before.(networkMap).at(moved.Map))
	case descent.Start != nil || moved.Report.Of != falkon.MoveLandmarks:
		of, err = vec.NewMahalanobis(of, nil, moved.Map)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	return any(of).(kernel.Kernel[T]), &nystrom.Selection[T]{Points: any(moved.Landmarks).(data.Set[T])}, &moved.Report, nil
}

// networkMap is a network as a [falkon.Map], whose numbers are its weights.
type networkMap struct {
	deep.Network
	workers int
}

// at returns the network with other weights.
func (m networkMap) at(theta []float64) deep.Network {
	m.Weights = theta
	return m.Network
}

func (m networkMap) Start() []float64 { return m.Weights }

func (m networkMap) Images(ctx context.Context, theta []float64, xs data.Vectors) (data.Vectors, error) {
	return m.at(theta).FastImages(ctx, xs, m.workers)
}

func (m networkMap) Pull(ctx context.Context, theta []float64, xs, slopes data.Vectors) ([]float64, data.Vectors, error) {
	return m.at(theta).Pull(ctx, xs, slopes, m.workers)
}
