package mercer_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// models fits one model of every kind that a file can hold.
func models(t testing.TB, dir string) map[string]*mercer.Model {
	t.Helper()
	table := houses(60, 3)
	build := func(s prep.Spec, kernel string, o krr.Options) *mercer.Model {
		p, err := task.New(background, table, s, kernel)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.KRR{Options: o}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	labels := prep.Spec{Targets: []string{"kind", "price"}, ID: "id", Drop: []string{"weight"}}
	p, err := task.New(background, table, spec, "rbf(sigma=median)")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "K.npy")
	if _, err := p.WriteGram(background, file, task.GramOptions{}, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	return map[string]*mercer.Model{
		"dual":   build(spec, "0.5*rbf(sigma=median)[size,age] + rbf(sigma=1)[kind] + 0.1", krr.Options{Lambda: 1e-3, LOO: true}),
		"primal": build(spec, "linear", krr.Options{Lambda: 1e-3}),
		"labels": build(labels, "rbf(sigma=median)", krr.Options{Lambda: 1e-3, NoIntercept: true}),
		"ids":    build(spec, "gram(file="+quote(file)+")", krr.Options{Lambda: 1e-3, LOO: true}),
	}
}

func quote(text string) string { return `"` + strings.ReplaceAll(text, `\`, `\\`) + `"` }

// TestSaveLoad: a loaded model says what the saved one said, bit for bit, and can
// verify itself.
func TestSaveLoad(t *testing.T) {
	dir := t.TempDir()
	table := houses(60, 3)
	for name, m := range models(t, dir) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name+".mercer")
			if err := m.Save(background, path); err != nil {
				t.Fatal(err)
			}
			back, err := mercer.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			if back.Kernel() != m.Kernel() || back.Version != m.Version || back.NoIntercept != m.NoIntercept {
				t.Errorf("the model came back as %q by %s (no intercept: %v), was %q by %s (%v)",
					back.Kernel(), back.Version, back.NoIntercept, m.Kernel(), m.Version, m.NoIntercept)
			}
			want, got := predict(t, m, table), predict(t, back, table)
			if !slices.Equal(got.Values.RawMatrix().Data, want.Values.RawMatrix().Data) {
				t.Error("predictions differ after loading")
			}
			v, err := back.Verify(background, compute.Options{})
			if err != nil || v.Rows == 0 || v.Worst != 0 {
				t.Errorf("verification: %+v, %v", v, err)
			}
			if form, _ := back.Form(); form == "dual" && !slices.Equal(back.Trained[:2], []string{"h0", "h1"}) {
				t.Errorf("the training rows are called %q", back.Trained[:2])
			}
		})
	}
}

// TestSameFitSameBytes: fitting again, with any number of workers, gives the same file.
func TestSameFitSameBytes(t *testing.T) {
	dir := t.TempDir()
	var first []byte
	for _, workers := range []int{1, 2, 3, 8} {
		path := filepath.Join(dir, "m.mercer")
		o := krr.Options{Lambda: 1e-3, LOO: true, Compute: compute.Options{Workers: workers}}
		if err := fit(t, houses(300, 3), spec, "rbf(sigma=median) + linear", o).Save(background, path); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = raw
		}
		if !slices.Equal(raw, first) {
			t.Errorf("%d workers made another file than 1", workers)
		}
	}
}

// TestVerifyOfSinglePrecision: the self-test rows of a model fitted in single precision are
// predicted in double precision, as they are when it is verified.
func TestVerifyOfSinglePrecision(t *testing.T) {
	o := krr.Options{Lambda: 1e-3, Compute: compute.Options{Precision: compute.Single}}
	m := fit(t, houses(60, 3), spec, "rbf(sigma=median)", o)
	for _, precision := range []compute.Precision{compute.Double, compute.Single} {
		v, err := reload(t, m).Verify(background, compute.Options{Precision: precision})
		if err != nil || v.Rows == 0 {
			t.Errorf("verified in %s precision: %+v, %v", precision, v, err)
		}
	}
}

// TestVerifyNotices: another function under the same self-test rows is an error.
func TestVerifyNotices(t *testing.T) {
	dir := t.TempDir()
	m := fit(t, houses(40, 3), spec, "rbf(sigma=median)", krr.Options{Lambda: 1e-3})
	other := fit(t, houses(40, 3), spec, "rbf(sigma=median)", krr.Options{Lambda: 1e-2})
	mercer.SwapSelfTest(m, other)
	path := filepath.Join(dir, "m.mercer")
	if err := m.Save(background, path); err != nil {
		t.Fatal(err)
	}
	back, err := mercer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := back.Verify(background, compute.Options{}); err == nil {
		t.Errorf("self-test rows of another model were verified: %+v", v)
	}
}

