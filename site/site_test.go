package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// made is the site of this tree, with the buttons of figures.
func made(t *testing.T) *Site {
	t.Helper()
	s, err := Make("..", true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryLinkHolds(t *testing.T) {
	s := made(t)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	for _, page := range []string{"index.html", "docs/index.html", "docs/guide/auto.html", "docs/methods/krr.html", "packages/supervised/krr/index.html", "packages/mercer.html"} {
		if s.files[page] == nil {
			t.Errorf("there is no page %s", page)
		}
	}
	if size := len(s.files["index.html"]); size > 60<<10 {
		t.Errorf("the first page has %d bytes; it should be there at once: 60 KiB", size)
	}
}

// A link that leads nowhere is found, to a file and to a heading.
func TestDeadLinksAreErrors(t *testing.T) {
	tree := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/tree\n")
	write("README.md", "# Tree\n\n[a](notes/a.md#the-heading) [folder](notes) [program](run.sh)\n")
	write("run.sh", "true\n")
	write("docs/README.md", "# Documents\n")
	write("docs/guide/gallery.md", "# Gallery\n")
	write("notes/a.md", "# A\n\n## The `heading`\n\nWords to find, and [back](../README.md).\n")
	s, err := Make(tree, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Errorf("a tree whose links hold: %v", err)
	}
	if list := string(s.files["notes/index.html"]); !strings.Contains(list, `href="a.html"`) {
		t.Errorf("the list of a folder: %s", list)
	}
	write("notes/a.md", "# A\n\n[gone](b.md) [heading](../README.md#nothing)\n")
	if s, err = Make(tree, false); err != nil {
		t.Fatal(err)
	}
	err = s.Check()
	for _, want := range []string{"leads to no file: notes/b.html", "leads to no place in index.html", "leads to no place in notes/a.html"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("errors %v; want %q", err, want)
		}
	}
}

// The index finds words of documents and of packages, in headings and below them.
func TestTheIndexFindsWords(t *testing.T) {
	var index searchIndex
	if err := json.Unmarshal(made(t).files["search.json"], &index); err != nil {
		t.Fatal(err)
	}
	for word, page := range map[string]string{
		"jackknife":     "docs/guide/auto.html",        // in the text
		"interactions":  "docs/guide/explain.html",     // in the text or a heading
		"krr":           "docs/methods/krr.html",       // in a command
		"newmeasure":    "packages/data/index.html",    // a function
		"regressions":   "docs/methods/rfm.html",       // in running text
		"nonconformity": "packages/outcome/index.html", // a method
	} {
		there := slices.ContainsFunc(index.Words[word], func(at int) bool {
			if at < 0 {
				at = -1 - at
			}
			return index.Parts[at].Page == page
		})
		if !there {
			t.Errorf("%q is not found in %s", word, page)
		}
	}
}

// Figures that come to life are pictures of the tree, and their screens are those of the lab.
func TestFiguresHaveScreens(t *testing.T) {
	screens := map[string]bool{}
	files, err := filepath.Glob("../lab/page/web/screens/*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("no screens: %v", err)
	}
	for _, file := range files {
		screens[strings.TrimSuffix(filepath.Base(file), ".js")] = true
	}
	for figure, state := range live {
		name, _, _ := strings.Cut(state, "?")
		if !screens[name] {
			t.Errorf("%s: the lab has no screen %q", figure, name)
		}
		found, _ := filepath.Glob("../docs/pictures/" + figure + ".*")
		inGallery, _ := filepath.Glob("../docs/pictures/gallery/" + figure + ".*")
		if len(found)+len(inGallery) == 0 {
			t.Errorf("there is no picture %s", figure)
		}
	}
	gallery := string(made(t).files["docs/guide/gallery.html"])
	if buttons := strings.Count(gallery, `class="live"`); buttons < 12 {
		t.Errorf("%d figures of the gallery come to life", buttons)
	}
	if !strings.Contains(gallery, "../../lab/index.html#clusters?method=kmeans") {
		t.Error("the button of k-means does not lead to its screen")
	}
	if plain, err := Make("..", false); err != nil || strings.Contains(string(plain.files["docs/guide/gallery.html"]), `class="live"`) {
		t.Errorf("without the lab there are buttons, %v", err)
	}
}
