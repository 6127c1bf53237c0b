package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const published = "forge.example/you/kernels"

// TestRename renames a small tree: the path as a whole, and nothing that only begins like it.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	files := map[string]struct{ before, after string }{
		"go.mod":        {"module old.example/mercer\n\ngo 1.26\n", "module " + published + "\n\ngo 1.26\n"},
		"a/a.go":        {"// Package a; see [old.example/mercer/b.X].\npackage a\n\nimport \"old.example/mercer/b\"\n", "// Package a; see [" + published + "/b.X].\npackage a\n\nimport \"" + published + "/b\"\n"},
		"a/sorted.go":   {"package a\n\nimport (\n\t\"old.example/mercer/b\"\n\t\"f.example/x\"\n)\n", "package a\n\nimport (\n\t\"f.example/x\"\n\t\"" + published + "/b\"\n)\n"},
		"a/near.md":     {"old.example/mercers and my.old.example/mercer stay, old.example/mercer old.example/mercer. go\n", "old.example/mercers and my.old.example/mercer stay, " + published + " " + published + ". go\n"},
		"a/picture.png": {"old.example/mercer", "old.example/mercer"},
		".git/config":   {"old.example/mercer", "old.example/mercer"},
	}
	for name, file := range files {
		write(t, filepath.Join(dir, name), []byte(file.before))
	}
	old, n, err := rename(dir, published)
	if err != nil || old != "old.example/mercer" || n != 4 {
		t.Fatalf("renamed %q in %d files: %v", old, n, err)
	}
	for name, file := range files {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got) != file.after {
			t.Errorf("%s is %q, want %q", name, got, file.after)
		}
	}
	for path, says := range map[string]string{
		published: "already", "mercer": "no module path", "https://github.com/you/mercer": "no module path", "github.com": "no module path", "github.com/you/": "no module path",
	} {
		if _, _, err := rename(dir, path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("rename to %q: %v, want an error that says %q", path, err, says)
		}
	}
	if old, _, err := rename(dir, published+"/v2"); err != nil || old != published { // the old path begins the new one
		t.Errorf("renamed %q: %v", old, err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a", "a.go")); !strings.Contains(string(got), `import "`+published+`/v2/b"`) {
		t.Errorf("a/a.go is %q", got)
	}
	if _, _, err := rename(t.TempDir(), published); err == nil || !strings.Contains(err.Error(), "root of the module") {
		t.Errorf("rename without go.mod: %v", err)
	}
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRenamedTreeBuilds renames a copy of the project, lists all of its packages, of which every
// import must be there, and compiles one with all that it stands on.
func TestRenamedTreeBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a part of the project again: it runs without -short")
	}
	dir := t.TempDir()
	if err := copyTree("../..", dir); err != nil {
		t.Fatal(err)
	}
	old, _, err := rename(dir, published)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"list", "-deps", "-test", "./..."},
		{"vet", "./kernel"},
		{"test", "-short", "./internal/rename"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s in the renamed tree: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(name) == filepath.Join(dir, "internal", "rename") {
			return err
		}
		text, err := os.ReadFile(name)
		if strings.Contains(string(text), old) {
			t.Errorf("%s still names %s", name, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// copyTree copies the files of the project, without folders that begin with a dot.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && rel != ".":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
}
