package mercer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/manifold"
)

// surface fits a map of a surface to houses with a kernel.
func surface(t *testing.T, kernel string, s prep.Spec, o manifold.Options) *mercer.Model {
	t.Helper()
	p, err := task.New(background, houses(40, 3), s, kernel)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.Manifold{Options: o}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var (
	surfaceMethods = []manifold.Options{{Method: manifold.Isomap, Neighbours: 12}, {Method: manifold.LLE}, {Method: manifold.Eigenmap, Neighbours: 12},
		{Method: manifold.DiffusionMap, Time: 1}, {Method: manifold.Stress}, {Method: manifold.Classical}}
	unpricedSpec = prep.Spec{NoTarget: true, ID: "id", Drop: []string{"weight", "price"}}
)

// TestSurfacesComeBack: a map of points of each kind places training rows where they are, is read
// back to the bit, and verifies itself.
func TestSurfacesComeBack(t *testing.T) {
	dir := t.TempDir()
	p, err := task.New(background, houses(40, 3), unpricedSpec, "rbf(sigma=1.5)")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "K.npy")
	if _, err := p.WriteGram(background, file, task.GramOptions{}, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		kernel string
		spec   prep.Spec
	}{
		"vectors": {"rbf(sigma=1.5)", unpricedSpec},
		"ids":     {"gram(file=" + quote(file) + ")", unpricedSpec},
		"records": {"rbf(sigma=1.5)[size,age] + 0.1*spectrum(k=1)[kind]", unpricedSpec},
	} {
		for _, o := range surfaceMethods {
			t.Run(fmt.Sprint(what, " ", o.Method), func(t *testing.T) {
				m := surface(t, c.kernel, c.spec, o)
				path := filepath.Join(t.TempDir(), "m.mercer")
				if err := m.Save(background, path); err != nil {
					t.Fatal(err)
				}
				back, err := mercer.Load(path)
				if err != nil {
					t.Fatal(err)
				}
				table := houses(40, 3)
				first := predict(t, m, table).Values
				if !mat.Equal(first, predict(t, back, table).Values) {
					t.Error("rows are placed elsewhere after loading")
				}
				if form, size := back.Form(); form != "map" || size != 40 {
					t.Errorf("the form is %s of %d rows", form, size)
				}
				if v, err := back.Verify(background, compute.Options{}); err != nil || v.Rows == 0 {
					t.Errorf("verified %v, %v", v, err)
				}
				if says := back.Contents(); says.Points != 40 || says.IDs != "id" {
					t.Errorf("the file says that it holds %+v", says)
				}
			})
		}
	}
}

// TestForeignPartsOfAMap: sound containers whose parts do not fit together are refused.
func TestForeignPartsOfAMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.mercer")
	m := surface(t, "rbf(sigma=1.5)", unpricedSpec, surfaceMethods[0])
	if err := m.Save(background, path); err != nil {
		t.Fatal(err)
	}
	three, err := model.Float64s([]float64{1, 2, 3}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tensor string
		is     model.Tensor
		want   string
	}{
		{"map", model.Bytes([]byte(`{"method":"isomap","neighbours":40}`)), "do not fit together"},
		{"map", model.Bytes([]byte(`{"method":"lle","neighbours":5,"ridge":0.001}`)), "by lle has"},
		{"map", model.Bytes([]byte(`{"method":"luck"}`)), "not known"},
		{"map", model.Bytes([]byte(`[`)), `tensor "map"`},
		{"map.paths", three, "map.paths"},
		{"map.shares", three, "map.shares"},
		{"map.factors", model.Dense(mat.NewDense(3, 2, nil)), "map.factors"},
		{"coef", model.Dense(mat.NewDense(39, 2, make([]float64, 78))), "map.factors"},
		{"bias", three, "bias"},
	} {
		tensors, metadata := mercer.Unpack(t, path)
		tensors[c.tensor] = c.is
		if _, err := mercer.Decode("changed.mercer", mercer.Pack(t, tensors, metadata), task.Files{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("another tensor %s: the error is %v, want %q in it", c.tensor, err, c.want)
		}
	}
	tensors, metadata := mercer.Unpack(t, path)
	delete(tensors, "map.paths")
	if _, err := mercer.Decode("changed.mercer", mercer.Pack(t, tensors, metadata), task.Files{}); err == nil || !strings.Contains(err.Error(), "paths") {
		t.Errorf("a map without its paths: %v", err)
	}
}
