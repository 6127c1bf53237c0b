package mercer_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/onnx"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// gapped is the table of the houses with cells that are missing, and the kind as a target, too.
func gapped(rows int, seed uint64) *data.Table {
	t := houses(rows, seed)
	size, kind := &t.Columns[1], &t.Columns[3]
	size.Missing, kind.Missing = make([]bool, rows), make([]bool, rows)
	for i := range rows {
		size.Missing[i], kind.Missing[i] = i%7 == 3, i%5 == 4
	}
	return t
}

// TestGraphs: the graph of a model says of its self-test rows what the model says, in both
// precisions, and the labels, for each rule of decision and each step of preparation that is
// written.
func TestGraphs(t *testing.T) {
	ridge := methods.KRR{Options: krr.Options{Lambda: 1e-2}}
	for _, c := range []struct {
		name, kernel string
		table        *data.Table
		spec         prep.Spec
		method       learner.Learner
	}{
		{"numbers and a category", "rbf(sigma=2)", houses(50, 1), spec, ridge},
		{"levels in order", "category(rho=0.5)[kind]*rbf(sigma=1)[size,age]", houses(50, 10), prep.Spec{Targets: []string{"price"}, ID: "id", Drop: []string{"weight"}, Ordered: []prep.Ordering{{Column: "kind", Levels: []string{"hut", "house", "flat"}}}}, ridge},
		{"missing cells marked", "laplace1(sigma=3)", gapped(50, 2), prep.Spec{Targets: []string{"price"}, ID: "id", Drop: []string{"weight"}, Missing: prep.Indicator}, ridge},
		{"missing cells filled in", "matern(nu=1.5, sigma=3)", gapped(50, 3), prep.Spec{Targets: []string{"price"}, ID: "id", Drop: []string{"weight"}, Missing: prep.Mean}, ridge},
		{"numbers alone, a column chosen", "rbf(sigma=1)[size] + linear()", houses(50, 4), prep.Spec{Targets: []string{"price"}, ID: "id", Drop: []string{"weight", "kind"}}, ridge},
		{"linear", "linear()", houses(50, 5), spec, ridge},
		{"power of the target", "rbf(sigma=2)", skewed(50, 6), prep.Spec{Targets: []string{"price"}, ID: "id", Transform: "yeo-johnson"}, ridge},
		{"two labels by their codes", "rbf(sigma=2)", houses(60, 7), prep.Spec{Targets: []string{"kind"}, ID: "id"}, ridge},
		{"two labels by votes", "rbf(sigma=2)", houses(60, 8), prep.Spec{Targets: []string{"kind"}, ID: "id"}, methods.SVC{Options: svm.Options{C: 1}}},
		{"a network", "deep(of=rbf(sigma=1), widths=[5, 2])", houses(60, 11), spec, ridge},
		{"a network of tanh", "deep(of=matern(nu=1.5, sigma=1), widths=[4, 3, 2], activation=tanh)", houses(60, 12), spec, ridge},
		{"a network of relu", "deep(of=rbf(sigma=1), widths=[6, 2], activation=relu)", houses(60, 13), spec, ridge},
		{"centres", "rbf(sigma=2)", houses(60, 14), prep.Spec{Targets: []string{"kind"}, ID: "id"}, methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}},
		{"probabilities", "rbf(sigma=2)", houses(60, 9), prep.Spec{Targets: []string{"kind"}, ID: "id"}, methods.KLR{Options: klr.Options{Lambda: 1e-2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := task.New(background, c.table, c.spec, c.kernel)
			if err != nil {
				t.Fatal(err)
			}
			m, err := mercer.Fit(background, p, c.method, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, precision := range []onnx.Precision{onnx.Double, onnx.Single} {
				var file bytes.Buffer
				v, err := m.WriteONNX(background, &file, precision, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if v.Rows == 0 || !(v.Worst <= v.Bound) || precision == onnx.Double && v.Worst > 1e-12 {
					t.Errorf("precision %d: %+v", precision, v)
				}
				if !bytes.Contains(file.Bytes(), []byte("MatMul")) || !bytes.Contains(file.Bytes(), []byte(c.kernel[:3])) {
					t.Errorf("the file of %d bytes holds no product, or not its kernel", file.Len())
				}
			}
		})
	}
}

// TestGraphsRefused: what cannot be written is named, with what can.
func TestGraphsRefused(t *testing.T) {
	table := houses(40, 1)
	text := prep.Spec{Targets: []string{"price"}, Drop: []string{"weight"}, ID: "id", Cells: []string{"kind"}}
	for _, c := range []struct {
		kernel, want string
		spec         prep.Spec
		rank         bool
	}{
		{"spectrum(k=2)[kind]", "functions of", text, false},
		{"matern(nu=2, sigma=1)", "no standard operator for Bessel functions", spec, false},
		{"arccos()", "the statistic angle", spec, false},
		{"rbf(sigma=1)", "rank(the target)", spec, true},
	} {
		s := c.spec
		if c.rank {
			s.Transform = "rank"
		}
		p, err := task.New(background, table, s, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 1e-2}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		_, err = m.WriteONNX(background, &file, onnx.Double, compute.Options{})
		var u *onnx.Unsupported
		if !errors.As(err, &u) || !strings.Contains(err.Error(), c.want) || file.Len() > 0 {
			t.Errorf("%s: %v, want %q", c.kernel, err, c.want)
		}
	}
}
