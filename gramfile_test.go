package mercer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// TestGramComesBack: a written Gram matrix in every form is the same kernel on ids,
// and a model on it predicts as the model on the vectors does.
func TestGramComesBack(t *testing.T) {
	table, fresh := houses(25, 9), houses(4, 10)
	for i := range fresh.Columns[0].Strings {
		fresh.Columns[0].Strings[i] = "new" + fresh.Columns[0].Strings[i]
	}
	const kernel = "rbf(sigma=2)"
	p, err := task.New(background, table, spec, kernel)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	if err := gram.Rect(background, &want, p.Pairs(), compute.Options{}); err != nil {
		t.Fatal(err)
	}
	direct := fit(t, table, spec, kernel, krr.Options{Lambda: 1e-3})
	for _, o := range []task.GramOptions{{}, {Packed: true}, {Float32: true}, {Packed: true, Float32: true}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "K.npy")
		made, err := p.WriteGram(background, path, o, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() != made.Bytes {
			t.Errorf("%+v: the file has %d bytes, said %d (%v)", o, info.Size(), made.Bytes, err)
		}
		testkit.Close(t, "trace", made.Trace, mat.Trace(&want), 1e-14)
		k, err := task.ReadGram(path, path)
		if err != nil {
			t.Fatal(err)
		}
		// A float32 is within 2^-24 of the number, and no element exceeds 1.
		tol := 0.0
		if o.Float32 {
			tol = 1.0 / (1 << 24)
		}
		for i, a := range k.RowIDs() {
			for j, b := range k.RowIDs() {
				testkit.Close(t, "k("+a+","+b+")", k.Eval(a, b), want.At(i, j), tol)
			}
		}
		m := fit(t, table, spec, "gram(file="+quote(path)+")", krr.Options{Lambda: 1e-3})
		if _, err := m.Predict(background, fresh, compute.Options{}); err == nil || !strings.Contains(err.Error(), "newh0") {
			t.Errorf("ids that the matrix does not have: %v", err)
		}
		cross := filepath.Join(dir, "C.npy")
		if _, err := p.WriteCrossGram(background, cross, fresh, task.GramOptions{Float32: o.Float32}, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "m.mercer")
		if err := m.Save(background, file); err != nil {
			t.Fatal(err)
		}
		back, err := mercer.LoadWith(file, task.Files{Gram: cross})
		if err != nil {
			t.Fatal(err)
		}
		// Rounding K to float32 moves predictions by about cond·2^-24 ≈ 25/0.025·6e-8.
		testkit.CloseSlice(t, "predictions", predict(t, back, fresh).Values.RawMatrix().Data, predict(t, direct, fresh).Values.RawMatrix().Data, max(1e-10, 1e4*tol))
	}
}

// TestMissingPairIsAnError: a rectangular matrix that knows a new row but not against
// every training row must not give a prediction.
func TestMissingPairIsAnError(t *testing.T) {
	dir := t.TempDir()
	table := houses(6, 9)
	p, err := task.New(background, table, spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	path, part := filepath.Join(dir, "K.npy"), filepath.Join(dir, "P.npy")
	if _, err := p.WriteGram(background, path, task.GramOptions{}, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	few, err := task.New(background, table.Gather([]int{0, 1, 2}), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := few.WriteCrossGram(background, part, table, task.GramOptions{}, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(dir, "m.mercer")
	if err := fit(t, table, spec, "gram(file="+quote(path)+")", krr.Options{Lambda: 1e-3}).Save(background, model); err != nil {
		t.Fatal(err)
	}
	m, err := mercer.LoadWith(model, task.Files{Gram: part})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(background, table, compute.Options{}); err == nil || !strings.Contains(err.Error(), "h3") && !strings.Contains(err.Error(), "h0") {
		t.Errorf("a prediction from half of a matrix: %v", err)
	}
}

// TestGramRefuses: files that are not what a name promises.
func TestGramRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := task.ReadGram(filepath.Join(dir, "no.npy"), ""); err == nil {
		t.Error("a missing file was read")
	}
	p, err := task.New(background, houses(5, 9), spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.WriteGram(background, filepath.Join(dir, "K.csv"), task.GramOptions{}, compute.Options{}); err == nil || !strings.Contains(err.Error(), ".npy") {
		t.Errorf("a name without .npy: %v", err)
	}
	path := filepath.Join(dir, "K.npy")
	if _, err := p.WriteGram(background, path, task.GramOptions{}, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "K.rows.txt"), []byte("a\nb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := task.ReadGram(path, path); err == nil || !strings.Contains(err.Error(), "2 row ids") {
		t.Errorf("two ids for five rows: %v", err)
	}
}
