package engine_test

import (
	"bytes"
	"slices"
	"testing"
)

// searches are those for a kernel and the parameters of a method, with the fit of what they find,
// and paths of λ.
func searches() []made {
	search := func(line []string, flags ...string) []string {
		line = append(slices.Clone(line), "--kernel", "rbf(sigma=?)", "--trials", "2")
		line[0] = "tune"
		return append(line, flags...)
	}
	path := func(method string, flags ...string) []string {
		line := numbers(method, "--kernel", "rbf(sigma=1)", "--landmarks", "20", "--count", "3")
		line[0] = "path"
		return append(line, flags...)
	}
	return []made{
		{name: "tune, krr", line: search(numbers("krr", "--landmarks", "20"))},
		{name: "tune, krr, parts", line: search(numbers("krr", "--random-features", "16", "--criterion", "cv", "--folds", "2"))},
		{name: "tune, klr", line: search(labels("klr", "--landmarks", "10", "--folds", "2", "--grid", "lambda=1e-3:1e-2"))},
		{name: "tune, gp", line: search(numbers("gp", "--landmarks", "10", "--folds", "2", "--grid", "noise=0.1:0.5"))},
		{name: "tune, kfda", line: search(labels("kfda", "--random-features", "16", "--folds", "2", "--grid", "lambda=1e-3:1e-2"))},
		{name: "tune, falkon", line: search(numbers("falkon", "--landmarks", "10", "--folds", "2", "--grid", "lambda=1e-4"))},
		{name: "path, krr", line: path("krr")},
		{name: "path, falkon", line: path("falkon", "--lambda-range", "1e-5,1e-3")},
	}
}

// TestSearchesAreThoseOfMercer compares what searches and paths make of few rows. [TestMatrix] does
// so with more.
func TestSearchesAreThoseOfMercer(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 1500, 3)
	t.Chdir(folder)
	for _, m := range searches() {
		t.Run(m.name, func(t *testing.T) {
			want, err := run(t, nil, m.line...)
			if err != nil {
				t.Fatal(err)
			}
			e := new(counting)
			got, err := run(t, e, m.line...)
			if err != nil {
				t.Fatal(err)
			}
			if e.passes == 0 || !bytes.Equal(got, want) {
				t.Errorf("%d bytes that differ from %d, after %d passes", len(got), len(want), e.passes)
			}
		})
	}
}
