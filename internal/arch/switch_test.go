package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// The packages whose types are methods, and those that may be tempted to ask which one they have.
const (
	methodTypes     = "learner/methods"
	aboveTheMethods = "learner learner/methods task search outcome/... model tune cmd/... ."
)

// knownSwitches counts by file the places that ask for the type or the name of a method.
var knownSwitches = map[string]int{}

// TestMethodsAreNotSwitchedOn finds type switches, assertions and comparisons that ask which
// method, or the report of which method, a value is. Such a place has to be found and changed
// whenever a method is added; ask the value instead (an ability, its needs, its lines). In the
// file that declares a method its own report may be asserted.
func TestMethodsAreNotSwitchedOn(t *testing.T) {
	tr := theTree(t)
	if methods, names := tr.methods(); len(methods) == 0 || len(names) == 0 {
		t.Fatalf("no methods found in %s", methodTypes)
	}
	onlyKnownPlaces(t, "what differs between methods is asked of the method, by an interface or a field of its description", knownSwitches, tr.switchesOnMethods())
}

// switchesOnMethods finds them by file.
func (t *tree) switchesOnMethods() places {
	methods, names := t.methods()
	found := places{}
	for _, pkg := range t.packages {
		if !standsIn(aboveTheMethods, pkg.dir) {
			continue
		}
		for _, f := range pkg.files {
			of := &kinds{t, pkg, f, methods, names}
			ast.Inspect(f.File, func(n ast.Node) bool {
				for _, at := range of.asked(n) {
					found.add(f.name(), t.at(at))
				}
				return true
			})
		}
	}
	return found
}

// knownReflection lists the files that import reflect.
var knownReflection = map[string]int{}

// TestReflection finds imports of reflect.
func TestReflection(t *testing.T) {
	found := places{}
	for _, pkg := range theTree(t).packages {
		for _, f := range pkg.files {
			for _, spec := range f.Imports {
				if spec.Path.Value == `"reflect"` {
					found.add(f.name(), f.path)
				}
			}
		}
	}
	onlyKnownPlaces(t, "reflect is for encoders", knownReflection, found)
}

// methods returns the types that are methods, as package folder and name, with the files that
// declare them, and what the methods are called.
func (t *tree) methods() (declared map[string]string, names map[string]bool) {
	declared, names = map[string]string{}, map[string]bool{}
	for _, pkg := range t.packages {
		if !standsIn(methodTypes, pkg.dir) {
			continue
		}
		abilities := map[string]map[string]bool{}
		for _, f := range pkg.files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil {
					continue
				}
				receiver := typeName(fn.Recv.List[0].Type)
				if abilities[receiver] == nil {
					abilities[receiver] = map[string]bool{}
				}
				abilities[receiver][strings.ToLower(fn.Name.Name)] = true
			}
		}
		for _, f := range pkg.files {
			for name := range types(f) {
				if a := abilities[name]; a["fit"] && (a["name"] || a["spec"]) {
					declared[pkg.dir+" "+name] = f.path
				}
			}
			ast.Inspect(f.File, func(n ast.Node) bool {
				for _, name := range namesOf(n) {
					names[name] = true
				}
				return true
			})
		}
	}
	return declared, names
}

// namesOf returns the names that a node gives to methods: what a function Name of a type returns,
// or the field Name of a Spec.
func namesOf(n ast.Node) (names []string) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil && n.Name.Name == "Name" && n.Body != nil {
			ast.Inspect(n.Body, func(n ast.Node) bool {
				if text, ok := literal(n); ok {
					names = append(names, text)
				}
				return true
			})
		}
	case *ast.CompositeLit:
		if typeName(n.Type) != "Spec" {
			return nil
		}
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && typeName(kv.Key) == "Name" {
				if text, ok := literal(kv.Value); ok {
					names = append(names, text)
				}
			}
		}
	}
	return names
}

// literal returns the text of a string literal.
func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// kinds knows what the methods and their reports are called in one file.
type kinds struct {
	tree    *tree
	pkg     *source
	file    *file
	methods map[string]string
	names   map[string]bool
}

// asked returns the positions at which a node asks which method something is.
func (k *kinds) asked(n ast.Node) (at []token.Pos) {
	switch n := n.(type) {
	case *ast.TypeAssertExpr:
		if n.Type != nil && k.isMethod(n.Type) {
			at = append(at, n.Pos())
		}
	case *ast.TypeSwitchStmt:
		for _, c := range n.Body.List {
			for _, of := range c.(*ast.CaseClause).List {
				if k.isMethod(of) {
					at = append(at, of.Pos())
				}
			}
		}
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			for _, of := range c.(*ast.CaseClause).List {
				if k.isName(of) {
					at = append(at, of.Pos())
				}
			}
		}
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) && (k.isName(n.X) || k.isName(n.Y)) {
			at = append(at, n.Pos())
		}
	}
	return at
}

// isName reports whether an expression is the name of a method, as text or as asked of one.
func (k *kinds) isName(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Name" {
			return false
		}
		lit, ok := sel.X.(*ast.CompositeLit) // KRR{}.Name()
		return ok && lit.Type != nil && k.isMethod(lit.Type)
	}
	text, ok := literal(e)
	return ok && k.names[text]
}

// isMethod reports whether a type is a method or the report of one, and is not at home in this
// file.
func (k *kinds) isMethod(e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	dir, name := k.pkg.dir, typeName(e)
	if sel, ok := unindexed(e).(*ast.SelectorExpr); ok {
		x, ok := sel.X.(*ast.Ident)
		if !ok {
			return false
		}
		dir = k.tree.imported(k.file, x.Name)
	}
	if home, method := k.methods[dir+" "+name]; method {
		return !athome(home, k.file.path)
	}
	if !strings.HasSuffix(name, "Report") || !standsIn("supervised/... unsupervised/... approx/...", dir) {
		return false
	}
	for _, home := range k.methods {
		if athome(home, k.file.path) {
			return false // the file of a method reads the report of its own package
		}
	}
	return true
}

// athome reports whether a file is that of a method, krr.go, or one more of it, krr_state.go.
func athome(home, file string) bool {
	return file == home || strings.HasPrefix(file, strings.TrimSuffix(home, ".go")+"_")
}
