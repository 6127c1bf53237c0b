package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.org/mercer/compute"
	"example.org/mercer/distributed"
	"example.org/mercer/internal/testkit"
)

// counted is an engine of goroutines that counts the pieces of its passes.
type counted struct {
	store  distributed.Folder
	passes int
	bytes  int64 // of what pieces took and returned
	words  string
}

// Cost is that of two workers, which take ten seconds for a pass.
func (e *counted) Cost() compute.PassCost {
	return compute.PassCost{By: "goroutines", Workers: 2, Threads: 1, Overhead: 10, Slowdown: 1}
}

func (e *counted) Program() string { return "mercer-counted" }

func (e *counted) Flags(set *pflag.FlagSet) {
	set.StringVar(&e.words, "place", "", "a flag of the engine")
}

func (e *counted) Check() error {
	if e.words == "nowhere" {
		return errors.New("--place nowhere is no place")
	}
	return nil
}

func (e *counted) Start(context.Context, func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	return e, e.store, nil
}

func (e *counted) Run(ctx context.Context, pieces []distributed.Piece) error {
	if p := pieces[0]; p.To == p.From+1 { // files are compiled: a pass has more rows in a piece
		return distributed.Local{Store: e.store, Workers: 2}.Run(ctx, pieces)
	}
	e.passes++
	err := distributed.Local{Store: e.store, Workers: 2}.Run(ctx, pieces)
	for _, p := range pieces {
		files, _ := filepath.Glob(filepath.Join(string(e.store), "pieces", p.Key+".*"))
		for _, path := range files {
			if info, err := os.Stat(path); err == nil {
				e.bytes += info.Size()
			}
		}
	}
	return err
}

