package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// modulePath matches a path that the go command can fetch: a host with a dot, and folders below it.
var modulePath = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9][A-Za-z0-9._~-]*)+$`)

// texts are the kinds of files that may name the path.
var texts = map[string]bool{".go": true, ".mod": true, ".md": true, ".txtar": true, ".py": true, ".s": true, ".html": true, ".js": true, ".txt": true}

// rename gives the module in a folder another path, in go.mod and wherever a file names it. It
// returns the path before, and the number of files that it wrote.
func rename(dir, path string) (old string, files int, err error) {
	if !modulePath.MatchString(path) {
		return "", 0, fmt.Errorf("%q is no module path: write a host with a dot and a folder, such as github.com/you/mercer", path)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", 0, fmt.Errorf("%w: run this in the root of the module", err)
	}
	first, _, _ := strings.Cut(string(mod), "\n")
	old, ok := strings.CutPrefix(strings.TrimSpace(first), "module ")
	switch {
	case !ok:
		return "", 0, fmt.Errorf("go.mod begins with %q instead of the module's path", first)
	case old == path:
		return "", 0, fmt.Errorf("the module is %s already", path)
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != dir:
			return fs.SkipDir
		case !d.Type().IsRegular() || !texts[filepath.Ext(name)]:
			return nil
		}
		wrote, err := rewrite(name, old, path)
		if wrote {
			files++
		}
		return err
	})
	return old, files, err
}

// rewrite replaces the path in a file, and sorts the imports of Go again.
func rewrite(name, old, path string) (bool, error) {
	was, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	text := replaced(was, old, path)
	if bytes.Equal(was, text) {
		return false, nil
	}
	if filepath.Ext(name) == ".go" {
		if done, err := format.Source(text); err == nil { // a file of test data need not be Go
			text = done
		}
	}
	info, err := os.Stat(name)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(name, text, info.Mode().Perm())
}

// replaced replaces a path where it stands as a whole: a.b/c is no part of a.b/cd, a.b/c-d or
// x.a.b/c.
func replaced(text []byte, old, path string) []byte {
	var out []byte
	for {
		at := bytes.Index(text, []byte(old))
		if at < 0 {
			return append(out, text...)
		}
		end := at + len(old)
		whole := (at == 0 || !bytes.ContainsRune([]byte("./-_"), rune(text[at-1])) && !letter(text[at-1])) &&
			(end == len(text) || text[end] != '-' && text[end] != '_' && !letter(text[end]))
		out = append(out, text[:at]...)
		if whole {
			out = append(out, path...)
		} else {
			out = append(out, old...)
		}
		text = text[end:]
	}
}

// letter reports whether a byte is an ASCII letter or a digit.
func letter(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
