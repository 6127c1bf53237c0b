package learner_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestANewMethodIsOneFile adds a method to the command by an overlay, as CONTRIBUTING says: its
// package, its file in package methods and its line in all.go. The command then plans, fits, tunes
// and predicts by it; exactly, on landmarks, in random features, and from rows in their file; and
// goes on with a fit that was killed.
func TestANewMethodIsOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	m := &overlaid{T: t, dir: t.TempDir()}
	m.build()
	m.table("train.csv", 400)
	fit := func(model string, more ...string) []string {
		args := []string{"fit", "toy", "train.csv", "--target", "y", "--kernel", "rbf(sigma=1)", "-o", model}
		return append(args, more...)
	}

	m.run("--tau", "help", "toy")
	m.run("solver", "plan", "toy", "train.csv", "--target", "y")
	m.run("weighted ridge regressions", fit("exact.mercer", "--tau", "0.9", "--lambda", "1e-4")...)
	m.run("weighted ridge regressions", "info", "exact.mercer", "--verify")
	above := 0.0
	for _, row := range m.predictions("exact.mercer") {
		if row.y > row.f {
			above += 1 / 400.0
		}
	}
	if above < 0.02 || above > 0.35 {
		t.Errorf("a share of %.2f of the rows lies above the expectile 0.9", above)
	}

	m.run("landmarks", fit("landmarks.mercer", "--landmarks", "400")...)
	m.run("weighted", fit("half.mercer")...)
	exact, low := m.predictions("half.mercer"), m.predictions("landmarks.mercer")
	for i := range exact {
		if d := exact[i].f - low[i].f; d > 1e-5 || d < -1e-5 {
			t.Fatalf("row %d: %g on all rows as landmarks, %g exactly", i, low[i].f, exact[i].f)
		}
	}
	m.run("weighted", fit("features.mercer", "--random-features", "64")...)
	m.run("passes", fit("streamed.mercer", "--random-features", "64", "--out-of-core")...)
	m.same("features.mercer", "streamed.mercer")
	m.run("lambda", "tune", "toy", "train.csv", "--target", "y", "--kernel", "rbf(sigma=1)", "--folds", "3", "-o", "tuned.mercer")
	m.refuses("--tau", fit("x.mercer", "--tau", "2")...)

	m.table("train.csv", 60000)
	long := fit("whole.mercer", "--random-features", "128", "--out-of-core", "--tau", "0.9", "--checkpoint-every", "1ns")
	m.run("weighted", long...)
	m.kills("resumed.mercer", append(long, "-o", "resumed.mercer"))
	m.run("weighted", append(long, "-o", "resumed.mercer", "--resume")...)
	m.same("whole.mercer", "resumed.mercer")
}

// overlaid is the command with the method.
type overlaid struct {
	*testing.T
	dir, command string
}

// build builds the command with the files of testdata/toy where a contributor would put them.
func (m *overlaid) build() {
	m.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		m.Fatal(err)
	}
	all, err := os.ReadFile(filepath.Join("methods", "all.go"))
	if err != nil {
		m.Fatal(err)
	}
	const list = "var All = []*learner.Spec{\n"
	if !bytes.Contains(all, []byte(list)) {
		m.Fatalf("all.go has no line %q", list)
	}
	m.write("all.go", strings.Replace(string(all), list, list+"\ttoySpec,\n", 1))
	at := func(name string) string { return filepath.Join(root, "learner", "methods", "testdata", "toy", name) }
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(root, "learner", "methods", "all.go"): filepath.Join(m.dir, "all.go"),
		filepath.Join(root, "learner", "methods", "toy.go"): at("learner.go.txt"),
		filepath.Join(root, "supervised", "toy", "toy.go"):  at("method.go.txt"),
	}})
	if err != nil {
		m.Fatal(err)
	}
	m.write("overlay.json", string(overlay))
	m.command = filepath.Join(m.dir, "mercer.exe")
	cmd := exec.Command("go", "build", "-overlay", filepath.Join(m.dir, "overlay.json"), "-o", m.command, "./cmd/mercer")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		m.Fatalf("%v: %s", err, out)
	}
}

func (m *overlaid) write(name, text string) {
	m.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o666); err != nil {
		m.Fatal(err)
	}
}

// table writes a table of a wave and noise.
func (m *overlaid) table(name string, n int) {
	m.Helper()
	r := rand.New(rand.NewPCG(3, 5))
	var b strings.Builder
	b.WriteString("a,b,y\n")
	for range n {
		x, z := r.Float64(), r.Float64()
		fmt.Fprintf(&b, "%.6f,%.6f,%.6f\n", x, z, x*z+0.1*r.NormFloat64())
	}
	m.write(name, b.String())
}

// start makes the command with its arguments.
func (m *overlaid) start(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd, out := exec.Command(m.command, args...), &bytes.Buffer{}
	cmd.Dir, cmd.Stdout, cmd.Stderr = m.dir, out, out
	return cmd, out
}

// run runs the command, which says something.
func (m *overlaid) run(says string, args ...string) {
	m.Helper()
	cmd, out := m.start(args...)
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), says) {
		m.Fatalf("mercer %s: %v, and no %q in\n%s", strings.Join(args, " "), err, says, out)
	}
}

// refuses runs the command, which exits as one that was called wrongly.
func (m *overlaid) refuses(says string, args ...string) {
	m.Helper()
	cmd, out := m.start(args...)
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 2 || !strings.Contains(out.String(), says) {
		m.Fatalf("mercer %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// kills kills the command as soon as it has a checkpoint.
func (m *overlaid) kills(model string, args []string) {
	m.Helper()
	cmd, out := m.start(args...)
	if err := cmd.Start(); err != nil {
		m.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			m.Fatalf("the fit ended (%v) before it had a checkpoint\n%s", err, out)
		default:
		}
		if _, err := os.Stat(filepath.Join(m.dir, model+".checkpoint")); err == nil {
			_ = cmd.Process.Kill()
			<-ended
			return
		}
	}
}

// same compares two files.
func (m *overlaid) same(a, b string) {
	m.Helper()
	x, err := os.ReadFile(filepath.Join(m.dir, a))
	if err != nil {
		m.Fatal(err)
	}
	y, err := os.ReadFile(filepath.Join(m.dir, b))
	if err != nil {
		m.Fatal(err)
	}
	if !bytes.Equal(x, y) {
		m.Errorf("%s and %s differ", a, b)
	}
}

type predicted struct{ f, y float64 }

// predictions returns those of the training rows.
func (m *overlaid) predictions(model string) []predicted {
	m.Helper()
	cmd, out := m.start("predict", model, "train.csv", "-q")
	if err := cmd.Run(); err != nil {
		m.Fatalf("%v: %s", err, out)
	}
	table, err := os.ReadFile(filepath.Join(m.dir, "train.csv"))
	if err != nil {
		m.Fatal(err)
	}
	lines, rows := strings.Split(strings.TrimSpace(out.String()), "\n")[1:], strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	if len(lines) != len(rows) {
		m.Fatalf("%d predictions of %d rows", len(lines), len(rows))
	}
	found := make([]predicted, len(lines))
	for i := range found {
		last := func(line string) (x float64) {
			cells := strings.Split(line, ",")
			if _, err := fmt.Sscan(cells[len(cells)-1], &x); err != nil {
				m.Fatalf("%q: %v", line, err)
			}
			return x
		}
		found[i] = predicted{f: last(lines[i]), y: last(rows[i])}
	}
	return found
}
