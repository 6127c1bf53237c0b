package cli

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.org/mercer/distributed"
	"example.org/mercer/internal/testkit"
)

// counted is an engine of goroutines that counts the pieces of its passes.
type counted struct {
	store  distributed.Folder
	pieces int
	words  string
}

func (e *counted) Flags(set *pflag.FlagSet) {
	set.StringVar(&e.words, "place", "", "a flag of the engine")
}

func (e *counted) Start(context.Context, func(string, ...any)) (distributed.Engine, distributed.Store, error) {
	return e, e.store, nil
}

func (e *counted) Run(ctx context.Context, pieces []distributed.Piece) error {
	e.pieces += len(pieces)
	return distributed.Local{Store: e.store, Workers: 2}.Run(ctx, pieces)
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
		t.Skip("fits fourteen models four times, half a minute: not in short runs")
	}
	number := []string{"--target", "y", "--drop", "label", "--missing", "drop"}
	label := []string{"--target", "label", "--drop", "y", "--missing", "drop"}
	onLandmarks := []string{"--landmarks", "40", "--kernel", "rbf(sigma=1.5)"}
	random := []string{"--random-features", "64", "--kernel", "rbf(sigma=1.5)"}
	for name, c := range map[string]struct {
		args   []string
		within bool // whether the engine has work
	}{
		"krr":         {cat([]string{"fit", "krr", "--lambda", "1e-3"}, number, onLandmarks), true},
		"krr, small":  {cat([]string{"fit", "krr", "--lambda", "1e-3", "--kernel", "poly(degree=2, offset=1)"}, number), true},
		"krr, random": {cat([]string{"fit", "krr", "--lambda", "1e-3"}, number, random), true},
		"falkon":      {cat([]string{"fit", "falkon", "--lambda", "1e-5"}, number, onLandmarks), true},
		"klr":         {cat([]string{"fit", "klr", "--lambda", "1e-3"}, label, onLandmarks), true},
		"svc":         {cat([]string{"fit", "svc"}, label, onLandmarks), false},
		"gp":          {cat([]string{"fit", "gp", "--noise", "0.1"}, number, onLandmarks), false},
		"kfda":        {cat([]string{"fit", "kfda"}, label, onLandmarks), true},
		"erm":         {cat([]string{"fit", "erm", "--loss", "huber", "--lambda", "1e-3"}, number, onLandmarks), true},
		"quantiles":   {cat([]string{"fit", "quantiles", "--lambda", "1e-3"}, number, random), true},
		"gpc":         {cat([]string{"fit", "gpc"}, label, random), true},
		"kpca":        {cat([]string{"embed", "kpca", "--components", "2", "--missing", "drop", "--drop", "y,label"}, onLandmarks), false},
		"pca":         {[]string{"embed", "pca", "--components", "2", "--missing", "drop", "--drop", "y,label"}, false},
		"kmeans":      {[]string{"cluster", "kmeans", "--clusters", "3", "--missing", "drop", "--drop", "y,label"}, false},
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
					if e != nil && (e.pieces > 0) != c.within {
						t.Errorf("the engine had %d pieces", e.pieces)
					}
				}
			}
		})
	}
}

// cat joins arguments.
func cat(parts ...[]string) (out []string) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
