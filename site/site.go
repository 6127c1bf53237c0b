package main

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Site is what a site is made of, before it is written.
type Site struct {
	source string
	lab    bool // the site has the lab, so that figures can be alive
	pages  []*Page
	files  map[string][]byte // by their paths within the site
	linked map[string]bool   // files of the tree, and folders, that pages link to
}

// Page is one page: a document, the list of a folder, or a package.
type Page struct {
	Path    string // within the site, such as docs/guide/auto.html
	Title   string
	Section string // of the list at the side
	Body    template.HTML
	texts   []passage // what is found in it
}

//go:embed template.html style.css site.js icon.svg
var parts embed.FS

var layout = template.Must(template.ParseFS(parts, "template.html"))

// skipped are folders whose documents are not for readers of the site.
var skipped = []string{"testdata", "node_modules"}

// Make renders the documents and the packages of a tree.
func Make(source string, lab bool) (*Site, error) {
	s := &Site{source: source, lab: lab, files: map[string][]byte{}, linked: map[string]bool{}}
	names, err := documents(source)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := s.document(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := s.packages(); err != nil {
		return nil, err
	}
	if err := s.linkedFiles(); err != nil {
		return nil, err
	}
	if err := s.finish(); err != nil {
		return nil, err
	}
	for _, name := range []string{"style.css", "site.js", "icon.svg"} {
		if s.files[name], err = parts.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return s, s.index()
}

// documents are the Markdown files of a tree, by their paths in it.
func documents(source string) (names []string, err error) {
	err = filepath.WalkDir(source, func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && at != source && (strings.HasPrefix(e.Name(), ".") || slices.Contains(skipped, e.Name())):
			return fs.SkipDir
		case e.IsDir() || filepath.Ext(at) != ".md":
			return nil
		}
		name, err := filepath.Rel(source, at)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}

// pagePath is where the page of a document stands: README.md is the page of its folder.
func pagePath(name string) string {
	if path.Base(name) == "README.md" {
		return path.Join(path.Dir(name), "index.html")
	}
	return strings.TrimSuffix(name, ".md") + ".html"
}

// add adds a page.
func (s *Site) add(p *Page) { s.pages = append(s.pages, p) }

// finish puts every page into the layout, with the list of all pages.
func (s *Site) finish() error {
	slices.SortFunc(s.pages, func(a, b *Page) int { return cmp.Compare(a.Path, b.Path) })
	for _, p := range s.pages {
		var out bytes.Buffer
		err := layout.Execute(&out, map[string]any{"Page": p, "Root": up(p.Path), "Sections": s.sections(p), "Lab": s.lab})
		if err != nil {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
		if s.files[p.Path] != nil {
			return fmt.Errorf("two documents become %s", p.Path)
		}
		s.files[p.Path] = out.Bytes()
	}
	return nil
}

// up is the way from a page to the root of the site: "", "../", "../../".
func up(page string) string { return strings.Repeat("../", strings.Count(page, "/")) }

// linkedFiles adds the files that pages link to and that are no pages: pictures, data, programs;
// and lists of the folders.
func (s *Site) linkedFiles() error {
	for name := range s.linked {
		at := filepath.Join(s.source, filepath.FromSlash(name))
		info, err := os.Stat(at)
		if err != nil {
			continue // the check says who links to it
		}
		if info.IsDir() {
			s.folder(name)
			continue
		}
		content, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		s.files[filePath(name)] = content
	}
	return nil
}

// shown are files that browsers show or save as they are. Others are shown as text.
var shown = []string{".png", ".svg", ".csv", ".json", ".txt", ".html", ".css", ".js", ".yaml"}

// filePath is where a file of the tree stands within the site.
func filePath(name string) string {
	if slices.Contains(shown, path.Ext(name)) {
		return name
	}
	return name + ".txt"
}

// folder adds the list of a folder that has no page of its own.
func (s *Site) folder(name string) {
	page := path.Join(name, "index.html")
	if slices.ContainsFunc(s.pages, func(p *Page) bool { return p.Path == page }) {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1>\n<ul>\n", template.HTMLEscapeString(name))
	for _, p := range s.pages {
		if path.Dir(p.Path) == name {
			fmt.Fprintf(&b, "<li><a href=%q>%s</a></li>\n", path.Base(p.Path), template.HTMLEscapeString(p.Title))
		}
	}
	b.WriteString("</ul>\n")
	s.add(&Page{Path: page, Title: name, Body: template.HTML(b.String())})
}
