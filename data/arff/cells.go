package arff

import (
	"errors"
	"strings"
)

// cell is one value of a line.
type cell struct {
	text   string
	whole  string // as it is written
	quoted bool
}

var errOpen = errors.New("a quote does not end")

// split divides a line at commas outside of quotes.
func split(line string) (out []cell, err error) {
	for {
		line = strings.TrimLeft(line, " \t")
		end, open := 0, byte(0)
		for ; end < len(line) && (open != 0 || line[end] != ','); end++ {
			switch b := line[end]; {
			case open != 0 && b == '\\':
				end++
			case open == b:
				open = 0
			case open == 0 && (b == '\'' || b == '"'):
				open = b
			}
		}
		if open != 0 || end > len(line) {
			return nil, errOpen
		}
		whole := strings.TrimSpace(line[:end])
		text, rest, err := word(whole)
		quoted := whole != "" && (whole[0] == '\'' || whole[0] == '"')
		if err != nil {
			return nil, err
		}
		if !quoted || strings.TrimSpace(rest) != "" {
			text, quoted = whole, false
		}
		out = append(out, cell{text, whole, quoted})
		if end == len(line) {
			return out, nil
		}
		line = line[end+1:]
	}
}

// word returns the first word of a text, without its quotes, and what follows.
func word(text string) (first, rest string, err error) {
	if text == "" {
		return "", "", nil
	}
	quote := text[0]
	if quote != '\'' && quote != '"' {
		end := strings.IndexAny(text, " \t{")
		if end < 0 {
			end = len(text)
		}
		return text[:end], text[end:], nil
	}
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\\' && i+1 < len(text):
			i++
			out.WriteByte(text[i])
		case b == quote:
			return out.String(), text[i+1:], nil
		default:
			out.WriteByte(b)
		}
	}
	return "", "", errOpen
}
