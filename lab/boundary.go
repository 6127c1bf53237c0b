package lab

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/svm"
)

// boundaryScreen divides the plane between two classes.
var boundaryScreen = screen("boundary", "Classification", answerBoundary)

// boundaryRequest are points of the plane with labels 0 and 1. C is that of svc, Lambda that of klr
// and kfda.
type boundaryRequest struct {
	Method string      `json:"method"`
	Points [][]float64 `json:"points"`
	Labels []int       `json:"labels"`
	Kernel string      `json:"kernel"`
	C      float64     `json:"c"`
	Lambda float64     `json:"lambda"`
	Box    box         `json:"box"`
	// Other is a second kernel to compare with; "": none.
	Other string `json:"other"`
}

// boundaryAnswer has the function on the grid, above 0 for label 1: of svc the margin, of klr and
// kfda the log-odds.
type boundaryAnswer struct {
	Kernel string  `json:"kernel"`
	Field  Numbers `json:"field"`
	// Weights are the |αᵢ| of the points as a share of the largest, Bounded those at C.
	Weights Numbers `json:"weights"`
	Bounded []bool  `json:"bounded,omitempty"`
	Wrong   []bool  `json:"wrong"` // on the other side of the boundary
	// Other is the answer for the second kernel.
	Other *boundaryAnswer `json:"other,omitempty"`
	Says  string          `json:"says"`
}

// divider is a classifier of the plane with the coefficients of its points.
type divider struct {
	values  func(ctx context.Context, xs data.Vectors) ([]float64, error)
	weights []float64
	bounded []bool
	says    string
}

// dividers are the methods of the screen.
var dividers = map[string]func(ctx context.Context, k kernel.Kernel[[]float64], xs data.Vectors, q boundaryRequest, o compute.Options) (*divider, error){
	"svc": divideBySVC, "klr": divideByKLR, "kfda": divideByKFDA,
}

func answerBoundary(ctx context.Context, q boundaryRequest, o compute.Options) (*boundaryAnswer, error) {
	xs, grid, err := twoClasses(q.Points, q.Labels, q.Box)
	if err != nil {
		return nil, err
	}
	out, err := q.divide(ctx, q.Kernel, xs, grid, o)
	if err != nil || q.Other == "" {
		return out, err
	}
	if out.Other, err = q.divide(ctx, q.Other, xs, grid, o); err != nil {
		return nil, err
	}
	out.Says = fmt.Sprintf("%s: %s %s: %s", out.Kernel, out.Says, out.Other.Kernel, out.Other.Says)
	return out, nil
}

// divide answers for one kernel.
func (q *boundaryRequest) divide(ctx context.Context, text string, xs, grid data.Vectors, o compute.Options) (*boundaryAnswer, error) {
	k, err := kernelOn(ctx, text, xs)
	if err != nil {
		return nil, err
	}
	divide, ok := dividers[q.Method]
	if !ok {
		return nil, invalid("method %q is not known here; there are svc, klr and kfda", q.Method)
	}
	d, err := divide(ctx, k, xs, *q, o)
	if err != nil {
		return nil, err
	}
	out := &boundaryAnswer{Kernel: k.String(), Weights: share(d.weights), Bounded: d.bounded, Wrong: make([]bool, xs.Len())}
	if out.Field, err = d.values(ctx, grid); err != nil {
		return nil, err
	}
	own, err := d.values(ctx, xs)
	if err != nil {
		return nil, err
	}
	wrong := 0
	for i, v := range own {
		if out.Wrong[i] = (v > 0) != (q.Labels[i] == 1); out.Wrong[i] {
			wrong++
		}
	}
	out.Says = fmt.Sprintf("%s %d of %d points are on the other side.", d.says, wrong, xs.Len())
	return out, nil
}

// share returns numbers as shares of the largest.
func share(weights []float64) Numbers {
	most := 0.0
	for _, w := range weights {
		most = max(most, math.Abs(w))
	}
	out := make(Numbers, len(weights))
	for i, w := range weights {
		out[i] = math.Abs(w) / max(most, math.SmallestNonzeroFloat64)
	}
	return out
}

// valuesOf predicts one output times a sign.
func valuesOf(f model.Predictor[[]float64], sign float64, o compute.Options) func(ctx context.Context, xs data.Vectors) ([]float64, error) {
	return func(ctx context.Context, xs data.Vectors) ([]float64, error) {
		values, err := f.Predict(ctx, xs, o)
		if err != nil {
			return nil, err
		}
		out := mat.Col(nil, 0, values)
		for i := range out {
			out[i] *= sign
		}
		return out, nil
	}
}

func divideBySVC(ctx context.Context, k kernel.Kernel[[]float64], xs data.Vectors, q boundaryRequest, o compute.Options) (*divider, error) {
	if err := positive("C", q.C); err != nil {
		return nil, err
	}
	f, r, err := svm.Fit(ctx, k, xs, q.Labels, svm.Options{C: q.C, Compute: o})
	if err != nil {
		return nil, err
	}
	sign := 1.0
	if r.Decision.Positive[0] == 0 {
		sign = -1
	}
	d := &divider{values: valuesOf(f, sign, o), weights: make([]float64, xs.Len()), bounded: make([]bool, xs.Len())}
	for j, i := range r.Support {
		alpha := math.Abs(f.Coef.At(j, 0))
		d.weights[i], d.bounded[i] = alpha, alpha >= q.C*(1-1e-9)
	}
	d.says = fmt.Sprintf("%d of %d points are support vectors, %d of them at the bound C.", r.SupportVectors, xs.Len(), r.Problems[0].Bounded)
	return d, nil
}

func divideByKLR(ctx context.Context, k kernel.Kernel[[]float64], xs data.Vectors, q boundaryRequest, o compute.Options) (*divider, error) {
	if err := positive("lambda", q.Lambda); err != nil {
		return nil, err
	}
	f, _, err := klr.Fit(ctx, k, xs, q.Labels, klr.Options{Lambda: q.Lambda, Compute: o})
	if err != nil {
		return nil, err
	}
	return &divider{values: valuesOf(f, 1, o), weights: coefficients(f, xs.Len()), says: "Values are log-odds of the label 1."}, nil
}

func divideByKFDA(ctx context.Context, k kernel.Kernel[[]float64], xs data.Vectors, q boundaryRequest, o compute.Options) (*divider, error) {
	if err := positive("lambda", q.Lambda); err != nil {
		return nil, err
	}
	f, r, err := kfda.Fit(ctx, k, xs, q.Labels, kfda.Options{Lambda: q.Lambda, Compute: o})
	if err != nil {
		return nil, err
	}
	values := func(ctx context.Context, xs data.Vectors) ([]float64, error) {
		along, err := f.Predict(ctx, xs, o)
		if err != nil {
			return nil, err
		}
		out := make([]float64, xs.Len())
		for i := range out {
			g := r.Decision.Scores(make([]float64, 2), along.RawRowView(i))
			out[i] = g[1] - g[0]
		}
		return out, nil
	}
	return &divider{values: values, weights: coefficients(f, xs.Len()), says: fmt.Sprintf("The classes are %.3g times as scattered between as within along the direction.", r.Ratios[0])}, nil
}

// coefficients are those of the points where the function is an expansion over them, else all 1.
func coefficients(f model.Predictor[[]float64], n int) []float64 {
	if e, ok := f.(*model.Expansion[[]float64]); ok && e.Points.Len() == n {
		return mat.Col(nil, 0, e.Coef)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}
