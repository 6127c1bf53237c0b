package mercer_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
)

// From a table to a model file, and back to predictions.
func Example() {
	ctx, file := context.Background(), filepath.Join(os.TempDir(), "boats.mercer")
	table, err := open.Read(ctx, "testdata/boats.csv", open.Options{})
	check(err) // names the line, the column and the cell
	task, method, tuned, err := mercer.Tune(ctx, table, prep.Spec{Targets: []string{"speed"}}, "rbf(sigma=?)[length] + 0.1*linear[hull]", methods.KRR{}, search.Search{})
	check(err)
	model, err := mercer.Fit(ctx, task, method, 1)
	check(err)
	check(model.Save(ctx, file))
	again, err := mercer.Load(file)
	check(err)
	p, err := again.Predict(ctx, table.Gather([]int{2, 5}), compute.Options{})
	check(err)
	fmt.Printf("λ = %.1g: %.1f and %.1f knots\n", tuned.Lambda(), p.Values.At(0, 0), p.Values.At(1, 0))
	// Output:
	// λ = 1e-06: 6.0 and 6.7 knots
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
