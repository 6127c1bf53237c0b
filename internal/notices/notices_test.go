package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// TestNoticesAreCurrent compares the modules and versions that the notices name with those that
// the command is linked with.
func TestNoticesAreCurrent(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	modules, err := linked(root)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if !slices.Contains(lines, "the library of Go") {
		t.Error("the library of Go is not named")
	}
	for _, m := range modules {
		if !slices.Contains(lines, m.path+" "+m.version) {
			t.Errorf("%s %s is linked and not named; write the notices again: go run ./internal/notices", m.path, m.version)
		}
	}
	for _, line := range lines {
		path, version, ok := strings.Cut(line, " ")
		if !ok || !strings.Contains(path, ".") || !strings.HasPrefix(version, "v") || strings.Contains(version, " ") {
			continue
		}
		if !slices.ContainsFunc(modules, func(m module) bool { return m.path == path && m.version == version }) {
			t.Errorf("%s is named and not linked; write the notices again: go run ./internal/notices", line)
		}
	}
}

// TestLicenseOfNothing: a module without a licence is an error, not an empty notice.
func TestLicenseOfNothing(t *testing.T) {
	if _, err := license(t.TempDir()); err == nil {
		t.Error("a folder without a licence has one")
	}
}
