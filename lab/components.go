package lab

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/unsupervised/kpca"
)

// componentsScreen shows kernel principal components of points of the plane.
var componentsScreen = screen("components", "Components", answerComponents)

// manyPoints is from where the few largest eigenvalues take less time than all: a third of it at
// 500 points, and the picture follows a hand.
const manyPoints = 150

type componentsRequest struct {
	Points     [][]float64 `json:"points"`
	Kernel     string      `json:"kernel"`
	Components int         `json:"components"`
	Box        box         `json:"box"`
	// At is a point of the plane whose projection is to have a pre-image; nil: none.
	At []float64 `json:"at"`
}

type componentsAnswer struct {
	Kernel string    `json:"kernel"`
	Scores []Numbers `json:"scores"` // of each component, of all points
	Fields []Numbers `json:"fields"` // of each component on the grid
	Ratio  Numbers   `json:"ratio"`  // of the variance, of each component
	// Image is the point whose image is nearest to the projection of At, and Off how far it is from
	// that: ‖φ(z) − Pφ(x)‖.
	Image Numbers `json:"image,omitempty"`
	Off   float64 `json:"off,omitempty"`
	Says  string  `json:"says"`
}

func answerComponents(ctx context.Context, q componentsRequest, o compute.Options) (*componentsAnswer, error) {
	xs, err := points(q.Points, 2)
	if err != nil {
		return nil, err
	}
	grid, err := q.Box.points()
	if err != nil {
		return nil, err
	}
	if q.Components < 1 || q.Components > 8 {
		return nil, invalid("%d components: there are 1 to 8", q.Components)
	}
	k, err := kernelOn(ctx, q.Kernel, xs)
	if err != nil {
		return nil, err
	}
	how := kpca.Options{Components: min(q.Components, xs.Len()-1), Compute: o}
	if xs.Len() >= manyPoints {
		how.Solver = kpca.Lanczos
	}
	f, r, err := kpca.Fit(ctx, k, xs, how)
	if err != nil {
		return nil, invalid("%v", err)
	}
	scores, err := f.Predict(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	values, err := f.Predict(ctx, grid, o)
	if err != nil {
		return nil, err
	}
	out := &componentsAnswer{Kernel: k.String(), Ratio: r.Ratio}
	for j := range r.Components {
		out.Scores, out.Fields = append(out.Scores, mat.Col(nil, j, scores)), append(out.Fields, mat.Col(nil, j, values))
	}
	if q.At != nil {
		if err := out.project(ctx, f, q.At, o); err != nil {
			return nil, err
		}
	}
	out.Says = fmt.Sprintf("%d components have %.3g %% of the variance in feature space.", r.Components, 100*floats.Sum(r.Ratio))
	if q.At != nil {
		out.Says += fmt.Sprintf(" The pre-image of the projection is %.3g, %.3g, and its image is off by %.2g.", out.Image[0], out.Image[1], out.Off)
	}
	return out, nil
}

// project finds the pre-image of the projection of a point on the components.
func (a *componentsAnswer) project(ctx context.Context, f *model.Expansion[[]float64], at []float64, o compute.Options) error {
	x, err := points([][]float64{at, at}, 2)
	if err != nil {
		return err
	}
	if _, err := kernel.Outside(f.Kernel, x); err != nil {
		return invalid("the point of the cursor: %v", err)
	}
	_, components := f.Coef.Dims()
	found, err := preimage.Denoise(ctx, f, nil, components, x, preimage.Descent{Iterations: 200}, o)
	if err != nil {
		return invalid("%v", err)
	}
	a.Image, a.Off = found[0].Point, found[0].Residual
	return nil
}
