package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/mercer/cmd/mercer/command"
)

// TestRowsArePreparedByWorkers: with several runs of rows a fit has two jobs more, and so has a
// prediction; and models and predictions are those of mercer, from one file and from seven.
func TestRowsArePreparedByWorkers(t *testing.T) {
	var want, predicted []byte
	for _, shards := range []int{1, 7} {
		folder := t.TempDir()
		writeShards(t, folder, 140_000, shards)
		t.Chdir(folder)
		fit := []string{"fit", "krr", "rows*.csv", "--target", "label", "--drop", "y", "--missing", "indicator", "--kernel", "linear()", "--lambda", "1e-3"}
		got, err := run(t, nil, fit...)
		if err != nil {
			t.Fatal(err)
		}
		model := filepath.Join(folder, "model")
		if err := os.WriteFile(model, got, 0o600); err != nil {
			t.Fatal(err)
		}
		values, err := run(t, nil, "predict", model, "rows*.csv")
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want, predicted = got, values
		}
		for name, args := range map[string][]string{"fit": fit, "predict": {"predict", model, "rows*.csv"}} {
			out := filepath.Join(t.TempDir(), "out")
			var stdout, stderr bytes.Buffer
			e := new(counting)
			code := command.Main(t.Context(), e, append(slices.Clone(args), "-o", out), nil, &stdout, &stderr)
			if err := e.Close(); code != 0 || err != nil {
				t.Fatalf("%s ends with %d, %v: %s", name, code, err, stderr.String())
			}
			content, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if name == "fit" && !bytes.Equal(content, want) || name == "predict" && !bytes.Equal(content, predicted) {
				t.Errorf("%d shards: %s has another result", shards, name)
			}
			if e.passes < 4 { // compilation, what is learned, what is encoded, and a pass
				t.Errorf("%d shards: %s has %d jobs", shards, name, e.passes)
			}
		}
	}
}
