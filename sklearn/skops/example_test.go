package skops_test

import (
	"context"
	"fmt"
	"os"

	"example.org/mercer/sklearn/skops"
)

func ExampleOpen() {
	file, err := os.Open("../testdata/1.9/svr.skops")
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
	model, err := skops.Open(file.Name(), file, about.Size(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range model.Get("steps").Items() {
		pair := step.Items()
		fmt.Println(pair[0].String(), "is a", pair[1].Qualified())
	}
	last := model.Get("steps").Items()[1].Items()[1]
	n, d := last.Get("support_vectors_").Matrix(context.Background()).Dims()
	fmt.Println(n, "support vectors of", d, "numbers, error:", model.Err())
	// Output:
	// robustscaler is a sklearn.preprocessing._data.RobustScaler
	// svr is a sklearn.svm._classes.SVR
	// 60 support vectors of 3 numbers, error: <nil>
}
