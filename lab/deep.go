package lab

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/space"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/supervised/krr"
)

// deepScreen learns the network before a kernel, and shows what it makes of the plane.
var deepScreen = screen("deep", "Deep kernel", answerDeep)

// deepRequest are points of the plane with labels 0 and 1, and the network: two layers, of which
// the second has two units, so that images can be drawn.
type deepRequest struct {
	Points [][]float64 `json:"points"`
	Labels []int       `json:"labels"`
	Sigma  float64     `json:"sigma"`  // of the Gaussian kernel, of the points and of their images
	Hidden int         `json:"hidden"` // units of the first layer
	Steps  int         `json:"steps"`
	Seed   uint64      `json:"seed"`
	Box    box         `json:"box"`
}

// deepAnswer has both functions on the grid, above 0 for label 1, and the images of the points.
type deepAnswer struct {
	Kernel string    `json:"kernel"`
	Plain  Numbers   `json:"plain"` // without a network
	Deep   Numbers   `json:"deep"`
	Before []Numbers `json:"before"` // images of the points by the first network: two coordinates each
	After  []Numbers `json:"after"`
	Errors Numbers   `json:"errors"` // of the points that judge, after each step
	Best   int       `json:"best"`
	Says   string    `json:"says"`
}

const (
	// mostDeep bounds the points, mostSteps the steps, and mostHidden the units of the first layer.
	mostDeep, mostSteps, mostHidden = 300, 300, 64
	// deepLambda is where λ starts.
	deepLambda = 1e-3
)

func answerDeep(ctx context.Context, q deepRequest, o compute.Options) (*deepAnswer, error) {
	xs, grid, err := twoClasses(q.Points, q.Labels, q.Box)
	if err != nil {
		return nil, err
	}
	if xs.Len() < 20 || xs.Len() > mostDeep || q.Hidden < 1 || q.Hidden > mostHidden || q.Steps < 1 || q.Steps > mostSteps {
		return nil, invalid("%d points, %d units and %d steps: a network is learned from 20 to %d points, with 1 to %d units, in 1 to %d steps", xs.Len(), q.Hidden, q.Steps, mostDeep, mostHidden, mostSteps)
	}
	if err := positive("sigma", q.Sigma); err != nil {
		return nil, err
	}
	of := vec.RBF{Sigma: q.Sigma}
	k, err := deep.NewKernel(of, []int{q.Hidden, 2}, deep.Tanh, nil, q.Seed)
	if err != nil {
		return nil, invalid("%v", err)
	}
	form, _ := vec.RadialSlope(of)
	codes := mat.NewDense(xs.Len(), 1, nil)
	for i, label := range q.Labels {
		codes.Set(i, 0, float64(2*label-1))
	}
	learned, report, err := dkl.Learn(ctx, k, gradients.Radial(form), xs, codes, dkl.Options{Lambda: deepLambda, Steps: q.Steps, Compute: o})
	if err != nil {
		return nil, invalid("%v", err)
	}
	out := &deepAnswer{Kernel: fmt.Sprintf("deep(of=%s, widths=[%d, 2], activation=tanh)", of, q.Hidden), Errors: report.Errors, Best: report.Best,
		Before: columnsOf(k.Started(xs).Images(xs)), After: columnsOf(learned.Network.Images(xs))}
	plainError, deepError := 0.0, 0.0
	if out.Plain, plainError, err = ridgeOn(ctx, of, xs, grid, codes, deepLambda, o); err != nil {
		return nil, err
	}
	if out.Deep, deepError, err = ridgeOn(ctx, vec.Kernel(learned), xs, grid, codes, report.Lambda, o); err != nil {
		return nil, err
	}
	out.Says = fmt.Sprintf("Step %d of %d is kept. Each point without it: root mean square error of the codes ±1 %.3g without a network, %.3g with it (the network knows the point).", report.Best, len(report.Errors)-1, plainError, deepError)
	return out, nil
}

// columnsOf are the coordinates of points, one list each.
func columnsOf(xs data.Vectors) []Numbers {
	out := make([]Numbers, xs.Dim())
	for i := range xs.Len() {
		for j, v := range xs.At(i) {
			out[j] = append(out[j], v)
		}
	}
	return out
}

// ridgeOn is the ridge regression of codes at λ on a grid, with its leave-one-out error.
func ridgeOn(ctx context.Context, k vec.Kernel, xs, grid data.Vectors, codes *mat.Dense, lambda float64, o compute.Options) (Numbers, float64, error) {
	rows, err := space.DualOf(ctx, gram.Of(kernel.Bind(k, xs, xs), o), space.Options{Compute: o})
	if err != nil {
		return nil, 0, invalid("%v", err)
	}
	s, r, err := krr.Solve(ctx, rows, codes, krr.Options{Lambda: lambda, LOO: true, Compute: o})
	if err != nil {
		return nil, 0, invalid("%v", err)
	}
	f := &model.Expansion[[]float64]{Kernel: k, Points: xs, Coef: s.Coef, Bias: s.Bias}
	values, err := f.Predict(ctx, grid, o)
	if err != nil {
		return nil, 0, err
	}
	return mat.Col(nil, 0, values), r.Point.LOO.RMSE[0], nil
}
