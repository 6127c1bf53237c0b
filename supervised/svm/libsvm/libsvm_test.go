package libsvm_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
)

// reference is svm/testdata/libsvm.json: model files of LIBSVM and the decision values
// that LIBSVM computes with them.
type reference struct {
	X, Test  data.Slice[[]float64]
	Classes  []int
	Classes3 []int
	Targets  []float64
	Fits     map[string]struct {
		Order       []int
		Model       string
		ModelLabels []float64   `json:"model_labels"`
		ModelValues [][]float64 `json:"model_values"`
	}
}

func readReference(t testing.TB) *reference {
	t.Helper()
	text, err := os.ReadFile("../testdata/libsvm.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestReadAgrees loads models that LIBSVM wrote and compares decision values with those
// that LIBSVM computes: the same sums, so only their rounding differs.
func TestReadAgrees(t *testing.T) {
	r := readReference(t)
	compared := 0
	for name, fit := range r.Fits {
		m, err := libsvm.Read(name, strings.NewReader(fit.Model))
		if err != nil {
			t.Fatal(err)
		}
		f, rule, err := m.Expansion(0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Predict(t.Context(), r.Test, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range fit.ModelValues {
			for j, want := range row {
				testkit.Close(t, name, got.At(i, j), want, 1e-12)
				compared++
			}
			if rule != nil {
				if label := m.Labels[rule.Class(got.RawRowView(i))]; label != int(fit.ModelLabels[i]) {
					t.Errorf("%s: row %d has label %d, LIBSVM says %v", name, i, label, fit.ModelLabels[i])
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d values were compared", compared)
	}
}

// TestRewriteIsTheSame reads models, writes them, and wants the lines of LIBSVM again,
// but for the digits of numbers: the second reading has the same bits.
func TestRewriteIsTheSame(t *testing.T) {
	for name, fit := range readReference(t).Fits {
		m, err := libsvm.Read(name, strings.NewReader(fit.Model))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := m.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := libsvm.Read(name, bytes.NewReader(text.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		var second bytes.Buffer
		if err := again.Write(&second); err != nil {
			t.Fatal(err)
		}
		if text.String() != second.String() {
			t.Errorf("%s: two writings differ", name)
		}
		want, got := strings.Fields(fit.Model), strings.Fields(text.String())
		if len(got) != len(want) {
			t.Errorf("%s: %d words, LIBSVM wrote %d", name, len(got), len(want))
		}
	}
}

// TestExportKeepsDecisions writes what package svm learned, reads it, and wants the same
// values up to the order of sums, with the sign and order of the problems.
func TestExportKeepsDecisions(t *testing.T) {
	r := readReference(t)
	xs, test := r.X, r.Test
	for _, tc := range []struct {
		name   string
		k      vec.Kernel
		y      []int
		labels []int
	}{
		{"two classes", vec.RBF{}, r.Classes, []int{-1, 1}},
		{"three classes", vec.Poly{Degree: 3, Offset: 1, Scale: 0.5}, r.Classes3, []int{7, 3, 5}},
		{"linear", vec.Linear{}, r.Classes3, []int{0, 1, 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, report, err := svm.Fit(t.Context(), tc.k, xs, tc.y, svm.Options{C: 0.7})
			if err != nil {
				t.Fatal(err)
			}
			m, err := libsvm.FromExpansion(f, svm.CSVC, report.Decision, tc.labels)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := m.Write(&text); err != nil {
				t.Fatal(err)
			}
			back, err := libsvm.Read("ours", &text)
			if err != nil {
				t.Fatal(err)
			}
			g, rule, err := back.Expansion(3)
			if err != nil {
				t.Fatal(err)
			}
			want, err := f.Predict(t.Context(), test, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := g.Predict(t.Context(), test, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "values", got.RawMatrix().Data, want.RawMatrix().Data, 1e-13)
			for i, class := range report.Decision.Classes(want) {
				if label := back.Labels[rule.Class(got.RawRowView(i))]; label != tc.labels[class] {
					t.Errorf("row %d: label %d, want %d", i, label, tc.labels[class])
				}
			}
		})
	}
}

// TestPrecomputed takes a problem through a matrix in LIBSVM's format and a model without
// points.
func TestPrecomputed(t *testing.T) {
	r := readReference(t)
	xs := r.X
	pairs := kernel.Bind(vec.Kernel(vec.RBF{}), xs, xs)
	labels := make([]float64, len(r.Classes))
	for i, c := range r.Classes {
		labels[i] = float64(c)
	}
	var text bytes.Buffer
	if err := libsvm.WriteGram(t.Context(), &text, labels, pairs, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	g, err := libsvm.ReadGram("k", &text)
	if err != nil {
		t.Fatal(err)
	}
	k, err := gram.NewPrecomputed("k", g.K, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sol, report, err := svm.Solve(t.Context(), svm.Dual{Source: gram.RowsOf(gram.FromMatrix(k.Matrix()).Pairs())}, r.Classes, svm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := libsvm.FromRows(sol, svm.CSVC, report.Decision, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	text.Reset()
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	back, err := libsvm.Read("ours", &text)
	if err != nil {
		t.Fatal(err)
	}
	coef, bias, _ := back.Spread()
	testkit.CloseSlice(t, "bias", bias, sol.Bias, 0)
	all := sol.All(len(r.Classes))
	for i, row := range back.Rows {
		testkit.Close(t, "coefficient", coef.At(i, 0), all.At(row-1, 0), 0)
	}
	if len(back.Rows) != report.SupportVectors {
		t.Errorf("%d rows, the report says %d support vectors", len(back.Rows), report.SupportVectors)
	}
	if _, _, err := back.Expansion(0); err == nil {
		t.Error("a precomputed model has no points, but became a function on vectors")
	}
}

func TestReadRefuses(t *testing.T) {
	good := readReference(t).Fits["c-svc 3"].Model
	for _, tc := range []struct{ name, old, new, want string }{
		{"type", "c_svc", "d_svc", `m: line 1: "d_svc" is not a type of LIBSVM; one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr is`},
		{"kernel", "rbf", "rbg", `m: line 2: "rbg" is not a kernel of LIBSVM; one of linear, polynomial, rbf, sigmoid, precomputed is`},
		{"key", "rho", "roh", `m: line 6: "roh" is not a key of a model file of LIBSVM`},
		{"gamma", "gamma 0.5", "gamma x", `m: line 3: "x" is not a finite number`},
		{"count", "total_sv 70", "total_sv 71", `m: line 9: has 3 labels and 70 support vectors in 3 counts for 3 classes and total_sv 71`},
		{"colon", "1:", "1;", `is not of the form index:value`},
		{"order", "1:", "9:", `has an index that is not a whole number above the one before; indices count from 1 and rise`},
		{"cut", "SV\n", "SV\n\n1 1 1:2\n", `has 71 support vectors and says total_sv 70; give the whole file`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := strings.Replace(good, tc.old, tc.new, 1)
			if text == good {
				t.Fatalf("the model has no %q", tc.old)
			}
			_, err := libsvm.Read("m", strings.NewReader(text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
}

func TestReadGramRefuses(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "k: holds no rows; give lines of the form: label 0:row 1:value 2:value …"},
		{"1 0:1 1:2\n1 0:2\n", "k: line 2: has 2 words, and a row of this matrix has a label, 0:row and 1 columns; write every column"},
		{"1 1:2 2:3\n", `k: line 1: "1:2" is not 0:value; write 0:row and then every column, in order`},
		{"1 0:1 1:nan\n", `k: line 1: "nan" is not a finite number`},
	} {
		if _, err := libsvm.ReadGram("k", strings.NewReader(tc.text)); err == nil || err.Error() != tc.want {
			t.Errorf("%q: %v, want %s", tc.text, err, tc.want)
		}
	}
}

// FuzzRead wants an error or a model that can be written and used, never a panic.
func FuzzRead(f *testing.F) {
	f.Add("svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.1\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1 \n-1 1:2 \n")
	f.Add("svm_type one_class\nkernel_type precomputed\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 0:3 \n")
	f.Add("svm_type nu_svr\nkernel_type polynomial\ndegree 3\ngamma 1\ncoef0 0\nnr_class 2\ntotal_sv 1\nrho 1e9\nSV\n1 5:1\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := libsvm.Read("m", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "m: ") {
				t.Fatalf("%v does not name the file", err)
			}
			return
		}
		var once, twice bytes.Buffer
		if err := m.Write(&once); err != nil {
			t.Fatal(err)
		}
		again, err := libsvm.Read("m", bytes.NewReader(once.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if err := again.Write(&twice); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("%q became %q, %v", once.String(), twice.String(), err)
		}
		m.Spread()
	})
}
