package sklearn_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/sklearn"
)

// model returns a file of testdata with its tree changed.
func model(t testing.TB, name string, change func(schema string) string) *bytes.Reader {
	t.Helper()
	file, err := os.ReadFile("testdata/1.9/" + name + ".skops")
	if err != nil {
		t.Fatal(err)
	}
	from, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, part := range from.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if part.Name == "schema.json" && change != nil {
			changed := change(string(text))
			if changed == string(text) {
				t.Fatal("nothing was changed")
			}
			text = []byte(changed)
		}
		w, err := to.Create(part.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(out.Bytes())
}

// setting returns the tree with another value of a setting whose JSON is plain, wherever it stands.
func setting(name, value string) func(string) string {
	plain := regexp.MustCompile(`("` + name + `": \{[^{}]*"content": ")(\\.|[^"\\])*"`)
	return func(schema string) string { return plain.ReplaceAllString(schema, `${1}`+value+`"`) }
}

func replaced(from, to string) func(string) string {
	return func(schema string) string { return strings.ReplaceAll(schema, from, to) }
}

// TestRefusals: what is not known is an error that names it, and nothing is made of it.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(string) string
		want   string
	}{
		{"krr_mixed", replaced(`"KernelRidge"`, `"Lasso"`), "is a sklearn.kernel_ridge.Lasso, which cannot be read: known are"},
		{"krr_mixed", replaced(`"sklearn.kernel_ridge"`, `"somebody.else"`), "is somebody.else.KernelRidge, which is no class of scikit-learn"},
		{"krr_mixed", replaced(`"sklearn.kernel_ridge"`, `"sklearned"`), "no class of scikit-learn"},
		{"krr_mixed", setting("kernel", `\"precomputed\"`), `kernel is "precomputed"`},
		{"krr_mixed", setting("gamma", `-1.0`), "gamma is -1, and kernels have a positive one"},
		{"krr_mixed", setting("gamma", `NaN`), "gamma is NaN, and not a finite number"},
		{"krr_mixed", replaced(`"StandardScaler"`, `"PCA"`), "PCA, which cannot be read"},
		{"krr_mixed", setting("_infrequent_enabled", "true"), "puts rare categories together"},
		{"krr_mixed", setting("n_features_in_", "0"), "n_features_in_ is 0"},
		{"krr_mixed", replaced(`"dual_coef_"`, `"dual_coef"`), "dual_coef_ is nothing, and not an array of numbers"},
		{"krr_laplacian", setting("clip", "true"), "cuts numbers outside"},
		{"svc_three", setting("break_ties", "true"), "break_ties is True"},
		{"gpr", setting("_sklearn_version", `\"0.1\"`), ""}, // versions are only reported
		{"gpr_sums", setting("nu", "1.5"), "does not say of the rows of the model what the file says"},
		{"gpr_sums", replaced(`"DotProduct"`, `"CompoundKernel"`), "CompoundKernel, a kernel that cannot be read"},
		{"gpr_periodic", replaced(`"WhiteKernel"`, `"ConstantKernel"`), "constant_value is nothing"},
		{"nystroem_ridge", replaced(`"Ridge"`, `"SVR"`), "_gamma is nothing"},
		{"nystroem_ridge", setting("kernel", `\"additive_chi2\"`), `kernel is "additive_chi2"`},
		{"ridge_missing", setting("add_indicator", "true"), "marks missing cells"},
		{"search", replaced(`"best_estimator_"`, `"best"`), "best_estimator_"},
		{"nystroem", replaced(`"protocol": 2`, `"protocol": 3`), "has protocol 3, and 2 is the latest"},
	} {
		file := model(t, c.name, c.change)
		m, err := sklearn.Read(t.Context(), "m.skops", file, file.Size(), nil)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "m.skops") && !strings.HasPrefix(err.Error(), "sklearn:")):
			t.Errorf("%s: error %v, want …%s…", c.name, err, c.want)
		case c.want != "" && m != nil:
			t.Errorf("%s: a model beside the error %v", c.name, err)
		}
	}
}

// TestBudget: a file does not take more memory than it may.
func TestBudget(t *testing.T) {
	file := model(t, "krr_mixed", nil)
	if _, err := sklearn.Read(t.Context(), "m.skops", file, file.Size(), data.NewBudget(10_000)); err == nil || !strings.Contains(err.Error(), "may take") {
		t.Errorf("a budget of 10 kB: %v", err)
	}
	if _, err := sklearn.Read(t.Context(), "m.skops", file, file.Size(), data.NewBudget(10_000_000)); err != nil {
		t.Error(err)
	}
}

// FuzzRead: any tree around the arrays of a real file is a model or an error.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"krr_mixed", "svc_words", "gpr_sums", "gpc", "kpca", "nystroem_logistic", "ridge_missing", "search"} {
		file := model(f, name, nil)
		z, err := zip.NewReader(file, file.Size())
		if err != nil {
			f.Fatal(err)
		}
		r, err := z.Open("schema.json")
		if err != nil {
			f.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, text)
	}
	f.Fuzz(func(t *testing.T, name string, schema []byte) {
		if _, err := os.Stat("testdata/1.9/" + name + ".skops"); err != nil || strings.ContainsAny(name, "/.") {
			t.Skip("no such file")
		}
		file := changed(t, name, schema)
		m, err := sklearn.Read(t.Context(), "m.skops", file, file.Size(), data.NewBudget(1<<28))
		if err != nil {
			return
		}
		order := make([]int, len(m.Features))
		for j := range order {
			order[j] = j
		}
		e, err := m.Expansion(order, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
	})
}

// changed returns a file with another tree.
func changed(t testing.TB, name string, schema []byte) *bytes.Reader {
	file := model(t, name, nil)
	from, err := zip.NewReader(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, part := range from.File {
		if part.Name == "schema.json" {
			w, err := to.Create(part.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(schema); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := to.Copy(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(out.Bytes())
}
