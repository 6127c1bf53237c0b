package data

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a message may repeat of an input.
const (
	// quoteLimit is the number of bytes of a cell or a name that a message repeats.
	quoteLimit = 48
	// reasonLimit is the number of bytes of a reason, which may repeat more than one.
	reasonLimit = 1000
	// wordLimit is the number of bytes of a word of any message.
	wordLimit = 200
	// messageLimit is the number of bytes of a message.
	messageLimit = 8000
)

// Quote returns a cell in quotes for a message, shortened where it is long.
func Quote(cell string) string {
	if short := before(cell, quoteLimit); short != cell {
		return strconv.Quote(short) + "…"
	}
	return strconv.Quote(cell)
}

// Cut returns a name for a message, shortened where it is long.
func Cut(name string) string { return cut(name, quoteLimit) }

// cut returns a text of at most so many bytes, and … where it was longer.
func cut(text string, most int) string {
	if short := before(text, most); short != text {
		return short + "…"
	}
	return text
}

// before returns the first bytes of a text, at most so many, and no part of a letter.
func before(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Concise cuts long words of a message, and its end where it is long: for what the makers of
// messages do not cut themselves, such as the parser of a command line.
func Concise(message string) string {
	var b strings.Builder
	rest := message
	for rest != "" && b.Len() < messageLimit {
		end := strings.IndexAny(rest, " \t\n")
		switch {
		case end == 0:
			end = 1
		case end < 0:
			end = len(rest)
		}
		b.WriteString(cut(rest[:end], wordLimit))
		rest = rest[end:]
	}
	if rest != "" {
		b.WriteString(" …")
	}
	return b.String()
}
