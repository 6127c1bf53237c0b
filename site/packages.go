package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"html/template"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// packageFolder is where the pages of packages are within the site.
const packageFolder = "packages"

// packages adds a page for every package that others can import, and the list of them.
func (s *Site) packages() error {
	module, err := moduleOf(s.source)
	if err != nil {
		return err
	}
	var list strings.Builder
	err = filepath.WalkDir(s.source, func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.source, at)
		name = filepath.ToSlash(name)
		if err != nil || name != "." && (strings.HasPrefix(e.Name(), ".") || nested(at) || slices.Contains([]string{"internal", "testdata", "cmd", "docs", "bench", "python"}, e.Name())) {
			return fs.SkipDir
		}
		p, set, err := documented(at, module, name)
		if p == nil || err != nil {
			return err
		}
		page := packagePage(module, name, p, set)
		s.add(page)
		fmt.Fprintf(&list, "<li><a href=%q>%s</a> %s</li>\n", relative(packageFolder+"/index.html", page.Path), p.ImportPath, template.HTMLEscapeString(p.Synopsis(p.Doc)))
		return nil
	})
	s.add(&Page{Path: packageFolder + "/index.html", Title: "Packages", Section: sectionOf(packageFolder + "/index.html"), Body: template.HTML("<h1>Packages</h1>\n<ul class=\"packages\">\n" + list.String() + "</ul>\n")})
	return err
}

// documented reads the package in a folder, with the places of its declarations; nil: there is
// none, or none for this platform.
func documented(at, module, name string) (*doc.Package, *token.FileSet, error) {
	set := token.NewFileSet()
	of, err := build.ImportDir(at, 0)
	var none *build.NoGoError
	if errors.As(err, &none) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var files []*ast.File
	for _, file := range slices.Concat(of.GoFiles, of.TestGoFiles, of.XTestGoFiles) {
		if strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "example") {
			continue
		}
		parsed, err := parser.ParseFile(set, filepath.Join(at, file), nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, parsed)
	}
	if len(files) == 0 {
		return nil, nil, nil
	}
	p, err := doc.NewFromFiles(set, files, path.Join(module, name))
	return p, set, err
}

// packagePage is the page of a package.
func packagePage(module, name string, p *doc.Package, set *token.FileSet) *Page {
	page := &Page{Path: path.Join(packageFolder, name, "index.html"), Title: name}
	if name == "." {
		page.Path, page.Title = path.Join(packageFolder, "mercer.html"), p.Name
	}
	page.Section = sectionOf(page.Path)
	w := &packageWriter{p: p, module: module, page: page, set: set}
	w.printer = p.Printer()
	w.printer.DocLinkURL, w.printer.HeadingLevel = w.link, 3
	w.write()
	page.Body = template.HTML(w.out.String())
	return page
}

// packageWriter writes the page of a package.
type packageWriter struct {
	p       *doc.Package
	module  string
	page    *Page
	set     *token.FileSet
	printer *comment.Printer
	out     strings.Builder
}

// link is where a comment leads: within the page, to another package, or to the standard library.
func (w *packageWriter) link(l *comment.DocLink) string {
	place := l.Name
	if l.Recv != "" {
		place = l.Recv + "." + l.Name
	}
	switch name, own := strings.CutPrefix(l.ImportPath, w.module); {
	case l.ImportPath == "":
		return "#" + place
	case own && !strings.Contains(name, "internal"):
		to := relative(w.page.Path, path.Join(packageFolder, strings.TrimPrefix(name, "/"), "index.html"))
		if place != "" {
			to += "#" + place
		}
		return to
	}
	return l.DefaultURL("https://pkg.go.dev/")
}

func (w *packageWriter) comment(text string) {
	w.out.Write(w.printer.HTML(w.p.Parser().Parse(text)))
}

// declaration writes one, with its place in the page, and what its comment says.
func (w *packageWriter) declaration(id, title string, of ast.Node, text string, examples []*doc.Example) {
	if title != "" {
		fmt.Fprintf(&w.out, "<h3 id=%q>%s</h3>\n", id, template.HTMLEscapeString(title))
		w.page.texts = append(w.page.texts, passage{title, id, text})
	}
	var code strings.Builder
	if err := format.Node(&code, w.set, of); err == nil {
		fmt.Fprintf(&w.out, "<pre><code>%s</code></pre>\n", template.HTMLEscapeString(code.String()))
	}
	w.comment(text)
	for _, e := range examples {
		var code strings.Builder
		if err := format.Node(&code, w.set, e.Code); err == nil {
			fmt.Fprintf(&w.out, "<details><summary>Example</summary><pre><code>%s</code></pre><p>prints</p><pre>%s</pre></details>\n", template.HTMLEscapeString(code.String()), template.HTMLEscapeString(e.Output))
		}
	}
}

func (w *packageWriter) write() {
	p := w.p
	fmt.Fprintf(&w.out, "<h1>package %s</h1>\n<pre><code>import %q</code></pre>\n", p.Name, p.ImportPath)
	w.page.texts = append(w.page.texts, passage{"package " + p.ImportPath, "", p.Doc})
	w.comment(p.Doc)
	w.values("Constants", p.Consts)
	w.values("Variables", p.Vars)
	if len(p.Funcs) > 0 {
		w.out.WriteString("<h2>Functions</h2>\n")
	}
	for _, f := range p.Funcs {
		w.declaration(f.Name, "func "+f.Name, f.Decl, f.Doc, f.Examples)
	}
	if len(p.Types) > 0 {
		w.out.WriteString("<h2>Types</h2>\n")
	}
	for _, t := range p.Types {
		w.members(t)
		w.declaration(t.Name, "type "+t.Name, t.Decl, t.Doc, t.Examples)
		w.values("", t.Consts)
		w.values("", t.Vars)
		for _, f := range t.Funcs {
			w.declaration(f.Name, "func "+f.Name, f.Decl, f.Doc, f.Examples)
		}
		for _, m := range t.Methods {
			w.declaration(t.Name+"."+m.Name, fmt.Sprintf("func (%s) %s", m.Recv, m.Name), m.Decl, m.Doc, m.Examples)
		}
	}
}

// values writes constants or variables, with places for all of them.
func (w *packageWriter) values(title string, of []*doc.Value) {
	if title != "" && len(of) > 0 {
		fmt.Fprintf(&w.out, "<h2>%s</h2>\n", title)
	}
	for _, v := range of {
		for _, name := range v.Names {
			if name != "_" {
				fmt.Fprintf(&w.out, "<a id=%q></a>", name)
			}
		}
		w.declaration("", "", v.Decl, v.Doc, nil)
	}
}

// members writes the places of the fields of a struct, and of the methods of an interface: comments
// link to them.
func (w *packageWriter) members(t *doc.Type) {
	for _, spec := range t.Decl.Specs {
		var list *ast.FieldList
		switch of := spec.(*ast.TypeSpec).Type.(type) {
		case *ast.StructType:
			list = of.Fields
		case *ast.InterfaceType:
			list = of.Methods
		default:
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				fmt.Fprintf(&w.out, "<a id=%q></a>", t.Name+"."+name.Name)
			}
		}
	}
}
