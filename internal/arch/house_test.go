package arch

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

// TestEveryPackageIsDocumented wants a package comment that begins as godoc expects.
func TestEveryPackageIsDocumented(t *testing.T) {
	for _, pkg := range packages(t) {
		want := "Package " + pkg.files[0].Name.Name + " "
		if pkg.files[0].Name.Name == "main" {
			want = "Command " + path.Base(pkg.dir) + " "
		}
		if !strings.HasPrefix(pkg.doc, want) {
			t.Errorf("package %s: its comment does not begin with %q", pkg.dir, want)
		}
	}
}

// TestLibrariesNeverPrint finds uses of the standard streams, of loggers and of
// os.Exit outside of the commands.
func TestLibrariesNeverPrint(t *testing.T) {
	for _, pkg := range packages(t) {
		if strings.HasPrefix(pkg.dir, "cmd/") || strings.HasPrefix(pkg.dir, "bench/") {
			continue
		}
		for _, file := range pkg.files {
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, ok := sel.X.(*ast.Ident)
				if !ok {
					return true
				}
				name := sel.Sel.Name
				prints := x.Name == "fmt" && strings.HasPrefix(name, "Print") ||
					x.Name == "log" || x.Name == "slog" ||
					x.Name == "os" && (name == "Stdout" || name == "Stderr" || name == "Exit")
				if prints {
					t.Errorf("%s uses %s.%s: libraries return, they never print", pkg.fset.Position(n.Pos()), x.Name, name)
				}
				return true
			})
		}
	}
}

// TestFileLength wants a name for the concept that a long file hides.
func TestFileLength(t *testing.T) {
	const limit = 550
	for _, pkg := range packages(t) {
		for name, lines := range pkg.lines {
			if lines > limit && !strings.HasSuffix(name, "_gen.go") {
				t.Errorf("%s has %d lines, more than %d: look for the concept that wants its own file", path.Join(pkg.dir, name), lines, limit)
			}
		}
	}
}
