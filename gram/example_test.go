package gram_test

import (
	"context"
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// laplace is exp(−|x−y|).
type laplace struct{}

func (laplace) Eval(x, y float64) float64 { return math.Exp(-math.Abs(x - y)) }
func (laplace) String() string            { return "laplace" }

// The same bound kernel as a matrix and as an operator that stores nothing.
func Example() {
	ctx := context.Background()
	xs := data.Slice[float64]{0, 1, 3}
	p := kernel.Bind[float64](laplace{}, xs, xs)
	k, err := gram.Dense(ctx, p, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var product mat.Dense
	if err := gram.Of(p, compute.Options{}).Mul(ctx, &product, mat.NewDense(3, 1, []float64{1, 1, 1})); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n\n%.4f\n", mat.Formatted(k), mat.Formatted(&product))
	// Output:
	// ⎡1.0000  0.3679  0.0498⎤
	// ⎢0.3679  1.0000  0.1353⎥
	// ⎣0.0498  0.1353  1.0000⎦
	//
	// ⎡1.4177⎤
	// ⎢1.5032⎥
	// ⎣1.1851⎦
}

// New points are centred with the means of the training points.
func ExampleCentre() {
	ctx := context.Background()
	training, fresh := data.Slice[float64]{0, 1, 3}, data.Slice[float64]{2}
	k, err := gram.Dense(ctx, kernel.Bind[float64](laplace{}, training, training), compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	centring, err := gram.Centre(ctx, k, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var cross mat.Dense
	if err := gram.Rect(ctx, &cross, kernel.Bind[float64](laplace{}, fresh, training), compute.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	if err := centring.Cross(&cross); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", mat.Formatted(&cross))
	// Output:
	// [-0.1714   0.0327   0.1387]
}

// A Gram matrix is written row by row without being held in memory.
func ExampleExport() {
	xs := data.Slice[float64]{0, 1, 3}
	p := kernel.Bind[float64](laplace{}, xs, xs)
	err := gram.Export(context.Background(), p, gram.PackedLower, compute.Options{}, func(row []float64) error {
		_, err := fmt.Fprintf(os.Stdout, "%.3f\n", row)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [1.000]
	// [0.368 1.000]
	// [0.050 0.135 1.000]
}

// A matrix that was computed elsewhere is a kernel on the ids of its rows.
func ExamplePrecomputed() {
	k := mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 1})
	p, err := gram.NewPrecomputed("K.npy", k, []string{"ann", "bob"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p, p.Eval("bob", "ann"))
	fmt.Println(p.Contains("Bob"))
	// Output:
	// gram(file="K.npy") 0.5
	// gram: K.npy has no row or column with id "Bob"; did you mean "bob"?
}
