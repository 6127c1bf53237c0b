package mercer_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/learner/methods"
	"example.org/mercer/rkhs/compress"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// A compressed model predicts within its bound, survives its file, and refuses what needs
// the rows that it has lost.
func TestCompress(t *testing.T) {
	table := houses(120, 3)
	m := fit(t, table, spec, "rbf(sigma=2)", krr.Options{Lambda: 1e-3, LOO: true})
	small, lacks, err := m.Compress(background, compress.Options{Tolerance: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(lacks, []string{"leave-one-out residuals"}) {
		t.Errorf("it lacks %q", lacks)
	}
	path := filepath.Join(t.TempDir(), "small.mercer")
	if err := small.Save(background, path); err != nil {
		t.Fatal(err)
	}
	loaded, err := mercer.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loaded.Verify(background, compute.Options{}); err != nil {
		t.Error(err)
	}
	if _, size := loaded.Form(); size >= 120 || size != loaded.Compression.Points || len(loaded.Trained) != size {
		t.Errorf("%d rows of %d, %d names", size, loaded.Compression.Points, len(loaded.Trained))
	}
	before, err := m.Predict(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := loaded.Predict(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	change := 0.0
	for i := range 120 {
		change = math.Max(change, math.Abs(before.Values.At(i, 0)-after.Values.At(i, 0)))
	}
	c := loaded.Compression
	if math.Abs(change-c.Difference[0]) > 1e-9*c.Bound[0] || change > c.Bound[0] || c.Distance[0] > 0.02 {
		t.Errorf("predictions change by %v; the certificate says %+v", change, c)
	}
	first := make([]int, 40)
	for i := range first {
		first[i] = i
	}
	sampled, err := m.Compare(background, loaded, table.Gather(first), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	largest := 0.0
	for i := range 40 {
		largest = math.Max(largest, math.Abs(before.Values.At(i, 0)-after.Values.At(i, 0)))
	}
	if sampled.Rows != 40 || len(sampled.Difference) != 1 || math.Abs(sampled.Difference[0]-largest) > 1e-12*300 {
		t.Errorf("on a sample of 40 rows predictions change by %v; %+v", largest, sampled)
	}
	if _, _, err := loaded.Intervals(background, after, 0.9, krr.JackknifePlus, compute.Options{}); err == nil || !strings.Contains(err.Error(), "was compressed") {
		t.Errorf("intervals: %v", err)
	}
	if e, err := loaded.Explain(background, after, mercer.ExplainOptions{Rows: []int{1}}, compute.Options{}); err != nil || len(e) != 1 || e[0].Parts[0].Removal != nil {
		t.Errorf("explanation %+v, %v", e, err)
	}
}

// A model that keeps sums over its rows is compressed without them, and says so.
func TestCompressDropsSums(t *testing.T) {
	m := TypedFunction(t, inFeatures(t, estates(60, 3), "rbf(sigma=2)", 12, 0), methods.KRR{Options: krr.Options{Lambda: 1e-3}, Updatable: true})
	small, lacks, err := m.Compress(background, compress.Options{Points: 5})
	if err != nil || !slices.Equal(lacks, []string{"sums of rows that come and go"}) {
		t.Fatalf("it lacks %q, %v", lacks, err)
	}
	if _, err := small.Adding(estates(3, 4)); err == nil || !strings.Contains(err.Error(), "was compressed") {
		t.Errorf("an update: %v", err)
	}
}

// A machine that was compressed is no model of LIBSVM, and one in primal form has no rows.
func TestCompressRefuses(t *testing.T) {
	table := houses(60, 3)
	primal := fit(t, table, spec, "linear", krr.Options{Lambda: 1e-3, Solver: krr.Primal})
	if _, _, err := primal.Compress(background, compress.Options{Points: 3}); err == nil || !strings.Contains(err.Error(), "primal form") {
		t.Errorf("primal: %v", err)
	}
	p, err := task.New(background, table, spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.SVR{Options: svm.Options{C: 1}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	small, _, err := m.Compress(background, compress.Options{Points: 5})
	if err != nil {
		t.Fatal(err)
	}
	if err := small.WriteLIBSVM(new(strings.Builder), false); err == nil || !strings.Contains(err.Error(), "was compressed") {
		t.Errorf("LIBSVM: %v", err)
	}
}
