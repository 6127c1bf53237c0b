package engine_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/mercer/beam/engine"
	"example.org/mercer/distributed"
)

// made is what a command line makes: a model, a table of predictions, or printed scores.
type made struct {
	name   string
	before [][]string // lines by which mercer makes the model that model stands for
	line   []string
}

// model stands for the file of a model in a line.
const model = "MODEL"

// numbers and labels are lines that fit a method to the columns of numbers or of labels.
func numbers(method string, flags ...string) []string {
	return slices.Concat([]string{"fit", method, "rows*.csv", "--target", "y", "--drop", "label", "--missing", "drop"}, flags)
}

func labels(method string, flags ...string) []string {
	return slices.Concat([]string{"fit", method, "rows*.csv", "--target", "label", "--drop", "y", "--missing", "drop"}, flags)
}

// inFeatures are fits in explicit features: a small map of the kernel, and random ones.
func inFeatures() (out []made) {
	small, random := []string{"--kernel", "poly(degree=2, offset=1)"}, []string{"--kernel", "rbf(sigma=1)", "--random-features", "16"}
	for name, features := range map[string][]string{"small map": small, "random": random} {
		for method, line := range map[string][]string{
			"klr":        labels("klr", "--lambda", "1e-2"),
			"erm":        numbers("erm", "--lambda", "1e-1", "--loss", "squared"),
			"quantiles":  numbers("quantiles", "--lambda", "100", "--taus", "0.5"),
			"kfda":       labels("kfda"),
			"gpc":        labels("gpc"),
			"structured": labels("structured", "--answer", "set", "--lambda", "1e-3"),
		} {
			out = append(out, made{name: method + ", " + name, line: slices.Concat(line, features)})
		}
	}
	return append(out, made{name: "krr, linear", line: numbers("krr", "--kernel", "linear()", "--lambda", "1e-3")})
}

// updates are a model that takes rows, and one that rows are taken from again, of each kind that
// keeps sums.
func updates() (out []made) {
	for name, line := range map[string][]string{
		"small map": numbers("krr", "--kernel", "poly(degree=2, offset=1)"),
		"random":    numbers("krr", "--kernel", "rbf(sigma=1)", "--random-features", "16"),
		"landmarks": numbers("krr", "--kernel", "rbf(sigma=1)", "--landmarks", "20"),
		"falkon":    numbers("falkon", "--kernel", "rbf(sigma=1)", "--landmarks", "20"),
	} {
		line = append(line, "--lambda", "1e-3", "--updatable")
		update := []string{"update", model, "more*.csv"}
		out = append(out,
			made{name: "updatable, " + name, line: line},
			made{name: "update, " + name, before: [][]string{line}, line: update},
			made{name: "forget, " + name, before: [][]string{line, update}, line: []string{"forget", model, "more*.csv"}})
	}
	return out
}

// manyPasses are those of the matrix that take a hundred passes or more.
var manyPasses = []string{"gp, tuned", "quantiles, random", "quantiles, small map", "tune, falkon", "tune, klr", "path, falkon", "svc", "svr", "one-class", "erm", "quantiles"}

// matrix is all that is made on an engine and by mercer alone, in the order of names, and what has
// many passes at the end.
func matrix() []made {
	out := slices.Concat(inFeatures(), updates(), searches())
	beside := map[string][]string{"gp": {"--interval", "0.9"}, "gp, tuned": {"--interval", "0.5"}}
	for name, line := range fits {
		out = append(out,
			made{name: name, line: line},
			made{name: "predict, " + name, before: [][]string{line}, line: append([]string{"predict", model, "rows*.csv"}, beside[name]...)})
		if slices.Contains(line, "--target") {
			out = append(out, made{name: "eval, " + name, before: [][]string{line}, line: []string{"eval", model, "rows*.csv"}})
		}
	}
	slices.SortFunc(out, func(a, b made) int {
		return cmp.Or(slices.Index(manyPasses, a.name)-slices.Index(manyPasses, b.name), strings.Compare(a.name, b.name))
	})
	return out
}

// tables are folders with the same rows in 1, 7 and 32 shards, and a tenth as many more rows.
func tables(t *testing.T, rows int) map[int]string {
	t.Helper()
	out, lines := map[int]string{}, tableLines(rows+rows/10)
	for _, shards := range []int{1, 7, 32} {
		out[shards] = t.TempDir()
		writeLines(t, filepath.Join(out[shards], "rows"), lines[:rows], shards)
		writeLines(t, filepath.Join(out[shards], "more"), lines[rows:], 1)
	}
	return out
}

