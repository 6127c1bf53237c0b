package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/mercer/beam/engine"
)

// TestPredictionsAreThoseOfMercer: models of few rows, and what predict writes of each, are the
// same files, made by workers: values, labels, probabilities, intervals, clusters and components;
// and so are the scores of eval.
func TestPredictionsAreThoseOfMercer(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 1500, 3)
	t.Chdir(folder)
	beside := map[string][]string{"gp": {"--interval", "0.9"}, "gp, tuned": {"--interval", "0.5"}}
	for name, args := range fits {
		t.Run(name, func(t *testing.T) {
			model := filepath.Join(t.TempDir(), "model.mercer")
			content, err := trained(t, args, model)
			if err != nil {
				t.Fatal(err)
			}
			elsewhere, err := run(t, new(engine.Engine), args...)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(elsewhere, content) {
				t.Error("workers make another model")
			}
			predict := append([]string{"predict", model, "rows*.csv"}, beside[name]...)
			want, err := run(t, nil, predict...)
			if err != nil {
				t.Fatal(err)
			}
			staging := t.TempDir()
			got, err := run(t, new(engine.Engine), append(predict, "--staging", staging)...)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) || bytes.Count(want, []byte("\n")) < 1000 {
				t.Errorf("other predictions, or few: %d bytes, and %d elsewhere", len(want), len(got))
			}
			if jobs, err := os.ReadDir(staging); err != nil || len(jobs) == 0 {
				t.Errorf("no worker was asked: %v", err)
			}
			if slices.Contains(args, "--target") {
				line := []string{"eval", model, "rows*.csv"}
				want, err := run(t, nil, line...)
				if err != nil {
					t.Fatal(err)
				}
				got, err := run(t, new(engine.Engine), line...)
				if err != nil || len(want) == 0 || !bytes.Equal(got, want) {
					t.Errorf("eval prints\n%s\nand elsewhere\n%s, %v", want, got, err)
				}
			}
		})
	}
}
