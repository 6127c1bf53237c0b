package main

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// How large a package may be, tests and generated code apart. Files are counted because each is
// a concept that a reader has to find, exported names because each is one to know.
const (
	maxFiles     = 45
	maxLines     = 6000
	maxExported  = 80
	minAverage   = 40  // lines per file: below it concepts are cut to pieces,
	fewFiles     = 5   // where a package has more than these
	maxFileLines = 550 // above it a concept hides that wants its own file
	maxFunction  = 60  // lines of a function
	maxInterface = 8   // methods of an interface, those of embedded ones included
)

var (
	knownFiles      = map[string]int{}
	knownLines      = map[string]int{} // the next hundred
	knownExported   = map[string]int{}
	knownAverages   = map[string]int{} // lines that are missing
	knownFunctions  = map[string]int{}
	knownInterfaces = map[string]int{}
)

// TestPackageSize counts files, lines and exported top-level names of every package.
func TestPackageSize(t *testing.T) {
	files, lines, exported, averages := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, pkg := range theTree(t).packages {
		written := pkg.written()
		sum, names := 0, map[string]bool{}
		for _, f := range written {
			sum += f.lines
			names[f.withoutPlatform()] = true
		}
		if len(names) > maxFiles {
			files[pkg.dir] = len(names)
		}
		if sum > maxLines {
			lines[pkg.dir] = sum
		}
		if n := len(exportedNames(written)); n > maxExported {
			exported[pkg.dir] = n
		}
		if missing := minAverage*len(names) - sum; missing > 0 && len(names) > fewFiles {
			averages[pkg.dir] = missing
		}
	}
	onlyKnown(t, "a package has at most 45 files: part it where few arrows go up", knownFiles, files)
	onlyKnown(t, "a package has at most 6,000 lines: part it where few arrows go up", knownLines, lines)
	onlyKnown(t, "a package exports at most 80 names: what only one caller needs is no part of it", knownExported, exported)
	onlyKnown(t, "files have 40 lines on average (this many are missing): put into one file what is one concept", knownAverages, averages)
}

// TestFileLength wants a name for the concept that a long file hides.
func TestFileLength(t *testing.T) {
	for _, pkg := range theTree(t).packages {
		for _, f := range pkg.written() {
			if f.lines > maxFileLines {
				t.Errorf("%s has %d lines, more than %d: look for the concept that wants its own file", f.path, f.lines, maxFileLines)
			}
		}
	}
}

// TestFunctionLength wants a name for the step that a long function hides.
func TestFunctionLength(t *testing.T) {
	onlyKnown(t, "a function has at most 60 lines: name the steps", knownFunctions, theTree(t).longFunctions())
}

func (t *tree) longFunctions() map[string]int {
	long := map[string]int{}
	for _, pkg := range t.packages {
		for _, f := range pkg.written() {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				if n := t.fset.Position(fn.End()).Line - t.fset.Position(fn.Pos()).Line + 1; n > maxFunction {
					long[path.Base(pkg.dir)+"."+functionName(fn)] = n
				}
			}
		}
	}
	return long
}

// TestInterfaceSize wants interfaces that one can implement without the help of a base type.
func TestInterfaceSize(t *testing.T) {
	onlyKnown(t, "an interface has at most 8 methods: declare where it is used what is used there", knownInterfaces, theTree(t).largeInterfaces())
}

func (t *tree) largeInterfaces() map[string]int {
	large := map[string]int{}
	for _, pkg := range t.packages {
		for _, f := range pkg.written() {
			for name, spec := range types(f) {
				if of, ok := spec.Type.(*ast.InterfaceType); ok {
					if n := len(t.methodsOf(pkg, f, of)); n > maxInterface {
						large[path.Base(pkg.dir)+"."+name] = n
					}
				}
			}
		}
	}
	return large
}

// written returns the files of a package that people write and that are no tests.
func (s *source) written() []*file {
	var out []*file
	for _, f := range s.files {
		if !f.generated && !strings.HasSuffix(f.name(), "_gen.go") {
			out = append(out, f)
		}
	}
	return out
}

var forPlatform = regexp.MustCompile(`_(amd64|arm64|linux|darwin|windows|unix|other|portable|on|off)$`)

// withoutPlatform returns the name of a file without the platform that it is for: the files of
// one name are one concept, written once for each.
func (f *file) withoutPlatform() string {
	return forPlatform.ReplaceAllString(strings.TrimSuffix(f.name(), ".go"), "")
}

// exportedNames returns the exported top-level names of files: no methods and no fields.
func exportedNames(files []*file) map[string]bool {
	names := map[string]bool{}
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names[id.Name] = true
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							add(id)
						}
					}
				}
			}
		}
	}
	return names
}

// types returns the types that a file declares.
func types(f *file) map[string]*ast.TypeSpec {
	out := map[string]*ast.TypeSpec{}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			for _, spec := range d.Specs {
				spec := spec.(*ast.TypeSpec)
				out[spec.Name.Name] = spec
			}
		}
	}
	return out
}

// typeNamed returns a type of a package and the file that declares it.
func (s *source) typeNamed(name string) (*file, *ast.TypeSpec) {
	for _, f := range s.files {
		if spec := types(f)[name]; spec != nil {
			return f, spec
		}
	}
	return nil, nil
}

// functionName returns Name or Type.Name of a function.
func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return typeName(fn.Recv.List[0].Type) + "." + fn.Name.Name
}

// typeName returns the name of a type expression without pointers, packages and arguments.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// methodsOf returns the names of the methods of an interface, those of embedded interfaces of
// the project included.
func (t *tree) methodsOf(pkg *source, f *file, of *ast.InterfaceType) map[string]bool {
	methods := map[string]bool{}
	for _, m := range of.Methods.List {
		for _, id := range m.Names {
			methods[id.Name] = true
		}
		if len(m.Names) > 0 {
			continue
		}
		in := pkg
		if sel, ok := unindexed(m.Type).(*ast.SelectorExpr); ok {
			in = t.find(t.imported(f, sel.X.(*ast.Ident).Name))
		}
		if in == nil {
			continue
		}
		if from, spec := in.typeNamed(typeName(m.Type)); spec != nil {
			if embedded, ok := spec.Type.(*ast.InterfaceType); ok {
				for name := range t.methodsOf(in, from, embedded) {
					methods[name] = true
				}
			}
		}
	}
	return methods
}

// unindexed returns a generic type without its arguments.
func unindexed(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X
	case *ast.IndexListExpr:
		return e.X
	}
	return e
}
