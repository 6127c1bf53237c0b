package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// module is the path in go.mod, which whoever publishes the project may change.
var module = modulePath()

func modulePath() string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(first, "module ")
}

// source is one package of the project as its non-test files stand on disk.
type source struct {
	dir      string // slash-separated, relative to the root
	internal []string
	external []string
	doc      string
	lines    map[string]int
	files    []*ast.File
	fset     *token.FileSet
}

// packages parses every non-test Go file of the module; folders with their own
// go.mod are other modules and are left out.
func packages(t *testing.T) []*source {
	t.Helper()
	found := map[string]*source{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(p, "go.mod"))
			if p != root && (err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		return add(found, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no packages found")
	}
	var out []*source
	for _, pkg := range found {
		out = append(out, pkg)
	}
	slices.SortFunc(out, func(a, b *source) int { return strings.Compare(a.dir, b.dir) })
	return out
}

func add(found map[string]*source, p string) error {
	text, err := os.ReadFile(p)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(root, filepath.Dir(p))
	if err != nil {
		return err
	}
	dir := filepath.ToSlash(rel)
	pkg := found[dir]
	if pkg == nil {
		pkg = &source{dir: dir, lines: map[string]int{}, fset: token.NewFileSet()}
		found[dir] = pkg
	}
	file, err := parser.ParseFile(pkg.fset, p, text, parser.ParseComments)
	if err != nil {
		return err
	}
	pkg.files = append(pkg.files, file)
	pkg.lines[filepath.Base(p)] = strings.Count(string(text), "\n")
	if file.Doc != nil {
		pkg.doc += file.Doc.Text()
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		to := &pkg.external
		if name == module || strings.HasPrefix(name, module+"/") {
			name, to = strings.TrimPrefix(strings.TrimPrefix(name, module), "/"), &pkg.internal
		}
		if !slices.Contains(*to, name) {
			*to = append(*to, name)
		}
	}
	return nil
}
