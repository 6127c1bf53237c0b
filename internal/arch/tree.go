package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A tree is every Go file of the module, parsed once.
type tree struct {
	root     string // the folder of go.mod
	module   string // the path in go.mod, which whoever publishes the project may change
	fset     *token.FileSet
	packages []*source // by their folder
}

// A source is one package as it stands on disk, for every platform at once.
type source struct {
	dir      string // slash-separated, relative to the root
	files    []*file
	tests    []*file
	internal []string // folders of the project that the package imports; its tests are free
	external []string
	doc      string
}

// A file is one Go file.
type file struct {
	*ast.File
	path      string // slash-separated, relative to the root
	text      string
	lines     int
	generated bool
}

// name returns the file's name without its folder.
func (f *file) name() string { return path.Base(f.path) }

// at returns file:line of a position.
func (t *tree) at(p token.Pos) string {
	where := t.fset.Position(p)
	return fmt.Sprintf("%s:%d", t.relative(where.Filename), where.Line)
}

func (t *tree) relative(name string) string {
	rel, err := filepath.Rel(t.root, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// find returns the package of a folder, or nil.
func (t *tree) find(dir string) *source {
	i, found := slices.BinarySearchFunc(t.packages, dir, func(s *source, dir string) int { return strings.Compare(s.dir, dir) })
	if !found {
		return nil
	}
	return t.packages[i]
}

// folderOf returns the folder of an imported package, and whether it is one of the project.
func (t *tree) folderOf(imported string) (dir string, ours bool) {
	if imported == t.module {
		return ".", true
	}
	return strings.CutPrefix(imported, t.module+"/")
}

// imported returns the folder of the package that a file calls by a name; "" if it is not one
// of the project.
func (t *tree) imported(f *file, name string) string {
	for _, spec := range f.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		dir, ours := t.folderOf(to)
		if !ours {
			continue
		}
		called := path.Base(to)
		if spec.Name != nil {
			called = spec.Name.Name
		} else if pkg := t.find(dir); pkg != nil && len(pkg.files) > 0 {
			called = pkg.files[0].Name.Name
		}
		if called == name {
			return dir
		}
	}
	return ""
}

// readTree parses the module that a folder is in. Folders with their own go.mod are other
// modules and are left out, and so is testdata.
func readTree(within string) (*tree, error) {
	root, err := filepath.Abs(within)
	if err != nil {
		return nil, err
	}
	for !exists(filepath.Join(root, "go.mod")) {
		above := filepath.Dir(root)
		if above == root {
			return nil, fmt.Errorf("there is no go.mod in %s or above it: start the command inside the project", within)
		}
		root = above
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	t := &tree{root: root, module: strings.TrimSpace(strings.TrimPrefix(first, "module ")), fset: token.NewFileSet()}
	found := map[string]*source{}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if p != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || exists(filepath.Join(p, "go.mod"))) {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(p, ".go"):
			return nil
		}
		return t.add(found, p)
	})
	if err != nil {
		return nil, err
	}
	for _, pkg := range found {
		t.packages = append(t.packages, pkg)
	}
	slices.SortFunc(t.packages, func(a, b *source) int { return strings.Compare(a.dir, b.dir) })
	return t, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func (t *tree) add(found map[string]*source, p string) error {
	text, err := os.ReadFile(p)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(t.fset, p, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f := &file{File: parsed, path: t.relative(p), text: string(text), generated: ast.IsGenerated(parsed)}
	f.lines = strings.Count(f.text, "\n")
	dir := path.Dir(f.path)
	pkg := found[dir]
	if pkg == nil {
		pkg = &source{dir: dir}
		found[dir] = pkg
	}
	if strings.HasSuffix(p, "_test.go") {
		pkg.tests = append(pkg.tests, f)
		return nil
	}
	pkg.files = append(pkg.files, f)
	if f.Doc != nil {
		pkg.doc += f.Doc.Text()
	}
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		to := &pkg.external
		if dir, ours := t.folderOf(name); ours {
			name, to = dir, &pkg.internal
		}
		if !slices.Contains(*to, name) {
			*to = append(*to, name)
		}
	}
	return nil
}
