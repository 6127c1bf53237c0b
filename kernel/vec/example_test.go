package vec_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// A kernel from text, bound to points, gives tiles of the Gram matrix.
func Example() {
	k, err := vec.Parse("0.5*rbf(sigma=1) + poly(degree=2, offset=1)")
	if err != nil {
		fmt.Println(err)
		return
	}
	xs := data.Slice[[]float64]{{0, 0}, {1, 0}, {1, 1}}
	p := kernel.Bind(k, xs, xs)
	tile := kernel.NewTile(3, 3)
	p.Tile(tile, 0, 0)
	for i := range 3 {
		fmt.Printf("%.4f\n", tile.Row(i))
	}
	// Output:
	// [1.5000 1.3033 1.1839]
	// [1.3033 4.5000 4.3033]
	// [1.1839 4.3033 9.5000]
}

// Kernels are values, too.
func ExampleRBF() {
	k := vec.RBF{Widths: []float64{0.5, 2}} // one width per column
	fmt.Println(k)
	fmt.Printf("%.4f\n", k.Eval([]float64{0, 0}, []float64{0.5, 2}))
	fmt.Println(k.Reference().Equivalents[1])
	// Output:
	// rbf(sigma=[0.5, 2])
	// 0.3679
	// gamma = 1/(2σ²) = [2, 0.125]
}

// The statistics of a pair are shared between the terms of an expression.
func ExampleCompile() {
	k, _ := vec.Parse("rbf(sigma=1)*matern(nu=2.5, sigma=2) + linear()[0]")
	plan, _ := vec.Compile(k)
	fmt.Print(plan)
	// Output:
	// s0 = squared distance
	// s1 = inner product of columns [0]
	// push s0
	// expneg 0.5
	// push s0
	// matern 1.25 2.5
	// multiply
	// push s1
	// add
}

// Columns are selected by name, by the name of their group, or by a pattern.
func ExampleParseWith() {
	schema := vec.Schema{
		Names:  []string{"age", "bmi", "color=red", "color=blue"},
		Groups: []string{"age", "bmi", "color", "color"},
	}
	k, err := vec.ParseWith("rbf(sigma=10)[age,bmi] * linear()[color]", schema)
	fmt.Println(k, err)
	fmt.Println(k.Eval([]float64{40, 25, 1, 0}, []float64{40, 25, 1, 0}))
	_, err = vec.ParseWith("rbf(sigma=10)[aeg]", schema)
	fmt.Println(err)
	// Output:
	// rbf(sigma=10)[age,bmi]*linear()[color] <nil>
	// 1
	// kernel "rbf(sigma=10)[aeg]": column 14: unknown column "aeg"; did you mean age?
}

// Squared distances are computed once for a grid of widths.
func ExampleRBF_grid() {
	xs := data.Slice[[]float64]{{0}, {1}, {3}}
	r, err := kernel.BindReusable(context.Background(), vec.Kernel(vec.RBF{}), xs, 1<<20, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	tile := kernel.NewTile(1, 3)
	for _, sigma := range []float64{0.5, 1, 2} {
		p, shared := r.Reuse(vec.RBF{Sigma: sigma})
		p.Tile(tile, 0, 0)
		fmt.Printf("%.4f %v\n", tile.Data, shared)
	}
	// Output:
	// [1.0000 0.1353 0.0000] true
	// [1.0000 0.6065 0.0111] true
	// [1.0000 0.8825 0.3247] true
}
