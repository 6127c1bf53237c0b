package task_test

import (
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/task"
)

// TestNoBias: a function without a bias is stored as one with a bias of 0 for each output, which is
// what is read again.
func TestNoBias(t *testing.T) {
	xs, err := data.NewVectors(2, 1, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	k := vec.Kernel(vec.RBF{Sigma: 1})
	f := task.NewFunction(task.VectorEncoding, k, &model.Expansion[[]float64]{Kernel: k, Points: xs, Coef: mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})})
	tensors := map[string]model.Tensor{}
	if err := f.Store(tensors); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.mercer")
	if err := model.WriteFile(t.Context(), path, tensors, map[string]string{model.KeyVersion: model.Version}); err != nil {
		t.Fatal(err)
	}
	file, err := model.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	bias, err := file.Floats("bias", 3)
	if err != nil || bias[0] != 0 || bias[1] != 0 || bias[2] != 0 {
		t.Errorf("the bias is %v, %v", bias, err)
	}
}
