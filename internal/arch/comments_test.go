package main

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// How wide comments and how long documents may be.
const (
	maxColumns   = 100
	tabWidth     = 4
	maxReadme    = 6_000   // bytes: one screen
	maxReference = 150_000 // bytes of docs/reference together: a page a verb, some 3,000 each
)

var knownWidths = map[string]int{}

var knownLengths = map[string]int{}

// TestCommentWidth finds lines of comments that go beyond column 100, in tests too: lines that
// hold nothing else, and are not what an example prints.
func TestCommentWidth(t *testing.T) {
	onlyKnownPlaces(t, "comments end at column 100", knownWidths, theTree(t).wideComments())
}

// wideComments finds them by file.
func (t *tree) wideComments() places {
	found := places{}
	for _, pkg := range t.packages {
		for _, f := range append(pkg.files[:len(pkg.files):len(pkg.files)], pkg.tests...) {
			if f.generated {
				continue
			}
			lines := strings.Split(f.text, "\n")
			for _, group := range f.Comments {
				if outputs(group) {
					continue
				}
				from, to := t.fset.Position(group.Pos()).Line, t.fset.Position(group.End()).Line
				for line := from; line <= to; line++ {
					text := lines[line-1]
					if alone := strings.HasPrefix(strings.TrimSpace(text), "//"); alone && !strings.HasPrefix(text, "//go:") && columns(text) > maxColumns {
						found.add(f.path, fmt.Sprintf("%s:%d", f.path, line))
					}
				}
			}
		}
	}
	return found
}

// outputs reports whether a comment is what an example prints.
func outputs(group *ast.CommentGroup) bool {
	text := strings.ToLower(group.Text())
	return strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:")
}

// columns returns the width of a line.
func columns(line string) int {
	tabs := strings.Count(line, "\t")
	return utf8.RuneCountInString(line) + (tabWidth-1)*tabs
}

// TestDocumentLength measures the documents that everybody reads first, and the generated ones.
func TestDocumentLength(t *testing.T) {
	tr := theTree(t)
	found := map[string]int{}
	if text, err := os.ReadFile(filepath.Join(tr.root, "README.md")); err != nil {
		t.Error(err)
	} else if len(text) > maxReadme {
		found["README.md"] = len(text)
	}
	sum := 0
	err := filepath.WalkDir(filepath.Join(tr.root, "docs", "reference"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += int(info.Size())
		}
		return err
	})
	switch {
	case os.IsNotExist(err):
	case err != nil:
		t.Error(err)
	case sum > maxReference:
		found["docs/reference"] = sum
	}
	onlyKnown(t, "the README is one screen (6,000 bytes) and docs/reference has 150,000 bytes at most", knownLengths, found)
}
