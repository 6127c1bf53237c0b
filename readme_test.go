package mercer_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadme keeps the library example of the README equal to the one that runs.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
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
