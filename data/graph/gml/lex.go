package gml

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
)

// kind is that of a token.
type kind int

const (
	end kind = iota
	open
	closing
	word // a key
	number
	text // a string
)

// token is one word of the file.
type token struct {
	kind  kind
	value string
	at    graph.Place
}

// lexer cuts a file into tokens.
type lexer struct {
	ctx    context.Context
	source string
	r      *bufio.Reader
	at     graph.Place // of the next byte
	read   int         // tokens so far
	budget *data.Budget
}

// tokenBytes is what a token takes from the budget beside its letters, in lists and in the graph.
const tokenBytes = 80

// checkTokens is the number of tokens between two checks of the context.
const checkTokens = 256

// longest is the largest number of bytes of one token.
const longest = 1 << 20

func (l *lexer) fail(at graph.Place, value, reason, fix string) error {
	return &data.Error{Source: l.source, Line: at.Line, Column: at.Column, Value: value, Reason: reason, Fix: fix}
}

// byte returns the next byte, or 0 and false at the end of the file.
func (l *lexer) byte() (byte, bool, error) {
	c, err := l.r.ReadByte()
	if err == io.EOF {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, &data.Error{Source: l.source, Line: l.at.Line, Reason: "cannot be read", Err: err}
	}
	if c == '\n' {
		l.at.Line, l.at.Column = l.at.Line+1, 1
	} else {
		l.at.Column++
	}
	return c, true, nil
}

// peek returns the next byte without taking it; 0 at the end of the file.
func (l *lexer) peek() byte {
	if c, err := l.r.Peek(1); err == nil {
		return c[0]
	}
	return 0
}

// next returns the next token, which it takes from the budget.
func (l *lexer) next() (token, error) {
	t, err := l.token()
	if err != nil {
		return t, err
	}
	return t, l.budget.Take(tokenBytes+2*int64(len(t.value)), l.source, t.at.Line)
}

// token reads the next token.
func (l *lexer) token() (token, error) {
	if l.read%checkTokens == 0 && l.ctx.Err() != nil {
		return token{}, fmt.Errorf("%s: reading: %w", l.source, context.Cause(l.ctx))
	}
	l.read++
	for {
		at := l.at
		c, ok, err := l.byte()
		switch {
		case err != nil:
			return token{}, err
		case !ok:
			return token{kind: end, at: at}, nil
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if err := l.budget.Take(1, l.source, at.Line); err != nil {
				return token{}, err
			}
		case c == '#':
			if err := l.comment(); err != nil {
				return token{}, err
			}
		case c == '[':
			return token{open, "[", at}, nil
		case c == ']':
			return token{closing, "]", at}, nil
		case c == '"':
			return l.string(at)
		default:
			return l.word(c, at)
		}
	}
}

// comment passes over the rest of a line.
func (l *lexer) comment() error {
	for {
		c, ok, err := l.byte()
		if err != nil || !ok || c == '\n' {
			return err
		}
		if err := l.budget.Take(1, l.source, l.at.Line); err != nil {
			return err
		}
	}
}

// string reads up to the closing quote.
func (l *lexer) string(at graph.Place) (token, error) {
	var b strings.Builder
	for {
		c, ok, err := l.byte()
		switch {
		case err != nil:
			return token{}, err
		case !ok:
			return token{}, l.fail(at, "", "a string begins here and does not end", "close it with \"")
		case c == '"':
			if !utf8.ValidString(b.String()) {
				return token{}, l.fail(at, b.String(), "is not UTF-8 text", "save the file as UTF-8, or write the character as &#233;")
			}
			return token{text, unescape(b.String()), at}, nil
		case b.Len() == longest:
			return token{}, l.fail(at, b.String(), fmt.Sprintf("is a string of more than %d bytes", longest), "close it with \"")
		}
		b.WriteByte(c)
	}
}

// word reads a key or a number.
func (l *lexer) word(first byte, at graph.Place) (token, error) {
	b := []byte{first}
	for {
		c := l.peek()
		if c == 0 || strings.IndexByte(" \t\r\n[]\"#", c) >= 0 || len(b) == longest {
			break
		}
		if _, _, err := l.byte(); err != nil {
			return token{}, err
		}
		b = append(b, c)
	}
	t := token{word, string(b), at}
	if first >= '0' && first <= '9' || first == '+' || first == '-' || first == '.' {
		t.kind = number
		if _, err := strconv.ParseFloat(t.value, 64); err != nil {
			return token{}, l.fail(at, t.value, "is not a number", "put texts in quotes")
		}
		return t, nil
	}
	for _, c := range b {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return token{}, l.fail(at, t.value, "is neither a key nor a number", "keys are letters and digits; put texts in quotes")
		}
	}
	return t, nil
}

// entities are the characters with names that writers of GML use.
var entities = map[string]string{"quot": `"`, "amp": "&", "lt": "<", "gt": ">", "apos": "'", "nbsp": "\u00a0"}

// unescape replaces entities; an ampersand that begins none stands for itself.
func unescape(s string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(s, '&')
		if at < 0 {
			return b.String() + s
		}
		b.WriteString(s[:at])
		name, rest, ok := strings.Cut(s[at+1:], ";")
		r, known := entities[name]
		if code, err := strconv.ParseInt(strings.TrimPrefix(name, "#"), 10, 32); err == nil && strings.HasPrefix(name, "#") && utf8.ValidRune(rune(code)) {
			r, known = string(rune(code)), true
		}
		if !ok || !known {
			b.WriteByte('&')
			s = s[at+1:]
			continue
		}
		b.WriteString(r)
		s = rest
	}
}
