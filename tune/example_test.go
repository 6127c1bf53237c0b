package tune_test

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

func ExampleSearch() {
	xs, y := data.MakeVectors(60, 2), mat.NewDense(60, 1, nil)
	for i := range 60 {
		x := xs.At(i)
		x[0], x[1] = math.Cos(float64(5*i)), math.Sin(float64(7*i*i))
		y.Set(i, 0, math.Exp(x[0])+0.05*math.Cos(float64(37*i*i)))
	}
	// A width for each of two columns, by descending along the leave-one-out error.
	space := tune.Of(vec.RBF{Widths: []float64{1, 1}})
	space.Lambda = &tune.Range{}
	c := tune.ClosedForm[[]float64]{Ridge: tune.Ridge[[]float64]{Y: y}, By: krr.LOO}
	r, err := tune.Search(context.Background(), space, xs, c, tune.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: leave-one-out RMSE %.2f\n", r.Strategy, r.Point.LOO.RMSE[0])
	fmt.Println("the second column hardly counts:", r.Best.Values[1] > 5*r.Best.Values[0])
	// Output:
	// gradient: leave-one-out RMSE 0.04
	// the second column hardly counts: true
}

func ExampleReadSplits() {
	splits, err := tune.ReadSplits(strings.NewReader("0 3\n1 2\n"), "splits.txt", 5)
	fmt.Println(splits, err)
	_, err = tune.ReadSplits(strings.NewReader("0 3\n1 7\n"), "splits.txt", 5)
	fmt.Println(err)
	// Output:
	// [{[1 2 4] [0 3]} {[0 3 4] [1 2]}] <nil>
	// splits.txt, line 2, column 3: there is no row 7: the data have 5 rows, counted from 0
}
