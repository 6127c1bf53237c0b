package sklearn_test

import (
	"context"
	"fmt"
	"os"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/sklearn"
)

// A ridge regression that scikit-learn fitted to three columns of houses.
func ExampleRead() {
	file, err := os.Open("testdata/1.9/krr_plain.skops")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := sklearn.Read(context.Background(), file.Name(), file, about.Size(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := m.Expansion([]int{0, 1, 2}, m.Columns)
	if err != nil {
		fmt.Println(err)
		return
	}
	price, err := f.Predict(context.Background(), data.Slice[[]float64]{{100, 20, 3}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s of %v, kernel %s: %.1f\n", m.Class, m.Columns, f.Kernel, price.At(0, 0))
	// Output: KernelRidge of [size age rooms], kernel linear(): 182.6
}
