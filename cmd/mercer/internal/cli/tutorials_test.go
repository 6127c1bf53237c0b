package cli

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
)

// tutorials is the folder of the pages that are run.
const tutorials = root + "/docs/start"

// header is the first line of a tutorial: its public files, each with the name that it has in the
// tutorial, the digits to which numbers agree, and whether it takes longer than -short allows.
var header = regexp.MustCompile(`^<!-- run with ([^;]+); (\d) digits(; slow)? -->\n`)

// TestTutorials runs the commands of every tutorial, block by block, in a folder that holds links
// to its public files, and compares what they print with what the page shows. Blocks of code are
// commands if they are marked sh; a block after them, marked text, is their standard output. A
// command behind "! " fails, and what it says is shown.
func TestTutorials(t *testing.T) {
	pages, err := filepath.Glob(tutorials + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(page) == "README.md" {
			continue
		}
		ran++
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) { follows(t, string(text)) })
	}
	if ran < 6 {
		t.Errorf("%s has %d tutorials, want at least 6", tutorials, ran)
	}
}

// follows runs one tutorial.
func follows(t *testing.T, page string) {
	head := header.FindStringSubmatch(page)
	if head == nil {
		t.Fatal("the page does not begin with <!-- run with FILE as NAME, …; 3 digits -->")
	}
	if head[3] != "" && testing.Short() {
		t.Skip("takes seconds where arithmetic is slow: it runs without -short")
	}
	digits, _ := strconv.Atoi(head[2]) // one digit, as matched
	dir := t.TempDir()
	for _, file := range strings.Split(head[1], ", ") {
		from, name, ok := strings.Cut(file, " as ")
		if !ok {
			name = filepath.Base(from)
		}
		if err := os.Symlink(testkit.Shared(t, from), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	kind, printed := "", ""
	var block []string
	for _, line := range strings.Split(page, "\n") {
		mark, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && kind == "":
			kind, block = mark, nil
		case fence && kind == "sh":
			printed, kind = runs(t, block), ""
		case fence:
			if problem := shows(block, printed, digits); kind == "text" && problem != "" {
				t.Fatalf("%s\n%s", problem, printed)
			}
			kind = ""
		default:
			block = append(block, line)
		}
	}
}

// runs returns what commands print. Those of mercer run in processes of their own, because plans
// count what a process holds already; others run in a shell.
func runs(t *testing.T, lines []string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, complaint bytes.Buffer
	for _, line := range lines {
		line, wrong := strings.CutPrefix(line, "! ")
		cmd := exec.Command("sh", "-c", line)
		if args, ok := strings.CutPrefix(line, "mercer "); ok {
			cmd = exec.Command(self, shellWords(args)...)
			cmd.Env = append(os.Environ(), runAsMercer+"=1")
		}
		cmd.Stdout, cmd.Stderr = &out, &complaint
		complaint.Reset()
		err := cmd.Run()
		if (err != nil) != wrong {
			t.Fatalf("%s: %v: %s", line, err, complaint.String())
		}
		if wrong {
			out.Write(complaint.Bytes())
		}
	}
	return out.String()
}

// shows compares what a page shows with what was printed, line by line: "…" alone stands for any
// lines, at the end of a line for the rest of it. It returns what differs.
func shows(shown []string, printed string, digits int) string {
	lines := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	at, skip := 0, false
	for _, want := range shown {
		if want == "…" {
			skip = true
			continue
		}
		for skip && at < len(lines) && !alike(want, lines[at], digits) {
			at++
		}
		switch {
		case at == len(lines):
			return fmt.Sprintf("nothing that was printed agrees with %q", want)
		case !alike(want, lines[at], digits):
			return fmt.Sprintf("the page shows %q, printed is %q", want, lines[at])
		}
		at, skip = at+1, false
	}
	if at < len(lines) && !skip {
		return fmt.Sprintf("the page does not show %q", lines[at])
	}
	return ""
}

// numeral matches what is compared as a number.
var numeral = regexp.MustCompile(`-?\d+(\.\d+)?(e[-+]?\d+)?`)

// alike reports whether two lines have the same words, and the same numbers to some digits.
func alike(want, got string, digits int) bool {
	words, there := strings.Fields(want), strings.Fields(got)
	for i, w := range words {
		if w == "…" && i == len(words)-1 {
			return true
		}
		if i == len(there) || numeral.ReplaceAllString(w, "0") != numeral.ReplaceAllString(there[i], "0") {
			return false
		}
		a, b := numeral.FindAllString(w, -1), numeral.FindAllString(there[i], -1)
		for k := range a {
			x, _ := strconv.ParseFloat(a[k], 64) // as matched
			y, _ := strconv.ParseFloat(b[k], 64)
			if math.Abs(x-y) > 0.5*math.Pow(10, float64(1-digits))*max(math.Abs(x), math.Abs(y)) {
				return false
			}
		}
	}
	return len(words) == len(there)
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		want, got string
		same      bool
		reason    string
	}{
		{"RMSE 51.9", "RMSE  51.8597", true, "three digits"},
		{"RMSE 52.9", "RMSE  51.8597", false, "another number"},
		{"MAE 51.9", "RMSE 51.9", false, "another word"},
		{"time …", "time 12 ms (planned 3 ms)", true, "the rest of a line"},
		{"rows 5", "rows 5 more", false, "a word more"},
		{"rows 5 more", "rows 5", false, "a word less"},
		{"gap 1e-05", "gap 1.004e-05", true, "an exponent"},
		{"x=-1.5", "x=1.5", false, "a sign"},
	} {
		if alike(c.want, c.got, 3) != c.same {
			t.Errorf("%s: %q and %q agree: %v", c.reason, c.want, c.got, !c.same)
		}
	}
	for _, c := range []struct {
		shown, printed string
		same           bool
	}{
		{"a\nc", "a\nb\nc\n", false}, {"a\n…\nc", "a\nb\nc\n", true}, {"a", "a\nb\n", false}, {"a\n…", "a\nb\n", true}, {"a\nb", "a\n", false},
	} {
		if got := shows(strings.Split(c.shown, "\n"), c.printed, 3); (got == "") != c.same {
			t.Errorf("%q shows %q: %q", c.shown, c.printed, got)
		}
	}
}