// trained writes the model of a line that mercer runs to a file, and returns what else it made.
func trained(t *testing.T, line []string, path string) (content []byte, err error) {
	t.Helper()
	if slices.Contains([]string{"embed", "cluster"}, line[0]) { // the output has the lines of the rows
		return run(t, nil, append(slices.Clone(line), "--model", path)...)
	}
	if content, err = run(t, nil, line...); err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	return content, err
}

// counting is an engine that counts its passes, and the pieces of the one that has most, and keeps
// its store.
type counting struct {
	engine.Engine
	passes, pieces int
	store          distributed.Store
}

func (e *counting) Start(ctx context.Context, note func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	_, store, err := e.Engine.Start(ctx, note)
	e.store = store
	return e, store, err
}

func (e *counting) Run(ctx context.Context, pieces []distributed.Piece) error {
	e.passes, e.pieces = e.passes+1, max(e.pieces, len(pieces))
	return e.Engine.Run(ctx, pieces)
}

// way is one of making what is made: shards and workers.
type way struct{ shards, workers int }

// ways are all, and the first three are those of what takes long.
var ways = []way{{1, 1}, {7, 2}, {32, 4}, {1, 2}, {1, 4}, {7, 1}, {7, 4}, {32, 1}, {32, 2}}

// long is the time of a way in which the first three are enough.
const long = 20 * time.Second

// matrixRows are so many that the third without missing cells makes four pieces of most passes.
const matrixRows = 73000

// reference is what mercer alone makes, each once.
type reference struct {
	folder string // of models
	of     map[string][]byte
}

// ready returns the line of what is made, with a model that is there.
func (r reference) ready(t *testing.T, m made) []string {
	t.Helper()
	line, path := slices.Clone(m.line), ""
	with := func(line []string) []string {
		if line[1] == model {
			line = slices.Clone(line)
			line[1] = path
		}
		return line
	}
	for i, before := range m.before {
		before = with(before)
		path = filepath.Join(r.folder, fmt.Sprintf("%x.mercer", sha256.Sum256(fmt.Append(nil, m.before[:i+1]))))
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if _, err := trained(t, before, path); err != nil {
			t.Fatal(err)
		}
	}
	return with(line)
}

// makes returns what a line makes by mercer alone.
func (r reference) makes(t *testing.T, name string, line []string) []byte {
	t.Helper()
	if content, known := r.of[name]; known {
		return content
	}
	content, err := run(t, nil, line...)
	if err != nil || len(content) == 0 {
		t.Fatalf("mercer makes %d bytes: %v", len(content), err)
	}
	r.of[name] = content
	return content
}

// compare has everything made by mercer, and by an engine in each way with the flags of that, and
// compares. The first three ways of all come first.
func compare(t *testing.T, flags func(t *testing.T, workers int) []string) {
	folders, seconds := tables(t, matrixRows), map[string]time.Duration{}
	alone := reference{t.TempDir(), map[string][]byte{}}
	for _, of := range [][]way{ways[:3], ways[3:]} {
		for _, m := range matrix() {
			t.Run(fmt.Sprintf("%d ways/%s", len(of), m.name), func(t *testing.T) {
				if seconds[m.name] > long {
					t.Skipf("one way takes %v: three are enough", seconds[m.name])
				}
				for _, w := range of {
					t.Chdir(folders[w.shards])
					line := alone.ready(t, m)
					want := alone.makes(t, m.name, line)
					e, began := new(counting), time.Now()
					got, err := run(t, e, slices.Concat(line, flags(t, w.workers))...)
					if err != nil {
						t.Fatal(err)
					}
					took := time.Since(began)
					seconds[m.name] = max(seconds[m.name], took)
					t.Logf("%d shards, %d workers: %.1f s, %d passes of at most %d pieces", w.shards, w.workers, took.Seconds(), e.passes, e.pieces)
					if e.passes == 0 || !bytes.Equal(got, want) {
						t.Errorf("%d shards, %d workers: %d bytes that differ from %d, after %d passes", w.shards, w.workers, len(got), len(want), e.passes)
					}
				}
			})
		}
	}
}

// TestMatrix makes everything on Prism.
func TestMatrix(t *testing.T) {
	if os.Getenv("MERCER_LARGE") == "" {
		t.Skip("takes long: set MERCER_LARGE=1")
	}
	compare(t, func(_ *testing.T, workers int) []string { return []string{"--threads", strconv.Itoa(workers)} })
}

// TestFlink makes everything on a real cluster of Flink.
func TestFlink(t *testing.T) {
	flink(t)
	compare(t, func(t *testing.T, workers int) []string { return onFlink(t.TempDir(), workers) })
}
