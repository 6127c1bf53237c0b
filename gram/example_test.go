package gram_test

import (
	"context"
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/mat"

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
	k, err := gram.Dense(ctx, p, gram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var product mat.Dense
	if err := gram.Of(p, gram.Options{}).Mul(ctx, &product, mat.NewDense(3, 1, []float64{1, 1, 1})); err != nil {
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
	k, err := gram.Dense(ctx, kernel.Bind[float64](laplace{}, training, training), gram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	centring, err := gram.Centre(ctx, k, gram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var cross mat.Dense
	if err := gram.Rect(ctx, &cross, kernel.Bind[float64](laplace{}, fresh, training), gram.Options{}); err != nil {
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

// A plan of dense kernel ridge regression on 20 640 points, on a machine that was
// calibrated elsewhere, and its refusal under a limit.
func ExampleCheckMemory() {
	m := gram.Machine{Workers: 2, GemmRate: 2e10, CopyRate: 3e9, ReadRate: 1e10, Cholesky: gram.Rate{Asymptote: 2e10, HalfSize: 300}, PairRate: 9e7}
	const n = 20640
	packed := gram.NewPlan("packed", m, gram.PackedGramCost(n, gram.Double, m), gram.PackedFactorCost(n, gram.Double, m), gram.SolveCost(n, 1, m))
	packed.Hint = "--solver packed"
	dense := gram.NewPlan("cholesky", m, gram.DenseGramCost(n, m), gram.FactorCost(n, m), gram.SolveCost(n, 1, m))
	dense.Alternatives = []gram.Plan{packed}
	fmt.Print(dense)
	limit, err := gram.ParseBytes("2GiB")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(gram.CheckMemory(dense, limit))
	// Output:
	// solver cholesky: peak memory 3.21 GiB, time about 2 min 33 s on 2 workers
	//   stage         peak memory    flops        time
	//   gram (dense)     3.17 GiB        -       2.9 s
	//   factor           3.17 GiB  2.9e+12  2 min 29 s
	//   solve            3.17 GiB  8.5e+08      341 ms
	// alternatives:
	//   --solver packed  1.62 GiB  2 min 32 s
	// solver cholesky needs 3.21 GiB, more than the limit of 2.00 GiB; within the limit are:
	//   --solver packed  1.62 GiB  2 min 32 s
}

// A Gram matrix is written row by row without being held in memory.
func ExampleExport() {
	xs := data.Slice[float64]{0, 1, 3}
	p := kernel.Bind[float64](laplace{}, xs, xs)
	err := gram.Export(context.Background(), p, gram.PackedLower, gram.Options{}, func(row []float64) error {
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
