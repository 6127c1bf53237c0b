package libsvm_test

import (
	"context"
	"fmt"
	"os"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
)

// The problem between two points: the rho is 0 and the margin touches both.
func Example() {
	xs := data.Slice[[]float64]{{0, 2}, {0, -2}}
	f, report, err := svm.Fit(context.Background(), vec.Linear{}, xs, []int{1, 0}, svm.Options{C: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := libsvm.FromExpansion(f, svm.CSVC, report.Decision, []int{-1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := m.Write(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// svm_type c_svc
	// kernel_type linear
	// nr_class 2
	// total_sv 2
	// rho 0
	// label 1 -1
	// nr_sv 1 1
	// SV
	// 0.125 2:2
	// -0.125 2:-2
}
