package gmm_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/gmm"
)

// Two groups on a line, one of them wide.
func ExampleFit() {
	x, err := data.NewVectors(8, 1, []float64{0.9, 1, 1.1, 1, 8, 10, 12, 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	m, _, err := gmm.Fit(ctx, x, 2, gmm.Full, gmm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := data.NewVectors(1, 1, []float64{5})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, _, err := m.Posterior(ctx, at, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	j := model.Largest(q)[0]
	fmt.Printf("5 is of the component of mean %.1f and variance %.1f\n", m.Means.At(j)[0], m.Covariances[j].At(0, 0))
	// Output:
	// 5 is of the component of mean 10.0 and variance 2.0
}
