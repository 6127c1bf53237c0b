package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlatformsAreChecked: what is missing on one platform is found there, and nowhere else.
func TestPlatformsAreChecked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                 "module example.org/broken\n\ngo 1.26\n",
		"pages/pages_linux.go":   "package pages\n\nfunc Size() int { return 4096 }\n",
		"pages/pages_darwin.go":  "package pages\n\nfunc Size() int64 { return 16384 }\n",
		"pages/pages_windows.go": "package pages\n",
		"sums/sums.go":           "package sums\n\nimport \"example.org/broken/pages\"\n\nfunc Pages(n int) int { return n / pages.Size() }\n",
		"sums/sums_arm64.go":     "package sums\n\nfunc fast(x []float64) float64\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for platform, want := range map[string]string{
		"linux/amd64":   "",
		"linux/arm64":   "fast has no body",
		"darwin/amd64":  "mismatched types int and int64",
		"windows/amd64": "undefined: pages.Size",
		"windows":       "is no platform",
	} {
		err := checkPlatform(dir, platform)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want an error with %q", platform, err, want)
		}
	}
}
