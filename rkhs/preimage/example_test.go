package preimage_test

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/preimage"
	"example.org/mercer/unsupervised/kpca"
)

// Points off a circle are moved towards it.
func ExampleDenoise() {
	xs := data.MakeVectors(60, 2)
	for i := range 60 {
		angle := 2 * math.Pi * float64(i) / 60
		xs.At(i)[0], xs.At(i)[1] = math.Cos(angle), math.Sin(angle)
	}
	ctx := context.Background()
	e, _, err := kpca.Fit(ctx, vec.RBF{Sigma: 1}, xs, kpca.Options{Components: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	noisy := data.Slice[[]float64]{{0.9, 0.8}, {-0.4, 0.7}, {-0.6, -0.6}}
	answers, err := preimage.Denoise(ctx, e, nil, 4, noisy, preimage.FixedPoint{Profile: preimage.Gaussian(1)}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range answers {
		fmt.Printf("(%.2f, %.2f), residual %.2f\n", a.Point[0], a.Point[1], a.Residual)
	}
	// Output:
	// (0.74, 0.65), residual 0.15
	// (-0.45, 0.80), residual 0.14
	// (-0.66, -0.66), residual 0.14
}
