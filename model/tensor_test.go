package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/model"
)

func TestTensorsAreViews(t *testing.T) {
	x := []float64{1, 2, 3, math.Inf(1)}
	a, err := model.Float64s(x, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	back, err := a.Float64s()
	if err != nil || &back[0] != &x[0] || len(back) != 4 {
		t.Errorf("Float64s of Float64s is another memory: %v, %v", back, err)
	}
	f, err := model.Float32s([]float32{1.5, -2}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Float32s(); err != nil || !cmp.Equal(got, []float32{1.5, -2}) {
		t.Errorf("Float32s = %v, %v", got, err)
	}
	i, err := model.Int64s([]int64{math.MinInt64, 7}, 1, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := i.Int64s(); err != nil || !cmp.Equal(got, []int64{math.MinInt64, 7}) {
		t.Errorf("Int64s = %v, %v", got, err)
	}
	if got, err := model.Bytes([]byte("ab")).Bytes(); err != nil || string(got) != "ab" {
		t.Errorf("Bytes = %q, %v", got, err)
	}
}

func TestTensorKnowsItsType(t *testing.T) {
	b, f := model.Bytes([]byte("12345678")), model.Dense(mat.NewDense(1, 1, nil))
	if _, err := b.Float64s(); err == nil || !strings.Contains(err.Error(), "holds U8, not F64") {
		t.Errorf("bytes as numbers: %v", err)
	}
	if _, err := f.Bytes(); err == nil {
		t.Error("numbers were read as bytes")
	}
	if _, err := f.Float32s(); err == nil {
		t.Error("float64 was read as float32")
	}
	if _, err := f.Int64s(); err == nil {
		t.Error("float64 was read as int64")
	}
}

func TestDenseOfAViewIsACopy(t *testing.T) {
	whole := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	for name, m := range map[string]*mat.Dense{
		"view":  whole.Slice(1, 3, 1, 3).(*mat.Dense),
		"whole": mat.NewDense(2, 2, []float64{5, 6, 8, 9}),
	} {
		got, err := model.Dense(m).Float64s()
		if err != nil || !cmp.Equal(got, []float64{5, 6, 8, 9}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if v := model.Vectors(data.MakeVectors(2, 5)); !cmp.Equal(v.Shape, []int{2, 5}) {
		t.Errorf("vectors have shape %v", v.Shape)
	}
	if e := model.Dense(&mat.Dense{}); !cmp.Equal(e.Shape, []int{0, 0}) {
		t.Errorf("an empty matrix has shape %v", e.Shape)
	}
}

func TestTensorRefusesShapes(t *testing.T) {
	for _, shape := range [][]int{{3}, {2, 2}, {-1, -2}, {math.MaxInt, math.MaxInt}, {1 << 62, 4, 1 << 62}} {
		if _, err := model.Float64s([]float64{1, 2}, shape...); err == nil {
			t.Errorf("two numbers were given the shape %v", shape)
		}
	}
	if _, err := model.Float64s([]float64{1}); err != nil {
		t.Errorf("a scalar is refused: %v", err)
	}
}