// writeShards writes a table of classes, numbers, words and gaps into so many files, one of them
// without rows where there are several, and returns a pattern for them.
func writeShards(t *testing.T, folder string, rows, shards int) string {
	t.Helper()
	rng := testkit.Rand(t, 3)
	var lines []string
	for i := range rows {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.Float64()
		y := math.Sin(2*a) + b*b + 0.1*rng.NormFloat64()
		kind := []string{"red", "green", "blue"}[i%3]
		if i%97 == 5 {
			kind = "" // a row that is dropped
		}
		label := "low"
		if y > 1 {
			label = "high"
		}
		lines = append(lines, fmt.Sprintf("%.6g,%.6g,%.6g,%s,%.6g,%s\n", a, b, c, kind, y, label))
	}
	for s := range shards {
		name := filepath.Join(folder, fmt.Sprintf("rows-%02d.csv", s))
		from, to := rows*s/shards, rows*(s+1)/shards
		text := "a,b,c,kind,y,label\n" + strings.Join(lines[from:to], "")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if shards > 1 {
		if err := os.WriteFile(filepath.Join(folder, "rows-00-none.csv"), []byte("a,b,c,kind,y,label\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "rows-*.csv"
}

// TestEnginesChangeNoBit: model files of fits in passes are the same with an engine and without
// one, for any number of shards.
func TestEnginesChangeNoBit(t *testing.T) {
	if testing.Short() {
		t.Skip("makes nineteen models twice or more, half a minute: not in short runs")
	}
	number := []string{"--target", "y", "--drop", "label", "--missing", "drop"}
	label := []string{"--target", "label", "--drop", "y", "--missing", "drop"}
	onLandmarks := []string{"--landmarks", "40", "--kernel", "rbf(sigma=1.5)"}
	random := []string{"--random-features", "64", "--kernel", "rbf(sigma=1.5)"}
	for name, c := range map[string]struct {
		args   []string
		passes int // the least number of jobs that the engine has
	}{
		"krr":         {cat([]string{"fit", "krr", "--lambda", "1e-3"}, number, onLandmarks), 3},
		"krr, small":  {cat([]string{"fit", "krr", "--lambda", "1e-3", "--kernel", "poly(degree=2, offset=1)"}, number), 3},
		"krr, random": {cat([]string{"fit", "krr", "--lambda", "1e-3"}, number, random), 3},
		"falkon":      {cat([]string{"fit", "falkon", "--lambda", "1e-5"}, number, onLandmarks), 20},
		"klr":         {cat([]string{"fit", "klr", "--lambda", "1e-3"}, label, onLandmarks), 10},
		"svc":         {cat([]string{"fit", "svc"}, label, onLandmarks), 0},
		"svc, small":  {cat([]string{"fit", "svc", "--kernel", "poly(degree=2, offset=1)"}, label), 30},
		"svr, small":  {cat([]string{"fit", "svr", "--kernel", "linear"}, number), 30},
		"one, small":  {[]string{"fit", "one-class", "--nu", "0.1", "--kernel", "poly(degree=2, offset=1)", "--missing", "drop", "--drop", "y,label"}, 30},
		"gp":          {cat([]string{"fit", "gp", "--noise", "0.1"}, number, onLandmarks), 0},
		"kfda":        {cat([]string{"fit", "kfda"}, label, onLandmarks), 4},
		"erm":         {cat([]string{"fit", "erm", "--loss", "huber", "--lambda", "1e-3"}, number, onLandmarks), 20},
		"quantiles":   {cat([]string{"fit", "quantiles", "--lambda", "1e-3"}, number, random), 20},
		"gpc":         {cat([]string{"fit", "gpc"}, label, random), 10},
		"kpca":        {cat([]string{"embed", "kpca", "--components", "2", "--missing", "drop", "--drop", "y,label"}, onLandmarks), 5},
		"pca":         {[]string{"embed", "pca", "--components", "2", "--missing", "drop", "--drop", "y,label"}, 5},
		"gmm":         {[]string{"cluster", "gmm", "--clusters", "2", "--restarts", "2", "--iterations", "5", "--missing", "drop", "--drop", "y,label"}, 20},
		"spectral":    {cat([]string{"cluster", "spectral", "--clusters", "3", "--missing", "drop", "--drop", "y,label"}, onLandmarks), 10},
		"kmeans":      {[]string{"cluster", "kmeans", "--clusters", "3", "--missing", "drop", "--drop", "y,label"}, 20},
	} {
		t.Run(name, func(t *testing.T) {
			var want []byte
			for _, shards := range []int{1, 7} {
				folder := t.TempDir()
				pattern := writeShards(t, folder, 17000, shards)
				t.Chdir(folder)
				out := []string{"-o", "m.mercer"}
				if c.args[0] != "fit" {
					out = []string{"-o", "out.csv", "--model", "m.mercer"}
				}
				args := cat(c.args[:2], []string{pattern}, c.args[2:], out)
				for _, e := range []*counted{nil, {store: distributed.Folder(t.TempDir())}} {
					if (e == nil) != (shards == 1) && name != "krr" && name != "kmeans" {
						continue // one file here, several with an engine; two methods are made all ways
					}
					var stdout, stderr bytes.Buffer
					code := 0
					if e == nil {
						code = Main(t.Context(), args, nil, &stdout, &stderr)
					} else {
						code = MainOn(t.Context(), e, append(args, "--place", "here"), nil, &stdout, &stderr)
					}
					if code != exitOK {
						t.Fatalf("%v ends with %d:\n%s", args, code, stderr.String())
					}
					got, err := os.ReadFile("m.mercer")
					if err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want = got
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%d shards, engine %v: another model", shards, e != nil)
					}
					if e != nil && e.passes < c.passes {
						t.Errorf("the engine made %d passes, and %d are wanted", e.passes, c.passes)
					}
				}
			}
		})
	}
}

// TestPlansOfEngines: the plan of a fit counts the passes that an engine makes for it, what they
// send and what they take beside their work, and makes none.
func TestPlansOfEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("plans for seven models: not in short runs")
	}
	folder := t.TempDir()
	pattern := writeShards(t, folder, 17000, 3)
	t.Chdir(folder)
	number := []string{"--target", "y", "--drop", "label", "--missing", "drop"}
	label := []string{"--target", "label", "--drop", "y", "--missing", "drop"}
	onLandmarks := []string{"--landmarks", "40", "--kernel", "rbf(sigma=1.5)"}
	for name, args := range map[string][]string{
		"krr":             cat([]string{"fit", "krr", pattern, "--lambda", "1e-3"}, number, onLandmarks),
		"krr, small":      cat([]string{"fit", "krr", pattern, "--lambda", "1e-3", "--kernel", "poly(degree=2, offset=1)"}, number),
		"falkon":          cat([]string{"fit", "falkon", pattern, "--lambda", "1e-5"}, number, onLandmarks),
		"klr":             cat([]string{"fit", "klr", pattern, "--lambda", "1e-3"}, label, onLandmarks),
		"svc, small":      cat([]string{"fit", "svc", pattern, "--kernel", "poly(degree=2, offset=1)"}, label),
		"one, small":      {"fit", "one-class", pattern, "--kernel", "poly(degree=2, offset=1)", "--missing", "drop", "--drop", "y,label"},
		"gp":              cat([]string{"fit", "gp", pattern, "--noise", "0.1"}, number, onLandmarks),
		"kfda":            cat([]string{"fit", "kfda", pattern}, label, onLandmarks),
		"spectral":        {"cluster", "spectral", pattern, "--clusters", "2", "--missing", "drop", "--drop", "y,label", "--landmarks", "20", "--kernel", "rbf(sigma=1.5)"},
		"tune krr":        cat([]string{"tune", "krr", pattern}, number, []string{"--landmarks", "20", "--kernel", "rbf(sigma=?)"}),
		"tune krr, parts": cat([]string{"tune", "krr", pattern, "--criterion", "cv", "--folds", "2"}, number, []string{"--random-features", "16", "--kernel", "rbf(sigma=?)"}),
		"tune klr":        cat([]string{"tune", "klr", pattern, "--folds", "2", "--grid", "lambda=1e-3:1e-2"}, label, []string{"--landmarks", "10", "--kernel", "rbf(sigma=?)"}),
		"tune gp":         cat([]string{"tune", "gp", pattern, "--folds", "2", "--grid", "noise=0.1:0.5"}, number, []string{"--landmarks", "10", "--kernel", "rbf(sigma=?)"}),
		"tune kfda":       cat([]string{"tune", "kfda", pattern, "--folds", "2", "--grid", "lambda=1e-3:1e-2"}, label, []string{"--random-features", "16", "--kernel", "rbf(sigma=?)"}),
		"tune falkon":     cat([]string{"tune", "falkon", pattern, "--folds", "2", "--grid", "lambda=1e-6"}, number, []string{"--landmarks", "40", "--kernel", "rbf(sigma=?)"}),
		"pca":             {"embed", "pca", pattern, "--components", "2", "--missing", "drop", "--drop", "y,label"},
	} {
		if args[0] == "tune" {
			args = cat(args, []string{"--trials", "2"})
		}
		t.Run(name, func(t *testing.T) {
			e := &counted{store: distributed.Folder(t.TempDir())}
			var stdout, stderr bytes.Buffer
			if code := MainOn(t.Context(), e, cat(args, []string{"--dry-run", "--json"}), nil, &stdout, &stderr); code != exitOK {
				t.Fatalf("it ends with %d: %s", code, stderr.String())
			}
			var shown struct{ Plan compute.Plan }
			if err := json.Unmarshal(stdout.Bytes(), &shown); err != nil {
				t.Fatal(err)
			}
			plan := shown.Plan.Elsewhere
			if plan == nil || e.passes > 0 {
				t.Errorf("%d passes were made for the plan %s", e.passes, stdout.String())
			}
			out := []string{"-o", "m.mercer"}
			switch args[0] {
			case "tune":
				out = nil
			case "embed", "cluster":
				out = []string{"-o", "out.csv", "--model", "m.mercer"}
			}
			if code := MainOn(t.Context(), e, cat(args, out), nil, &stdout, &stderr); code != exitOK {
				t.Fatalf("it ends with %d: %s", code, stderr.String())
			}
			t.Logf("%v; made %d passes, %d bytes", plan, e.passes, e.bytes)
			if plan.Passes < e.passes/2 || plan.Passes > 2*e.passes {
				t.Errorf("%d passes are planned, and %d are made", plan.Passes, e.passes)
			}
			files, _ := filepath.Glob("*.mercer-table")
			var size int64
			for _, path := range files {
				info, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				size += info.Size()
			}
			if want := int64(plan.Passes) * size; plan.Read != want || want == 0 {
				t.Errorf("%d bytes are read, not %d", plan.Read, want)
			}
			// Each piece has counts and a checksum beside its numbers, less than 64 bytes.
			if most := plan.Exchange/int64(plan.Passes) + 64*int64(plan.Pieces); e.bytes/int64(e.passes) > most {
				t.Errorf("a pass sends %d bytes, and at most %d are planned", e.bytes/int64(e.passes), most)
			}
			if took := 10 * float64(plan.Passes); plan.Overhead != took || plan.Seconds < took || shown.Plan.Seconds < took {
				t.Errorf("%v of %v seconds are overhead of %d passes", plan.Overhead, plan.Seconds, plan.Passes)
			}
		})
	}
}

// TestPredictionsOfEngines: labels, values, intervals and metrics are those that are found here.
func TestPredictionsOfEngines(t *testing.T) {
	folder := t.TempDir()
	pattern := writeShards(t, folder, 9000, 5)
	t.Chdir(folder)
	do := func(e *counted, args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		code := 0
		if e == nil {
			code = Main(t.Context(), args, nil, &stdout, &stderr)
		} else {
			code = MainOn(t.Context(), e, args, nil, &stdout, &stderr)
		}
		if code != exitOK {
			t.Fatalf("%v ends with %d:\n%s", args, code, stderr.String())
		}
		return stdout.String()
	}
	do(nil, "fit", "klr", "rows-01.csv", "--target", "label", "--drop", "y", "--missing", "drop", "--lambda", "1e-3", "-o", "labels.mercer")
	do(nil, "fit", "krr", "rows-01.csv", "--target", "y", "--drop", "label", "--missing", "drop", "--lambda", "1e-3", "-o", "values.mercer")
	do(nil, "fit", "gpc", "rows-01.csv", "--target", "label", "--drop", "y", "--missing", "drop", "--random-features", "32", "-o", "averages.mercer")
	for _, args := range [][]string{
		{"predict", "labels.mercer", pattern, "--out-of-core"},
		{"predict", "values.mercer", pattern, "--out-of-core", "--interval", "0.9"},
		{"predict", "averages.mercer", pattern, "--out-of-core"},
		{"eval", "labels.mercer", pattern, "--out-of-core", "--json"},
	} {
		want, e := do(nil, args...), &counted{store: distributed.Folder(t.TempDir())}
		if got := do(e, args...); got != want {
			t.Errorf("%v: other lines: %.300s\n%.300s", args, got, want)
		}
		if e.passes != 1 {
			t.Errorf("%v: the engine made %d passes, not one", args, e.passes)
		}
	}
}

// cat joins arguments.
func cat(parts ...[]string) (out []string) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// TestFlagsOfEngines: what is wrong with them is an error of the command line, said before anything
// is read, with the name of the command.
func TestFlagsOfEngines(t *testing.T) {
	for _, args := range [][]string{{"fit", "krr"}, {"embed", "pca"}, {"tune", "krr"}} {
		var stdout, stderr bytes.Buffer
		code := MainOn(t.Context(), new(counted), append(args, "absent.csv", "--target", "y", "-o", "m", "--place", "nowhere"), nil, &stdout, &stderr)
		if code != exitUsage || !strings.HasPrefix(stderr.String(), "mercer-counted: --place nowhere is no place\n") {
			t.Errorf("%q ends with %d: %s", args, code, stderr.String())
		}
	}
}
