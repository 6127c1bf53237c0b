package main

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

// TestEveryPackageIsDocumented wants a package comment that begins as godoc expects.
func TestEveryPackageIsDocumented(t *testing.T) {
	for _, pkg := range theTree(t).packages {
		if len(pkg.files) == 0 {
			continue
		}
		want := "Package " + pkg.files[0].Name.Name + " "
		if pkg.files[0].Name.Name == "main" {
			want = "Command " + path.Base(pkg.dir) + " "
		}
		if !strings.HasPrefix(pkg.doc, want) {
			t.Errorf("package %s: its comment does not begin with %q", pkg.dir, want)
		}
	}
}

// TestLibrariesNeverPrint finds uses of the standard streams, of loggers and of os.Exit outside
// of the commands. The server tells a logger that its caller gives what no answer can tell.
func TestLibrariesNeverPrint(t *testing.T) {
	tr := theTree(t)
	for _, pkg := range tr.packages {
		if strings.HasPrefix(pkg.dir, "cmd/") || pkg.files[0].Name.Name == "main" {
			continue
		}
		for _, f := range pkg.files {
			ast.Inspect(f.File, func(n ast.Node) bool {
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
					x.Name == "log" || x.Name == "slog" && pkg.dir != "serve" ||
					x.Name == "os" && (name == "Stdout" || name == "Stderr" || name == "Exit")
				if prints {
					t.Errorf("%s uses %s.%s: libraries return, they never print", tr.at(n.Pos()), x.Name, name)
				}
				return true
			})
		}
	}
}
