package main

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	mark "github.com/yuin/goldmark/text"
)

// markdown reads the Markdown of this tree, with its HTML as it is: all of it is our own.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(html.WithUnsafe()))

// document adds the page of a Markdown file.
func (s *Site) document(name string) error {
	source, err := os.ReadFile(filepath.Join(s.source, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	page := &Page{Path: pagePath(name), Title: strings.TrimSuffix(path.Base(name), ".md")}
	page.Section = sectionOf(page.Path)
	root := markdown.Parser().Parse(mark.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	part := passage{}
	err = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if part.words != "" {
				page.texts = append(page.texts, part)
			}
			title := words(n, source)
			if n.Level == 1 {
				page.Title = title
			}
			part = passage{title: title, anchor: anchorOf(n)}
		case *ast.Link:
			n.Destination = []byte(s.target(name, string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(s.target(name, string(n.Destination)))
		case *ast.Paragraph, *ast.TextBlock, *ast.CodeBlock, *ast.FencedCodeBlock, *tables.TableCell:
			part.words += " " + words(n, source)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	page.texts = append(page.texts, part)
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, root); err != nil {
		return err
	}
	page.Body = template.HTML(s.alive(page.Path, out.String()))
	s.add(page)
	return nil
}

// target is where a link of a document leads within the site, from its page on.
func (s *Site) target(document, link string) string {
	at, err := url.Parse(link)
	if err != nil || at.Scheme != "" || at.Host != "" || at.Path == "" {
		return link
	}
	name := path.Join(path.Dir(document), at.Path)
	switch {
	case path.Ext(name) == ".md":
		at.Path = pagePath(name)
	case path.Ext(name) == "" && s.isFolder(name):
		s.linked[name] = true
		at.Path = path.Join(name, "index.html")
	default:
		s.linked[name] = true
		at.Path = filePath(name)
	}
	at.Path = relative(pagePath(document), at.Path)
	return at.String()
}

func (s *Site) isFolder(name string) bool {
	info, err := os.Stat(filepath.Join(s.source, filepath.FromSlash(name)))
	return err == nil && info.IsDir()
}

// relative is the way from a page to another file of the site.
func relative(page, to string) string {
	way, err := filepath.Rel(path.Dir(page), to)
	if err != nil {
		return to // both are relative to the root
	}
	return filepath.ToSlash(way)
}

// words is the text of a node.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				b.Write(line.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// anchorOf is the name of a heading.
func anchorOf(n *ast.Heading) string {
	id, ok := n.AttributeString("id")
	if !ok {
		return ""
	}
	return string(id.([]byte))
}

// anchors gives headings the names that links in the tree use: letters, digits, hyphens and
// underscores in lower case, blanks as hyphens, and a number at those that repeat.
type anchors map[string]bool

// Generate makes the name of a heading.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	for i, first := 1, name; a[name]; i++ {
		name = fmt.Sprintf("%s-%d", first, i)
	}
	a[name] = true
	return []byte(name)
}

// Put keeps a name that is taken.
func (a anchors) Put(value []byte) { a[string(value)] = true }
