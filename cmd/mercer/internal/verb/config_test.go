package verb

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/spf13/pflag"
)

// configured reads a file of flags.
func configured(t testing.TB, text string) (set *pflag.FlagSet, err error) {
	path := filepath.Join(t.TempDir(), "run.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set = pflag.NewFlagSet("", pflag.ContinueOnError)
	set.StringSlice("target", []string{"last"}, "")
	set.Float64("lambda", 1, "")
	set.Float64Slice("range", nil, "")
	set.Int("folds", 5, "")
	set.Bool("loo", false, "")
	return set, (&Invocation{Config: path}).Configure(set)
}

func TestConfigure(t *testing.T) {
	set, err := configured(t, "target = ['a,b', \"c\"]\nlambda = 1_000.5\nrange = [1e-3, 10]\nfolds = 0x10\nloo = true # yes\n")
	if err != nil {
		t.Fatal(err)
	}
	targets, _ := set.GetStringSlice("target")
	lambda, _ := set.GetFloat64("lambda")
	span, _ := set.GetFloat64Slice("range")
	folds, _ := set.GetInt("folds")
	loo, _ := set.GetBool("loo")
	if !reflect.DeepEqual(targets, []string{"a,b", "c"}) || lambda != 1000.5 || !reflect.DeepEqual(span, []float64{1e-3, 10}) || folds != 16 || !loo {
		t.Errorf("%q %v %v %v %v", targets, lambda, span, folds, loo)
	}
}

// TestWriteConfig: what is written is read as it was given, whatever characters it has.
func TestWriteConfig(t *testing.T) {
	set, err := configured(t, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range [][2]string{{"target", `"a,b",c`}, {"target", "\"q\"\"\\ü\t\x01\""}, {"lambda", "1e-08"}, {"range", "1,-2.5"}, {"loo", "true"}} {
		if err := set.Set(f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "run.toml")
	if err := (&Invocation{WrittenConfig: path}).WriteConfig(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := configured(t, string(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	set.VisitAll(func(f *pflag.Flag) {
		if g := again.Lookup(f.Name); g.Value.String() != f.Value.String() || g.Changed != f.Changed {
			t.Errorf("--%s was %s and is %s: %s", f.Name, f.Value, g.Value, text)
		}
	})
}

// Whatever is in the file, it is an error and no panic.
func FuzzConfigure(f *testing.F) {
	for _, text := range []string{"lambda = 1", "a.b = 1", "[x]\n", "target = [[1]]", "lambda = {a = 1}", "x = \"\\u", "\xff = 1", "lambda", "lambda = 1979-05-27", "loo = tru", "[[a]]", "\"\" = 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { _, _ = configured(t, text) })
}
