package mercer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
)

// A plane of two features is that of the table, whatever was made of them; one feature is
// drawn over the rows; of more, and of kernels on more, the components are.
func TestViews(t *testing.T) {
	table := petals(50)
	view := func(s prep.Spec, kernel string) (*mercer.View, *task.Task) {
		t.Helper()
		p, err := task.New(background, table, s, kernel)
		if err != nil {
			t.Fatal(err)
		}
		v, err := mercer.ViewRows(background, p, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return v, p
	}
	two := prep.Spec{NoTarget: true, Drop: []string{"kind", "weight"}}
	for _, kernel := range []string{"linear", petalKernel} {
		v, _ := view(two, kernel)
		for i, q := range v.Points {
			testkit.Close(t, "x", q[0], table.Columns[0].Numbers[i], 1e-13)
			testkit.Close(t, "y", q[1], table.Columns[1].Numbers[i], 1e-13)
		}
		if !v.Linear() || v.X != table.Columns[0].Name {
			t.Errorf("linear: %v, x is %s", v.Linear(), v.X)
		}
	}
	one := prep.Spec{NoTarget: true, Drop: []string{"kind", "weight", table.Columns[1].Name}}
	if v, _ := view(one, "linear"); v.X != "row" || v.Points[4][0] != 5 || v.Linear() {
		t.Errorf("one feature: %s, row 5 at %v", v.X, v.Points[4])
	}
	three := prep.Spec{NoTarget: true, Drop: []string{"kind"}}
	if v, _ := view(three, "linear"); v.X != "PC1" || !v.Linear() {
		t.Errorf("three features: %s, linear %v", v.X, v.Linear())
	}
	v, _ := view(three, petalKernel)
	if v.X != "PC1" || v.Linear() {
		t.Errorf("three features with a kernel: %s, linear %v", v.X, v.Linear())
	}
}

// The shadow of a component has the mean and covariance of the points of its rows, where
// all rows are of one component.
func TestShadows(t *testing.T) {
	for _, s := range []prep.Spec{{NoTarget: true, Drop: []string{"kind"}}, {NoTarget: true, Drop: []string{"kind", "weight"}}} {
		for _, shape := range []gmm.Shape{gmm.Full, gmm.Tied} {
			p, m := learnPetals(t, petals(80), s, "linear", clustering.GMM{Choices: gmm.Choices{Least: 1, Most: 1, Shapes: []gmm.Shape{shape}}})
			v, err := mercer.ViewRows(background, p, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			shadows, err := v.Shadows(m, p)
			if err != nil {
				t.Fatal(err)
			}
			var mean [2]float64
			for _, q := range v.Points {
				mean[0], mean[1] = mean[0]+q[0]/80, mean[1]+q[1]/80
			}
			var c [2][2]float64
			for _, q := range v.Points {
				for a := range 2 {
					for b := range 2 {
						c[a][b] += (q[a] - mean[a]) * (q[b] - mean[b]) / 80
					}
				}
			}
			for a := range 2 {
				testkit.Close(t, "mean", shadows[0].Mean[a], mean[a], 1e-10)
				for b := range 2 {
					if d := shadows[0].Covariance[a][b] - c[a][b]; math.Abs(d) > 1e-10*(c[0][0]+c[1][1]) {
						t.Errorf("%s: covariance %v, want %v", shape, shadows[0].Covariance, c)
					}
				}
			}
		}
	}
	p, m := learnPetals(t, petals(30), untargetedSpec, petalKernel, clustering.KernelKMeans{Clusters: three})
	v, err := mercer.ViewRows(background, p, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Shadows(m, p); err == nil || !strings.Contains(err.Error(), "kernel-kmeans") {
		t.Errorf("shadows of no mixture: %v", err)
	}
}

// Groups are the cells of a column in their order, numbers by size.
func TestGroupsOfCells(t *testing.T) {
	table := petals(20)
	for i := range table.Columns[2].Numbers {
		table.Columns[2].Numbers[i] = []float64{10, 9, -1}[i%3]
	}
	p, err := task.New(background, table, prep.Spec{NoTarget: true, Drop: []string{"kind"}}, "linear")
	if err != nil {
		t.Fatal(err)
	}
	_, names, group, err := p.Groups("weight")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{"-1", "9", "10"}) || !slices.Equal(group[:4], []int{2, 1, 0, 2}) {
		t.Errorf("groups %v, rows %v", names, group)
	}
	_, names, group, err = p.Groups("kind")
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range group {
		if names[g] != table.Columns[3].Strings[i] {
			t.Errorf("row %d is in group %s", i+1, names[g])
		}
	}
	if _, _, _, err := p.Groups("colour"); err == nil {
		t.Error("a column was found that is not there")
	}
}
