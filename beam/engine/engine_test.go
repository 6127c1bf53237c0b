package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"example.org/mercer/beam/engine"
	"example.org/mercer/cmd/mercer/command"
)

// TestMain lets a runner start the tests as a worker.
func TestMain(m *testing.M) {
	engine.Worker(os.Args[1:])
	beam.Init()
	drive()
	serve()
	os.Exit(m.Run())
}

// tableLines are the rows of a table of five columns.
func tableLines(rows int) (lines []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		y, label := math.Sin(2*a)+b*b+0.1*rng.NormFloat64(), "low"
		if y > 1 {
			label = "high"
		}
		lines = append(lines, fmt.Sprintf("%.6g,%.6g,%s,%.6g,%s\n", a, b, []string{"red", "green", ""}[i%50%3], y, label))
	}
	return lines
}

// writeLines writes rows into so many files whose names begin so.
func writeLines(t *testing.T, begin string, lines []string, shards int) {
	t.Helper()
	for s := range shards {
		text := "a,b,kind,y,label\n" + strings.Join(lines[len(lines)*s/shards:len(lines)*(s+1)/shards], "")
		if err := os.WriteFile(fmt.Sprintf("%s-%02d.csv", begin, s), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// writeShards writes a table into so many files.
func writeShards(t *testing.T, folder string, rows, shards int) {
	t.Helper()
	writeLines(t, filepath.Join(folder, "rows"), tableLines(rows), shards)
}

// closing is an engine that a run closes at its end.
type closing interface {
	command.Engine
	Close() error
}

// run runs a command line with an engine, or with none (nil), and returns the file that it
// makes, or what it prints where it makes none.
func run(t *testing.T, e closing, args ...string) ([]byte, error) {
	t.Helper()
	var by command.Engine
	if e != nil {
		by = e
		defer func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	var stdout, stderr bytes.Buffer
	file := filepath.Join(t.TempDir(), "m.mercer")
	switch args = slices.Clone(args); args[0] {
	case "eval":
	case "path":
		args = append(args, "--json")
	default:
		args = append(args, "-o", file)
	}
	if code := command.Main(t.Context(), by, args, nil, &stdout, &stderr); code != 0 {
		return nil, fmt.Errorf("%v ends with %d: %s", args, code, stderr.String())
	}
	switch args[0] {
	case "eval":
		return stdout.Bytes(), nil
	case "path":
		return untimed(stdout.Bytes())
	}
	return os.ReadFile(file)
}

// untimed returns what is printed of a path without the times and stages of its fits.
func untimed(printed []byte) ([]byte, error) {
	var path map[string]any
	if err := json.Unmarshal(printed, &path); err != nil {
		return nil, err
	}
	for _, p := range path["points"].([]any) {
		for _, name := range []string{"seconds", "stages"} {
			delete(p.(map[string]any), name)
		}
	}
	return json.Marshal(path)
}

var fits = map[string][]string{
	"krr":         {"fit", "krr", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "poly(degree=2, offset=1)", "--lambda", "1e-3"},
	"krr, random": {"fit", "krr", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--random-features", "64", "--lambda", "1e-3"},
	"falkon":      {"fit", "falkon", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "50", "--lambda", "1e-5"},
	"pca":         {"embed", "pca", "rows*.csv", "--drop", "label", "--missing", "drop", "--components", "2"},
	"kpca":        {"embed", "kpca", "rows*.csv", "--drop", "label", "--missing", "drop", "--components", "2", "--kernel", "rbf(sigma=1)", "--landmarks", "30"},
	"kmeans":      {"cluster", "kmeans", "rows*.csv", "--drop", "label", "--missing", "drop", "--clusters", "3", "--restarts", "2", "--iterations", "6"},
	"gmm":         {"cluster", "gmm", "rows*.csv", "--drop", "label", "--missing", "drop", "--clusters", "2", "--restarts", "2", "--iterations", "5"},
	"spectral":    {"cluster", "spectral", "rows*.csv", "--drop", "label", "--missing", "drop", "--clusters", "3", "--kernel", "rbf(sigma=1)", "--landmarks", "30"},
	"svc":         {"fit", "svc", "rows*.csv", "--target", "label", "--drop", "y", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "30", "--C", "1"},
	"svr":         {"fit", "svr", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--random-features", "32", "--C", "1"},
	"one-class":   {"fit", "one-class", "rows*.csv", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "20", "--nu", "0.1"},
	"gp":          {"fit", "gp", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "30", "--noise", "0.1"},
	"gp, tuned":   {"fit", "gp", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "20", "--noise", "0.1", "--optimize"},
	"kernel-k":    {"cluster", "kernel-kmeans", "rows*.csv", "--drop", "label", "--missing", "drop", "--clusters", "3", "--restarts", "2", "--iterations", "6", "--kernel", "rbf(sigma=1)", "--landmarks", "20"},
	"structured":  {"fit", "structured", "rows*.csv", "--target", "label", "--answer", "set", "--drop", "y", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "20", "--lambda", "1e-3"},
	"gpc":         {"fit", "gpc", "rows*.csv", "--target", "label", "--drop", "y", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "20", "--scale", "4"},
	"erm":         {"fit", "erm", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "20", "--lambda", "1e-3", "--loss", "huber"},
	"quantiles":   {"fit", "quantiles", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "20", "--lambda", "1e-3"},
	"kfda":        {"fit", "kfda", "rows*.csv", "--target", "label", "--drop", "y", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "20"},
	"klr":         {"fit", "klr", "rows*.csv", "--target", "label", "--drop", "y", "--missing", "drop", "--kernel", "rbf(sigma=1)", "--landmarks", "30", "--lambda", "1e-3"},

	"svc, poly":       {"fit", "svc", "rows*.csv", "--target", "label", "--drop", "y", "--missing", "drop", "--kernel", "poly(degree=2, offset=1)", "--C", "1"},
	"svr, poly":       {"fit", "svr", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "poly(degree=2, offset=1)", "--C", "1"},
	"one-class, poly": {"fit", "one-class", "rows*.csv", "--drop", "label", "--missing", "drop", "--kernel", "poly(degree=2, offset=1)", "--nu", "0.1"},
}

// TestModelsAreThoseOfMercer compares model files byte by byte, for several numbers of shards
// and of pieces at a time, with workers in this process and in others. [TestMatrix] does so with
// more.
func TestModelsAreThoseOfMercer(t *testing.T) {
	for name, args := range fits {
		t.Run(name, func(t *testing.T) {
			if slices.Contains([]string{"gp, tuned", "gpc", "erm", "quantiles", "kfda", "structured", "kernel-k"}, name) {
				t.Skip("TestPredictionsAreThoseOfMercer fits it to fewer rows")
			}
			var want []byte
			for _, shards := range []int{1, 7, 32} {
				if shards == 32 && name != "krr" {
					continue
				}
				folder := t.TempDir()
				writeShards(t, folder, 20000, shards)
				t.Chdir(folder)
				got, err := run(t, nil, args...)
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got
				}
				if !bytes.Equal(got, want) {
					t.Errorf("mercer with %d shards has another model", shards)
				}
				for _, flags := range [][]string{{"--threads", "2"}, {"--threads", "1"}, {"--threads", "4"}, {"--environment", "process"}} {
					many := !strings.HasPrefix(name, "krr") // passes
					if many && flags[1] != "2" {
						continue
					}
					got, err := run(t, new(engine.Engine), slices.Concat(args, flags)...)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%d shards, %v: another model", shards, flags)
					}
				}
			}
		})
	}
}

// TestShardsAreCompiledByWorkers: compiled files are those of mercer, byte for byte, where a
// shard has no rows and one makes a column of numbers a column of words, by workers in this
// process and in others; and a bad cell has its file and line. A second run finds the
// compiled files.
func TestShardsAreCompiledByWorkers(t *testing.T) {
	args := []string{"fit", "krr", "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--kernel", "linear()", "--lambda", "1e-3"}
	folder := t.TempDir()
	writeShards(t, folder, 3000, 7)
	t.Chdir(folder)
	for name, text := range map[string]string{"rows-03.csv": "a,b,kind,y,label\n", "rows-05.csv": "a,b,kind,y,label\nlarge,1,red,2,low\n3,1,red,2,low\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := run(t, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	made := compiledFiles(t)
	if len(made) < 11 { // two for each shard that is compiled again
		t.Errorf("%d compiled files", len(made))
	}
	for _, flags := range [][]string{{"--threads", "2"}, {"--environment", "process"}} {
		got, err := run(t, new(engine.Engine), slices.Concat(args, flags)...)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%v: another model", flags)
		}
		files := compiledFiles(t)
		if len(files) != len(made) {
			t.Errorf("%v: %d compiled files, and %d without workers", flags, len(files), len(made))
		}
		for path, content := range made {
			if !bytes.Equal(files[path], content) {
				t.Errorf("%v: %s is another file", flags, path)
			}
		}
	}
	if err := os.WriteFile("rows-05.csv", []byte("a,b,kind,y,label\n1,1,red,2,low\n1,1,red,two,low\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, problem := run(t, nil, append(slices.Clone(args), "--type", "y=numeric")...)
	_, err = run(t, new(engine.Engine), append(slices.Clone(args), "--type", "y=numeric")...)
	if err == nil || problem == nil || !strings.Contains(err.Error(), "rows-05.csv: line 3, column 4 (y)") || told(err) != told(problem) {
		t.Errorf("a bad cell: %v, and %v without workers", err, problem)
	}
}

// told is the error that a command ends with, whichever it is.
func told(err error) string {
	_, text, _ := strings.Cut(strings.ReplaceAll(err.Error(), "mercer-beam: ", "mercer: "), "mercer: ")
	return text
}

// compiledFiles reads the compiled files of the working folder, and removes them.
func compiledFiles(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	paths, err := filepath.Glob("*.mercer-table")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if out[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestModelsThatTakeRows: a model that keeps sums of its rows, the one that rows were added to, and
// the one that they were taken from again, are those of mercer, with sums by workers.
func TestModelsThatTakeRows(t *testing.T) {
	fits := map[string][]string{
		"poly":      {"krr", "--kernel", "poly(degree=2, offset=1)"},
		"features":  {"krr", "--kernel", "rbf(sigma=1)", "--random-features", "32"},
		"landmarks": {"krr", "--kernel", "rbf(sigma=1)", "--landmarks", "20"},
		"falkon":    {"falkon", "--kernel", "rbf(sigma=1)", "--landmarks", "20"},
	}
	folder := t.TempDir()
	writeShards(t, folder, 30000, 7)
	t.Chdir(folder)
	for i := range 3 {
		if err := os.Rename(fmt.Sprintf("rows-%02d.csv", i), fmt.Sprintf("more-%02d.csv", i)); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range fits {
		t.Run(name, func(t *testing.T) {
			way := func(e func() closing) (models [3][]byte) {
				lines := [][]string{
					slices.Concat([]string{"fit", args[0], "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--lambda", "1e-3", "--updatable"}, args[1:]),
					{"update", "0.mercer", "more*.csv"}, {"forget", "1.mercer", "more*.csv"},
				}
				if e() == nil {
					lines[0] = append(lines[0], "--out-of-core")
				}
				for i, line := range lines {
					m, err := run(t, e(), line...)
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(fmt.Sprint(i, ".mercer"), m, 0o600); err != nil {
						t.Fatal(err)
					}
					models[i] = m
				}
				return models
			}
			want := way(func() closing { return nil })
			got := way(func() closing { return new(engine.Engine) })
			for i := range want {
				if !bytes.Equal(got[i], want[i]) {
					t.Errorf("model %d is another", i)
				}
			}
		})
	}
}

// TestAShardVanishes ends with an error that names it, and a run with the shard back and the
// same staging folder goes on to the model of an undisturbed one.
func TestAShardVanishes(t *testing.T) {
	folder, staging := t.TempDir(), t.TempDir()
	writeShards(t, folder, 30000, 7)
	t.Chdir(folder)
	args := fits["krr"]
	want, err := run(t, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := filepath.Glob("rows-05.csv.*.mercer-table")
	if err != nil || len(compiled) != 1 {
		t.Fatalf("%q: %v", compiled, err)
	}
	e := &vanishing{path: filepath.Join(folder, compiled[0]), to: filepath.Join(t.TempDir(), "kept")}
	var stdout, stderr bytes.Buffer
	code := command.Main(t.Context(), e, append(slices.Clone(args), "--staging", staging, "-o", filepath.Join(staging, "m.mercer")), nil, &stdout, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "rows-05.csv") || strings.Contains(stderr.String(), "panic") {
		t.Fatalf("without a shard: %d: %s", code, stderr.String())
	}
	if _, err := os.Stat(filepath.Join(staging, "m.mercer")); err == nil {
		t.Error("there is a model")
	}
	if err := os.Rename(e.to, e.path); err != nil {
		t.Fatal(err)
	}
	got, err := run(t, new(engine.Engine), append(slices.Clone(args), "--staging", staging)...)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("another model")
	}
}

// TestFlags are refused with what is wrong with each.
func TestFlags(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 100, 1)
	t.Chdir(folder)
	_, err := run(t, new(engine.Engine), append(slices.Clone(fits["krr"]), "--runner", "flint", "--environment", "cloud", "--threads", "-1", "--job-name", "two words")...)
	for _, word := range []string{"flint", "cloud", "--threads", "two words"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not told: %v", word, err)
		}
	}
	_, err = run(t, new(engine.Engine), append(slices.Clone(fits["krr"]), "--runner", "flink")...)
	for _, word := range []string{"--endpoint", "--staging"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not told: %v", word, err)
		}
	}
}

// TestCancel ends a run within the pass.
func TestCancel(t *testing.T) {
	folder := t.TempDir()
	writeShards(t, folder, 1000, 1)
	t.Chdir(folder)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := new(engine.Engine)
	var stdout, stderr bytes.Buffer
	if code := command.Main(ctx, e, append(slices.Clone(fits["krr"]), "-o", "m.mercer"), nil, &stdout, &stderr); code != 130 {
		t.Errorf("ends with %d: %s", code, stderr.String())
	}
}
