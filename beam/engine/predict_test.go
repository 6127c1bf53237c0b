package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/mercer/beam/engine"
	"example.org/mercer/cmd/mercer/command"
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
			fit := slices.Clone(args)
			if args[0] != "fit" { // the output has the lines of the rows
				fit = append(fit, "--model", model)
			}
			content, err := run(t, nil, fit...)
			if err == nil && args[0] == "fit" {
				err = os.WriteFile(model, content, 0o600)
			}
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
				sameScores(t, []string{"eval", model, "rows*.csv"})
			}
		})
	}
}

// sameScores compares what a command prints with an engine and without.
func sameScores(t *testing.T, args []string) {
	t.Helper()
	var want, got, stderr bytes.Buffer
	if code := command.Main(t.Context(), nil, slices.Clone(args), nil, &want, &stderr); code != 0 {
		t.Fatalf("%v ends with %d: %s", args, code, stderr.String())
	}
	e := new(engine.Engine)
	code := command.Main(t.Context(), e, slices.Clone(args), nil, &got, &stderr)
	if err := e.Close(); code != 0 || err != nil {
		t.Fatalf("%v ends with %d: %v: %s", args, code, err, stderr.String())
	}
	if want.Len() == 0 || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("eval prints\n%s\nand elsewhere\n%s", want.String(), got.String())
	}
}
