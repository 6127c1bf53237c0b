package open

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// utf8 is the name of the encoding that needs no decoding.
const utf8 = "utf-8"

// encodings are those of text, by name.
var encodings = map[string]encoding.Encoding{
	utf8:           nil,
	"latin1":       charmap.ISO8859_1,
	"iso-8859-1":   charmap.ISO8859_1,
	"iso-8859-2":   charmap.ISO8859_2,
	"iso-8859-15":  charmap.ISO8859_15,
	"windows-1250": charmap.Windows1250,
	"windows-1251": charmap.Windows1251,
	"windows-1252": charmap.Windows1252,
	"cp1252":       charmap.Windows1252,
	"macintosh":    charmap.Macintosh,
	"utf-16":       unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"utf-16le":     unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be":     unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// Encodings returns the names of encodings.
func Encodings() []string { return slices.Sorted(maps.Keys(encodings)) }

// ParseEncoding returns the name in [Encodings] that is meant; case does not count.
func ParseEncoding(name string) (string, error) {
	lower := strings.ToLower(name)
	if _, ok := encodings[lower]; ok || name == "" {
		return lower, nil
	}
	return "", fmt.Errorf("%q is not known: use one of %s", name, strings.Join(Encodings(), ", "))
}

// marks are the byte order marks of UTF-16.
var marks = [][]byte{{0xff, 0xfe}, {0xfe, 0xff}}

// decode makes the source one of UTF-8, from an encoding or from what its byte order mark says.
func (s *source) decode(name string) error {
	name, err := ParseEncoding(name)
	if err != nil {
		return fmt.Errorf("open: encoding %w", err)
	}
	if name == "" {
		mark, _ := s.br.Peek(2)
		if !slices.ContainsFunc(marks, func(m []byte) bool { return bytes.Equal(m, mark) }) {
			return nil
		}
		name = "utf-16"
	}
	from := encodings[name]
	if from == nil {
		return nil
	}
	s.recoded = true
	s.br = bufio.NewReaderSize(transform.NewReader(s.br, from.NewDecoder()), sampleBytes)
	return nil
}
