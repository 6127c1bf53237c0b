package mercer_test

import (
	"os"
	"strings"
	"testing"
)

// mostReadme is the largest size of the README, about one screen, in bytes.
const mostReadme = 6000

// TestReadme keeps the library example of the README equal to the one that runs, and it short.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(readme) > mostReadme {
		t.Errorf("README.md has %d bytes, more than %d: move what it says to docs/guide", len(readme), mostReadme)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func Example() {\n")
	body, _, found := strings.Cut(body, "\t// Output:")
	if !found {
		t.Fatal("example_test.go has no func Example with an output")
	}
	// One level of tabs is the function's own; Markdown indents code by four blanks.
	lines := strings.Split(strings.TrimRight(body, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "    " + strings.ReplaceAll(strings.TrimPrefix(line, "\t"), "\t", "    ")
		}
	}
	if want := strings.Join(lines, "\n"); !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not hold the lines of func Example:\n%s", want)
	}
}
