package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.org/mercer/data"
)

// kind is the kind of a token.
type kind int

const (
	endToken kind = iota
	numberToken
	nameToken
	stringToken
	symbolToken // one character, in text
)

// token is one word of the language. A symbol is its own text; a string has been
// unquoted; value is the number of a numberToken.
type token struct {
	kind  kind
	text  string
	value float64
	pos   int // byte offset of its first character
}

// is reports whether the token is the given symbol.
func (t token) is(symbol string) bool { return t.kind == symbolToken && t.text == symbol }

// String quotes the token for a message.
func (t token) String() string {
	if t.kind == endToken {
		return "the end"
	}
	return data.Quote(t.text)
}

// lexer cuts a text, which is valid UTF-8, into tokens.
type lexer struct {
	text string
	pos  int
}

func (l *lexer) errorf(pos int, format string, values ...any) error {
	return &SyntaxError{Text: l.text, Offset: pos, Msg: fmt.Sprintf(format, values...)}
}

// skipSpace moves to the next character that is not white space.
func (l *lexer) skipSpace() {
	rest := strings.TrimLeftFunc(l.text[l.pos:], unicode.IsSpace)
	l.pos = len(l.text) - len(rest)
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	l.skipSpace()
	start := l.pos
	if start == len(l.text) {
		return token{pos: start}, nil
	}
	r, size := utf8.DecodeRuneInString(l.text[start:])
	switch {
	case isDigit(r), r == '.':
		return l.number()
	case unicode.IsLetter(r), r == '_':
		l.pos += len(l.text[start:]) - len(strings.TrimLeftFunc(l.text[start:], isNamePart))
		return token{kind: nameToken, text: l.text[start:l.pos], pos: start}, nil
	case r == '"':
		return l.quoted()
	case r == '−': // the minus sign of typeset text
		l.pos += size
		return token{kind: symbolToken, text: "-", pos: start}, nil
	case strings.ContainsRune("+*^()[],=?-/", r):
		l.pos += size
		return token{kind: symbolToken, text: string(r), pos: start}, nil
	}
	return token{}, l.errorf(start, "unexpected character %q%s", r, instead[r])
}

// instead says what to write in place of characters that are often tried.
var instead = map[rune]string{
	'×': ": write * for a product", '·': ": write * for a product",
	'²': ": write ^2", '³': ": write ^3",
	'\'': ": quote with \"", '“': ": quote with \"", '”': ": quote with \"",
	'{': ": lists and columns are written in [ ]", ':': ": an argument is written name=value",
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isNamePart(r rune) bool { return unicode.IsLetter(r) || isDigit(r) || r == '_' }

// number scans digits [ "." digits ] [ ("e"|"E") [ "+"|"-" ] digits ].
func (l *lexer) number() (token, error) {
	start := l.pos
	digits := func() (n int) {
		for l.pos < len(l.text) && isDigit(rune(l.text[l.pos])) {
			l.pos, n = l.pos+1, n+1
		}
		return n
	}
	n := digits()
	if l.pos < len(l.text) && l.text[l.pos] == '.' {
		l.pos++
		n += digits()
	}
	if mark := l.pos; n > 0 && mark < len(l.text) && (l.text[mark] == 'e' || l.text[mark] == 'E') {
		l.pos++
		if l.pos < len(l.text) && (l.text[l.pos] == '+' || l.text[l.pos] == '-') {
			l.pos++
		}
		if digits() == 0 {
			l.pos = mark // "2e" is the number 2 and a name
		}
	}
	text := l.text[start:l.pos]
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return token{}, l.errorf(start, "%s is not a number that fits in 64 bits", data.Quote(text))
	}
	return token{kind: numberToken, text: text, value: value, pos: start}, nil
}

// quoted scans a string in double quotes with the escapes of Go.
func (l *lexer) quoted() (token, error) {
	start := l.pos
	prefix, err := strconv.QuotedPrefix(l.text[start:])
	if err != nil {
		if strings.Contains(l.text[start+1:], `"`) {
			return token{}, l.errorf(start, "the quoted text has an unknown escape or a line break: write \\\\ for a backslash and \\n for a line break")
		}
		return token{}, l.errorf(start, "the quote is never closed")
	}
	text, err := strconv.Unquote(prefix)
	if err != nil {
		return token{}, l.errorf(start, "the quoted text cannot be read: %v", err)
	}
	l.pos += len(prefix)
	return token{kind: stringToken, text: text, pos: start}, nil
}

// columns scans the patterns of a selection, starting after its "[", through its
// "]". A pattern is quoted, or runs to the next comma or bracket.
func (l *lexer) columns(open int) ([]string, error) {
	var patterns []string
	for {
		l.skipSpace()
		pattern, err := l.pattern(open)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, pattern)
		l.skipSpace()
		switch {
		case strings.HasPrefix(l.text[l.pos:], ","):
			l.pos++
		case strings.HasPrefix(l.text[l.pos:], "]"):
			l.pos++
			return patterns, nil
		case l.pos == len(l.text):
			return nil, l.errorf(open, "%q is never closed", "[")
		default:
			return nil, l.errorf(l.pos, "expected a comma or ] after the column %s", data.Quote(pattern))
		}
	}
}

// pattern scans one pattern of a selection that was opened at the given offset.
func (l *lexer) pattern(open int) (string, error) {
	if strings.HasPrefix(l.text[l.pos:], `"`) {
		t, err := l.quoted()
		return t.text, err
	}
	end := strings.IndexAny(l.text[l.pos:], `,]["`)
	if end < 0 {
		return "", l.errorf(open, "%q is never closed", "[")
	}
	pattern := strings.TrimRightFunc(l.text[l.pos:l.pos+end], unicode.IsSpace)
	if pattern == "" {
		return "", l.errorf(l.pos, "expected the name of a column, a pattern such as hist*, or a number counted from 0")
	}
	l.pos += len(pattern)
	return pattern, nil
}
