package checkpoint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.org/mercer/internal/checkpoint"
)

// A computation that was stopped goes on from the steps in its file.
func Example() {
	folder, err := os.MkdirTemp("", "mercer")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	key := func() map[string]string { return map[string]string{"data": "a"} }
	for _, resume := range []bool{false, true} {
		log, err := checkpoint.Open(filepath.Join(folder, "steps"), key, resume, time.Nanosecond)
		if err != nil {
			fmt.Println(err)
			return
		}
		result := []float64{0}
		err = log.Step(context.Background(), "root", [][]float64{result}, func() error {
			fmt.Println("computing")
			result[0] = 1.5
			return nil
		})
		fmt.Println(result, err)
		if err := log.Close(resume); err != nil { // finished only the second time
			fmt.Println(err)
		}
	}
	// Output:
	// computing
	// [1.5] <nil>
	// [1.5] <nil>
}
