package mercer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// From a table to a model file and back to predictions.
func Example() {
	ctx := context.Background()
	table := &data.Table{Source: "boats", Headed: true, Columns: []data.Column{
		{Name: "length", Numbers: []float64{4, 5, 6, 7, 8, 9, 10, 11}},
		{Name: "hull", Kind: data.Categorical, Strings: []string{"wood", "steel", "wood", "steel", "wood", "steel", "wood", "steel"}},
		{Name: "speed", Numbers: []float64{4.9, 5.0, 6.0, 5.9, 6.9, 6.7, 7.7, 7.4}},
	}}
	problem, err := task.New(ctx, table, prep.Spec{Targets: []string{"speed"}}, "rbf(sigma=2)[length] + 0.1*linear[hull]")
	if err != nil {
		panic(err)
	}
	model, err := mercer.Fit(ctx, problem, learner.KRR{Options: krr.Options{Lambda: 1e-3}}, 1)
	if err != nil {
		panic(err)
	}
	file := filepath.Join(os.TempDir(), "boats.mercer")
	defer os.Remove(file)
	if err := model.Save(ctx, file); err != nil {
		panic(err)
	}
	again, err := mercer.Load(file)
	if err != nil {
		panic(err)
	}
	p, err := again.Predict(ctx, table.Gather([]int{2, 5}), compute.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(again.Kernel())
	fmt.Printf("%.1f %.1f\n", p.Values.At(0, 0), p.Values.At(1, 0))
	// Output:
	// rbf(sigma=2)[length] + 0.1*linear()[hull]
	// 5.9 6.8
}
