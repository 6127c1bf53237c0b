package seq

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/mercer/kernel/explanation"
)

// texts returns the symbols of a sequence as they are written in the names of words: letters
// of DNA, RNA and proteins in upper case, others escaped where they could not be read.
func (a Alphabet) texts(x string) []string {
	switch a {
	case Words:
		return strings.Fields(x)
	case Unicode:
		var out []string
		for len(x) > 0 {
			_, size := utf8.DecodeRuneInString(x)
			out, x = append(out, legible(x[:size])), x[size:]
		}
		return out
	}
	out := make([]string, len(x))
	for i := range out {
		switch c := x[i : i+1]; {
		case a == Bytes:
			out[i] = legible(c)
		case tables[a][x[i]] >= 0:
			at := tables[a][x[i]]
			out[i] = alphabets[a].symbols[at : at+1]
		default:
			out[i] = strings.ToUpper(c)
		}
	}
	return out
}

// blank stands for a space, which would not be seen.
const blank = "␣"

// legible returns a symbol that is one byte or one character as Go writes it in a string.
func legible(symbol string) string {
	switch symbol {
	case " ":
		return blank
	case `"`:
		return symbol
	case blank:
		return `\u2423`
	}
	quoted := strconv.Quote(symbol)
	return quoted[1 : len(quoted)-1]
}

// named joins symbols to the name of a word.
func (a Alphabet) named(symbols []string) string {
	if a == Words {
		return strings.Join(symbols, " ")
	}
	return strings.Join(symbols, "")
}

// places returns the symbols of a sequence, numbered from 1.
func (a Alphabet) places(x string) []explanation.Place {
	texts := a.texts(x)
	out := make([]explanation.Place, len(texts))
	for i, text := range texts {
		out[i] = explanation.Place{Name: strconv.Itoa(i + 1), Symbol: text}
	}
	return out
}

// occlude returns the sequence with one symbol replaced by - where that is outside of the
// alphabet, and otherwise by a character that no text has.
func (a Alphabet) occlude(x string, place int) string {
	switch a {
	case Words:
		words := strings.Fields(x)
		words[place] = "\x00"
		return strings.Join(words, " ")
	case Unicode:
		at := 0
		for range place {
			_, size := utf8.DecodeRuneInString(x[at:])
			at += size
		}
		_, size := utf8.DecodeRuneInString(x[at:])
		return x[:at] + "\x00" + x[at+size:]
	case Bytes:
		return x[:place] + "\x00" + x[place+1:]
	}
	return x[:place] + "-" + x[place+1:]
}

// located is a sequence with the names of its words.
type located struct {
	alphabet Alphabet
	texts    []string
	symbols  []rune
}

func locate(a Alphabet, x string) located {
	return located{a, a.texts(x), newReader(a).symbols(x)}
}

// each visits the words of k symbols of the alphabet, in order.
func (l located) each(k int, visit func(place int)) {
	good := 0
	for i, s := range l.symbols {
		if good++; s == outside {
			good = 0
		}
		if good >= k {
			visit(i + 1 - k)
		}
	}
}

// name returns the name of a word, and where both strands count the one of the two strands
// that comes first, with the number of pairs of strands on which it meets itself: each word
// counts on both strands of both sequences, and one that is its own reverse complement twice.
func (l located) name(place, k int, both bool) (name string, m float64) {
	name = l.alphabet.named(l.texts[place : place+k])
	if !both {
		return name, 1
	}
	letters := make([]string, k)
	for i, s := range complement(l.symbols[place : place+k]) {
		letters[i] = alphabets[l.alphabet].symbols[s : s+1]
	}
	switch other := l.alphabet.named(letters); {
	case other == name:
		return name, 4
	case other < name:
		return other, 2
	}
	return name, 2
}

// span stores the k places from one on.
func span(dst []int, place, k int) []int {
	dst = slices.Grow(dst[:0], k)[:k]
	for i := range dst {
		dst[i] = place + i
	}
	return dst
}

// at is the name of a word at a place.
func at(word string, place int) string { return fmt.Sprintf("%s@%d", word, place+1) }
