package mahalanobis_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// The target is a function of the sum of two of six columns. Rows 0 to 199 are learned from,
// and the others judge the metric of each round.
func Example() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	xs, y, weights := data.MakeVectors(300, 6), mat.NewDense(300, 1, nil), make([]float64, 300)
	for i := range 300 {
		x := xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		y.Set(i, 0, math.Sin(x[1]+x[4]))
		if i < 200 {
			weights[i] = 1
		}
	}
	k := vec.RBF{Sigma: 2}
	slope, err := vec.SlopeOf(k)
	if err != nil {
		panic(err)
	}
	fit := func(ctx context.Context, images data.Vectors) (mahalanobis.Fitted, error) {
		p, _, err := krr.Fit(ctx, k, images, y, krr.Options{Lambda: 1e-5, Weights: weights})
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		values, err := p.Predict(ctx, images, compute.Options{})
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		wrong := 0.0
		for i := 200; i < 300; i++ {
			wrong += math.Pow(values.At(i, 0)-y.At(i, 0), 2) / 100
		}
		return mahalanobis.Fitted{F: p.(*model.Expansion[[]float64]), Slope: gradients.Pairwise(slope), Score: math.Sqrt(wrong)}, nil
	}
	m, report, err := mahalanobis.Learn(ctx, xs, fit, mahalanobis.Options{Shape: mahalanobis.Full, Weights: weights})
	if err != nil {
		panic(err)
	}
	fmt.Printf("held-out RMSE %.2f, with the metric %.3f\n", report.Rounds[0].Score, report.Rounds[report.Best].Score)
	fmt.Printf("relevance %.2f\n", m.Relevance())
	learned, err := vec.NewMahalanobis(k, nil, m.Matrix())
	if err != nil {
		panic(err)
	}
	near, far := []float64{0, 1, 0, 0, -1, 0}, []float64{0, 1, 0, 0, 1, 0}
	fmt.Printf("k = %.2f where the sum is the same, %.2f where it is not\n", learned.Eval(make([]float64, 6), near), learned.Eval(make([]float64, 6), far))
	// Output:
	// held-out RMSE 0.08, with the metric 0.001
	// relevance [0.00 0.50 0.00 0.00 0.50 0.00]
	// k = 1.00 where the sum is the same, 0.23 where it is not
}
