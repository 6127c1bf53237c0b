package main

import (
	"path"
	"slices"
	"strings"
)

// The list at the side has these sections, in this order: folders of pages.
var sections = []struct{ folder, title string }{
	{"docs/start", "Begin"},
	{"docs/guide", "Guides"},
	{"docs/methods", "Methods"},
	{"docs/reference", "Reference"},
	{"docs/results", "Measured"},
	{"docs/adr", "Decisions"},
	{packageFolder, "Packages"},
}

// sectionOf is the title of the section of a page; "": it has none.
func sectionOf(page string) string {
	for _, s := range sections {
		if path.Dir(page) == s.folder || strings.HasPrefix(page, s.folder+"/") {
			return s.title
		}
	}
	return ""
}

// Section is a part of the list at the side of a page.
type Section struct {
	Title string
	Open  bool // the page is in it
	Pages []Entry
}

// Entry is a page in the list.
type Entry struct {
	Title, Path string
	Here        bool // it is the page itself
}

// sections are those of the list at the side of a page.
func (s *Site) sections(of *Page) (out []Section) {
	for _, section := range sections {
		entry := Section{Title: section.title, Open: of.Section == section.title}
		for _, p := range s.pages {
			if p.Section == section.title {
				entry.Pages = append(entry.Pages, Entry{p.Title, p.Path, p == of})
			}
		}
		// By their paths, as files are listed; the page of a folder stands before those in it.
		slices.SortStableFunc(entry.Pages, func(a, b Entry) int {
			return strings.Compare(strings.TrimSuffix(a.Path, "index.html"), strings.TrimSuffix(b.Path, "index.html"))
		})
		out = append(out, entry)
	}
	return out
}
