package oip

import "strconv"

// takeLists takes the lists of values out of a request, which are nearly all of it: a decoder of
// any JSON goes over them three times. In the place of each stands a list of its number among them.
func takeLists(text []byte) (rest []byte, lists []string) {
	from := 0
	for at := 0; at < len(text); {
		if text[at] != '"' {
			at++
			continue
		}
		end := closing(text, at)
		if end < 0 {
			break // no JSON: the decoder says where
		}
		if string(text[at:end]) == `"data"` {
			if start := valueAfter(text, end); start > 0 && text[start] == '[' {
				if end = list(text, start); end < 0 {
					break
				}
				rest = append(rest, text[from:start]...)
				rest = append(rest, '[')
				rest = strconv.AppendInt(rest, int64(len(lists)), 10)
				rest = append(rest, ']')
				lists = append(lists, string(text[start:end]))
				from = end
			}
		}
		at = end
	}
	return append(rest, text[from:]...), lists
}

// closing returns where a string ends that begins at a place; −1 where it does not.
func closing(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return -1
}

// valueAfter returns where the value of a key begins that ends at a place; −1 where there is none.
func valueAfter(text []byte, at int) int {
	for colon := false; at < len(text); at++ {
		switch text[at] {
		case ' ', '\t', '\n', '\r':
		case ':':
			if colon {
				return -1
			}
			colon = true
		default:
			if !colon {
				return -1
			}
			return at
		}
	}
	return -1
}

// list returns where a list ends that begins at a place; −1 where it does not.
func list(text []byte, at int) int {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '"':
			if at = closing(text, at); at < 0 {
				return -1
			}
			continue
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
		at++
	}
	return -1
}
