package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxWords is how long a sentence of a document may be: 25 words are meant.
const maxWords = 30

// prose are the documents that people read from the beginning.
var prose = []string{"docs/start", "docs/guide", "docs/methods"}

// knownSentences counts the sentences of a document that are longer.
var knownSentences = map[string]int{}

// TestSentences finds sentences that are too long to be read once.
func TestSentences(t *testing.T) {
	onlyKnownPlaces(t, "a sentence has at most 30 words: say one thing, then the next", knownSentences, theTree(t).longSentences())
}

// longSentences finds them by file.
func (t *tree) longSentences() places {
	found := places{}
	for _, dir := range prose {
		_ = filepath.WalkDir(filepath.Join(t.root, dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(p) != ".md" {
				return nil // a folder that is not there has no sentences
			}
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(t.root, p)
			for _, g := range paragraphs(string(text)) {
				for _, s := range sentences(g.text) {
					if n := wordCount(s); n > maxWords {
						found.add(filepath.ToSlash(name), fmt.Sprintf("%s:%d: %d words: %.60s…", name, g.line, n, s))
					}
				}
			}
			return nil
		})
	}
	return found
}

// paragraph is running text, and the line where it begins.
type paragraph struct {
	line int
	text string
}

var listItem = regexp.MustCompile(`^([-*]|\d+\.) `)

// paragraphs returns those of a document in Markdown, each item of a list for itself. Code,
// formulas, which are indented as code is, tables, titles and markup are none.
func paragraphs(text string) (out []paragraph) {
	var now paragraph
	end := func() {
		if now.text != "" {
			out = append(out, now)
		}
		now = paragraph{}
	}
	fenced := false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		fence := strings.HasPrefix(trimmed, "```")
		if fence {
			fenced = !fenced
		}
		indented := strings.HasPrefix(line, "    ") && now.text == ""
		if fence || fenced || indented || trimmed == "" || strings.ContainsRune("|#<", rune(trimmed[0])) {
			end()
			continue
		}
		if item := listItem.FindString(trimmed); item != "" {
			end()
			trimmed = strings.TrimPrefix(trimmed, item)
		}
		if now.text == "" {
			now.line = i + 1
		}
		now.text += trimmed + " "
	}
	end()
	return out
}

var (
	inCode      = regexp.MustCompile("`[^`]*`")
	linked      = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	cited       = regexp.MustCompile(`\([^()]*\b(19|20)\d\d\b[^()]*\)`)
	sentenceEnd = regexp.MustCompile(`[.!?]["”)*]*\s+`)
	aWord       = regexp.MustCompile(`\pL{2}|\b[aI]\b`)
)

// sentences cuts a paragraph. A piece of code is a word, a link its text, and what is cited in
// brackets with its year is none; a list of sources is no sentence.
func sentences(text string) (out []string) {
	text = linked.ReplaceAllString(inCode.ReplaceAllString(text, "code"), "$1")
	text = cited.ReplaceAllString(text, "")
	from := 0
	for _, at := range append(sentenceEnd.FindAllStringIndex(text, -1), []int{0, len(text)}) {
		if s := text[from:at[1]]; !strings.HasPrefix(s, "Source") {
			out = append(out, s)
		}
		from = at[1]
	}
	return out
}

// wordCount counts what has two letters: symbols and numbers of formulas are none.
func wordCount(sentence string) (n int) {
	for _, w := range strings.Fields(sentence) {
		if aWord.MatchString(w) {
			n++
		}
	}
	return n
}
