package lab

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/unsupervised/kpca"
)

// componentsScreen shows kernel principal components of points of the plane.
var componentsScreen = screen("components", "Components", answerComponents)

type componentsRequest struct {
	Points     [][]float64 `json:"points"`
	Kernel     string      `json:"kernel"`
	Components int         `json:"components"`
	Box        box         `json:"box"`
}

type componentsAnswer struct {
	Kernel string    `json:"kernel"`
	Scores []Numbers `json:"scores"` // of each component, of all points
	Fields []Numbers `json:"fields"` // of each component on the grid
	Ratio  Numbers   `json:"ratio"`  // of the variance, of each component
	Says   string    `json:"says"`
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
	f, r, err := kpca.Fit(ctx, k, xs, kpca.Options{Components: min(q.Components, xs.Len()-1), Compute: o})
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
	out.Says = fmt.Sprintf("%d components have %.3g %% of the variance in feature space.", r.Components, 100*floats.Sum(r.Ratio))
	return out, nil
}
