package main

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// passage is a part of a page: what stands below a heading.
type passage struct{ title, anchor, words string }

// found is a part of a page as the index has it.
type found struct {
	Page    string `json:"p"` // its path
	Of      string `json:"o"` // title of the page
	Title   string `json:"t"` // heading
	Anchor  string `json:"a,omitempty"`
	Opening string `json:"x"` // the first words
}

// openingLetters is about how much of a part is shown beside it.
const openingLetters = 160

// searchIndex is an inverted index: for every word the parts that have it, most often first, each
// once for the text and negative, counted from −1, where the heading has it.
type searchIndex struct {
	Parts []found          `json:"parts"`
	Words map[string][]int `json:"words"`
}

// index adds the index of all pages.
func (s *Site) index() error {
	out := searchIndex{Parts: []found{}, Words: map[string][]int{}}
	for _, p := range s.pages {
		for _, t := range p.texts {
			number := len(out.Parts)
			out.Parts = append(out.Parts, found{p.Path, p.Title, t.title, t.anchor, opening(t.words)})
			add := func(text string, as int) {
				for _, w := range distinct(text) {
					out.Words[w] = append(out.Words[w], as)
				}
			}
			add(t.title, -1-number)
			add(t.words, number)
		}
	}
	raw, err := json.Marshal(out)
	s.files["search.json"] = raw
	return err
}

// distinct are the words of a text, in lower case: runs of letters and digits, each once, of one
// letter only those that are not Latin.
func distinct(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 2 || len(w) > 30 })
	slices.Sort(words)
	return slices.Compact(words)
}

// opening is the beginning of a text, up to a whole word.
func opening(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= openingLetters {
		return text
	}
	end := strings.LastIndexByte(text[:openingLetters], ' ')
	return strings.ToValidUTF8(text[:max(end, 0)], "") + " …"
}
