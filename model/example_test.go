package model_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
)

// A function is a kernel, points and coefficients. Here k(x, y) is the number of
// pairs of equal letters.
func ExampleExpansion() {
	f := model.Expansion[string]{
		Kernel: letters{},
		Points: data.Slice[string]{"ab", "b"},
		Coef:   mat.NewDense(2, 1, []float64{2, -1}),
		Bias:   []float64{10},
	}
	y, err := f.Predict(context.Background(), data.Slice[string]{"abb", "c"}, compute.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(y))
	// Output:
	// ⎡14⎤
	// ⎣10⎦
}

func ExampleWriteFile() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "line.mercer")

	tensors := map[string]model.Tensor{"coef": model.Dense(mat.NewDense(2, 1, []float64{0.5, -0.5}))}
	if err := model.WriteFile(context.Background(), path, tensors, map[string]string{"kernel": "linear"}); err != nil {
		log.Fatal(err)
	}
	f, err := model.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	coef, err := f.Matrix("coef", -1, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Metadata()["kernel"], coef.RawMatrix().Data)
	// Output: linear [0.5 -0.5]
}

// A server binds a model once and answers one row at a time.
func ExampleExpansion_Bind() {
	f := model.Expansion[string]{
		Kernel: letters{},
		Points: data.Slice[string]{"ab", "b"},
		Coef:   mat.NewDense(2, 1, []float64{2, -1}),
	}
	bound, err := f.Bind()
	if err != nil {
		log.Fatal(err)
	}
	y := mat.NewDense(1, 1, nil)
	for _, word := range []string{"abb", "c"} {
		if err := bound.PredictInto(context.Background(), y, data.Slice[string]{word}, compute.Options{}); err != nil {
			log.Fatal(err)
		}
		fmt.Println(word, y.At(0, 0))
	}
	// Output:
	// abb 4
	// c 0
}
