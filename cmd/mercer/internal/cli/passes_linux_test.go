package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/data/npy"
	"example.org/mercer/internal/testkit"
)

const (
	// hardLimit is what a process may have of writable memory, in KiB for ulimit. More than half
	// of it the runtime takes before the program has begun, in pieces of 64 MiB.
	hardLimit = 256 << 10
	// softLimit is what the collector aims at.
	softLimit = "64MiB"
)

// limited makes a command that runs this test binary as mercer under a hard limit of the system:
// a process that asks for more memory is refused it, and dies.
func limited(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -d %d; exec "$0" "$@"`, hardLimit), self}, args...)...)
	cmd.Env = append(os.Environ(), runAsMercer+"=1", "GOMEMLIMIT="+softLimit, "GOMAXPROCS=2")
	cmd.Dir = dir
	return cmd
}

// longFile writes an array of 86 columns that is larger than the hard limit: a part of it again
// and again.
func longFile(t *testing.T, path string) (rows int) {
	t.Helper()
	const part, columns = 4000, 86
	r := rand.New(rand.NewPCG(5, 7))
	values := make([]float64, part*columns)
	for i := range part {
		row := values[i*columns : (i+1)*columns]
		for j := range columns - 1 {
			row[j] = r.Float64()
			row[columns-1] += row[j] * row[j]
		}
	}
	rows = ((hardLimit<<10)/8/columns/part + 2) * part
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := npy.NewWriter(f, rows, columns, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	for range rows / part {
		if err := w.Write(values); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// A table that is larger than the memory which the system allows is fitted, predicted, analysed and
// clustered. Read at once it is too much, so that the limit is one.
func TestLargerThanMemory(t *testing.T) {
	testkit.SkipUnlessLarge(t, "a table larger than memory is read eight times")
	dir := t.TempDir()
	rows := longFile(t, filepath.Join(dir, "long.npy"))
	run := func(args ...string) (string, error) {
		out, err := limited(t, dir, args...).CombinedOutput()
		return string(out), err
	}
	out, err := run("fit", "falkon", "long.npy", "--target", "last", "--kernel", "rbf(sigma=2)", "--landmarks", "20", "--tolerance", "0.1", "--lambda", "1e-3",
		"--max-mem", "124MiB", "-o", "m.mercer")
	if err != nil || !strings.Contains(out, "long.npy is larger than --max-mem 124.00 MiB: it is read in passes") {
		t.Fatalf("fit: %v\n%s", err, out)
	}
	if want := fmt.Sprintf("%d rows × 85 features", rows); !strings.Contains(out, want) {
		t.Errorf("the fit does not speak of %s:\n%s", want, out)
	}
	if out, err := run("predict", "m.mercer", "long.npy", "--out-of-core", "-o", "p.csv"); err != nil || !strings.Contains(out, "compiled before") {
		t.Fatalf("predict: %v\n%s", err, out)
	}
	predictions, err := os.ReadFile(filepath.Join(dir, "p.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(predictions, []byte("\n")); lines != rows+1 {
		t.Errorf("%d lines of predictions, want %d and a header", lines, rows)
	}
	features := []string{"--out-of-core", "--kernel", "rbf(sigma=2)"}
	if out, err := run(append([]string{"embed", "kpca", "long.npy", "--landmarks", "10", "--landmarks-by", "leverage", "--components", "1"}, features...)...); err != nil || !strings.Contains(out, "explained") {
		t.Errorf("embed on landmarks: %v\n%s", err, out)
	}
	if out, err := run(append([]string{"cluster", "kernel-kmeans", "long.npy", "--random-features", "2", "--clusters", "2", "--restarts", "1", "--iterations", "1"}, features...)...); err != nil || !strings.Contains(out, "sizes") {
		t.Errorf("cluster in features: %v\n%s", err, out)
	}
	if out, err := run(append([]string{"fit", "gp", "long.npy", "--target", "last", "--landmarks", "4", "--landmarks-by", "uniform", "--noise", "0.1", "-o", "p.mercer"}, features...)...); err != nil || !strings.Contains(out, "exact evidence") {
		t.Errorf("a process on landmarks: %v\n%s", err, out)
	}
	// Steps that wait to be saved in a checkpoint are in memory, too.
	if out, err := run(append([]string{"fit", "one-class", "long.npy", "--random-features", "2", "--nu", "0.01", "--checkpoint-every", "0", "-o", "p.mercer"}, features...)...); err != nil || !strings.Contains(out, "support vectors") {
		t.Errorf("a machine in features: %v\n%s", err, out)
	}
	if out, err := run("cluster", "kmeans", "long.npy", "--out-of-core", "--clusters", "2", "--restarts", "1", "--iterations", "1", "-o", "p.csv"); err != nil || !strings.Contains(out, "sizes") {
		t.Errorf("cluster: %v\n%s", err, out)
	}
	if out, err := run("predict", "m.mercer", "long.npy", "-o", "p.csv"); err == nil {
		t.Errorf("read at once the table fits, too: the limit is none\n%s", out)
	}
}