// TestDecodeRefuses: a sound container whose parts do not fit together is refused.
func TestDecodeRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.mercer")
	if err := fit(t, houses(30, 3), spec, "rbf(sigma=median)[size,age]", krr.Options{Lambda: 1e-3, LOO: true}).Save(background, path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`\"method\":\"krr\"`, `\"method\":\"svm\"`, `method "svm"`},
		{`\"points\":\"vectors\"`, `\"points\":\"strings\"`, `"strings"`},
		{`\"points\":\"vectors\"`, `\"points\":\"ids\"`, ``},
		{`\"form\":\"dual\"`, `\"form\":\"primal\"`, ``},
		{`\"form\":\"dual\"`, `\"form\":\"third\"`, `"third"`},
		{`[size,age]`, `[size,agf]`, `agf`},
		{`rbf(sigma=`, `rbg(sigma=`, `rbg`},
		{`\"golden\"`, `\"silver\"`, `self-test`},
	} {
		tensors, metadata := mercer.Unpack(t, path)
		text := metadata["model"]
		changed := strings.ReplaceAll(text, strings.ReplaceAll(c.from, `\"`, `"`), strings.ReplaceAll(c.to, `\"`, `"`))
		if changed == text {
			t.Errorf("nothing to change: %s is not in %s", c.from, text)
			continue
		}
		metadata["model"] = changed
		raw := mercer.Pack(t, tensors, metadata)
		if _, err := mercer.Decode("changed.mercer", raw, task.Files{}); err == nil {
			t.Errorf("%s → %s was accepted", c.from, c.to)
		} else if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "changed.mercer") {
			t.Errorf("%s → %s: the error does not name the file and %q: %v", c.from, c.to, c.want, err)
		}
	}
}

// TestDecodeCut: a file cut anywhere, or with any byte changed, is an error and never
// a panic.
func TestDecodeCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.mercer")
	if err := fit(t, houses(8, 3), spec, "rbf(sigma=1)", krr.Options{Lambda: 1e-3}).Save(background, path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 17
	}
	for cut := 0; cut < len(raw); cut += step {
		if _, err := mercer.Decode("cut", raw[:cut], task.Files{}); err == nil {
			t.Fatalf("a file cut at byte %d of %d was accepted", cut, len(raw))
		}
		damaged := slices.Clone(raw)
		damaged[cut] ^= 0x10
		if _, err := mercer.Decode("damaged", damaged, task.Files{}); err == nil {
			t.Fatalf("a file with byte %d changed was accepted", cut)
		}
	}
}

// FuzzDecode puts another description into a sound file. What is accepted makes the same
// bytes whenever it is saved; an error names the file.
func FuzzDecode(f *testing.F) {
	dir := f.TempDir()
	var tensors []map[string]model.Tensor
	for _, name := range []string{"dual", "primal", "labels", "ids"} {
		path := filepath.Join(dir, name+".mercer")
		if err := models(f, dir)[name].Save(background, path); err != nil {
			f.Fatal(err)
		}
		parts, metadata := mercer.Unpack(f, path)
		f.Add(uint8(len(tensors)), metadata["model"])
		tensors = append(tensors, parts)
	}
	f.Add(uint8(0), `{}`)
	f.Fuzz(func(t *testing.T, which uint8, card string) {
		parts := tensors[int(which)%len(tensors)]
		raw, err := model.Encode(parts, map[string]string{"model": card, model.KeyVersion: model.Version})
		if err != nil {
			return // no text that metadata can hold
		}
		m, err := mercer.Decode("fuzz.mercer", raw, task.Files{})
		if err != nil {
			if !strings.Contains(err.Error(), "fuzz.mercer") {
				t.Fatalf("an error without the file: %v", err)
			}
			return
		}
		_, _ = m.Verify(background, compute.Options{Workers: 1})
		first := saved(t, m)
		if m, err = mercer.Decode("again", first, task.Files{}); err != nil {
			t.Fatalf("what was saved cannot be read: %v", err)
		}
		if !slices.Equal(saved(t, m), first) {
			t.Fatal("a model that was read back is saved with other bytes")
		}
	})
}

// Missing cells of training rows are missing in the model that comes back.
func TestMissingCellsAreStored(t *testing.T) {
	nan := math.NaN()
	table := &data.Table{Source: "holes", Headed: true, Columns: []data.Column{
		{Name: "a", Numbers: []float64{1, nan, 2, 4, 3, 7}, Missing: []bool{false, true, false, false, false, false}},
		{Name: "b", Numbers: []float64{nan, 5, nan, 4, 1, 0}, Missing: []bool{true, false, true, false, false, false}},
		{Name: "dna", Kind: data.Text, Strings: []string{"ACG", "AC", "TTT", "GA", "C", "CC"}},
		{Name: "y", Numbers: []float64{1, 2, 0, 4, 3, 1}},
	}}
	for _, kernel := range []string{"rbf(sigma=1, nan=ignore)", "rbf(sigma=1, nan=penalise)[a] + linear(nan=ignore)[b] + 0.1*spectrum(k=1)[dna]"} {
		p, err := task.New(background, table, prep.Spec{Targets: []string{"y"}}, kernel)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: 0.1}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "m.mercer")
		if err := m.Save(background, path); err != nil {
			t.Fatal(err)
		}
		back, err := mercer.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Predict(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := back.Predict(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.Values, want.Values) {
			t.Errorf("%s: %v after loading, %v before", kernel, mat.Formatted(got.Values.T()), mat.Formatted(want.Values.T()))
		}
	}
}
