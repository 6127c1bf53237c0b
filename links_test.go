package mercer_test

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// link matches the target of a link or a picture in Markdown or HTML.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)

// mention matches a document that source code or a script names.
var mention = regexp.MustCompile(`docs/[\w/.-]+\.(?:md|png|svg|csv)\b`)

// TestLinks follows every relative link of every document, to its heading where it names one, and
// every document that source code names.
func TestLinks(t *testing.T) {
	headings := map[string]map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		switch filepath.Ext(path) {
		case ".md":
			return follow(t, path, headings)
		case ".go", ".py", ".txtar":
			return named(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// follow checks the links of a document.
func follow(t *testing.T, path string, headings map[string]map[string]bool) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, m := range link.FindAllStringSubmatch(prose(string(text)), -1) {
		target := m[1] + m[2]
		if at, err := url.Parse(target); err != nil || at.Scheme != "" {
			continue
		}
		name, heading, _ := strings.Cut(target, "#")
		file := path
		if name != "" {
			file = filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
		}
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: the link %s leads to no file", path, target)
			continue
		}
		if heading == "" || filepath.Ext(file) != ".md" {
			continue
		}
		if headings[file] == nil {
			there, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			headings[file] = anchors(string(there))
		}
		if !headings[file][heading] {
			t.Errorf("%s: %s has no heading #%s", path, file, heading)
		}
	}
	return nil
}

// named checks the documents that a source file names, from the root.
func named(t *testing.T, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, name := range mention.FindAllString(string(text), -1) {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s names %s, which does not exist", path, name)
		}
	}
	return nil
}

// prose returns a document without its code: blocks between fences, and spans between backquotes.
func prose(text string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced && !strings.HasPrefix(line, "    ") {
			b.WriteString(regexp.MustCompile("`[^`]*`").ReplaceAllString(line, "code"))
		}
	}
	return b.String()
}

// anchors returns the names of the headings of a document, as GitHub makes them: letters, digits,
// hyphens and underscores in lower case, blanks as hyphens, and a number at those that repeat.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for line := range strings.Lines(text) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || unicode.IsMark(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(title))
		for i, first := 1, name; names[name]; i++ {
			name = fmt.Sprintf("%s-%d", first, i)
		}
		names[name] = true
	}
	return names
}
