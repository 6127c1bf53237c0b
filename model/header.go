package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// The safetensors layout: 8 bytes with the little-endian length of a JSON header, the
// header, then the elements of all tensors without holes.
// https://github.com/huggingface/safetensors#format
const (
	lengthBytes = 8
	// maxHeader is the limit that the reference reader sets too.
	maxHeader   = 100_000_000
	metadataKey = "__metadata__"
)

// entry is one tensor of a header. Offsets count from the end of the header.
type entry struct {
	Name    string `json:"-"`
	DType   DType  `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// header is the JSON header after reading.
type header struct {
	entries  []entry
	metadata map[string]string
	checksum int // position in the header of the digits of the checksum, or −1
}

// encode returns the JSON of the header, padded with spaces so that the data behind
// it start at a multiple of 8. Keys are sorted, so equal headers have equal bytes.
func (h header) encode() ([]byte, error) {
	all := make(map[string]any, len(h.entries)+1)
	for _, e := range h.entries {
		if !utf8.ValidString(e.Name) || e.Name == metadataKey {
			return nil, fmt.Errorf("model: %q cannot be the name of a tensor", e.Name)
		}
		if e.Shape == nil {
			e.Shape = []int{} // a scalar; null would not be a shape
		}
		all[e.Name] = e
	}
	for key, value := range h.metadata {
		if !utf8.ValidString(key) || !utf8.ValidString(value) {
			return nil, fmt.Errorf("model: metadata %q is not UTF-8 text", key)
		}
	}
	all[metadataKey] = h.metadata
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(all); err != nil {
		return nil, err
	}
	text := bytes.TrimRight(b.Bytes(), "\n")
	for (lengthBytes+len(text))%8 != 0 {
		text = append(text, ' ')
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("model: the names and metadata take %d bytes, more than the %d that readers accept: put long texts into tensors of bytes", len(text), maxHeader)
	}
	return text, nil
}

// headerReader reads the JSON of a header token by token, because an ordinary decoder
// accepts duplicate keys, unknown fields and null.
type headerReader struct {
	source string
	text   []byte
	tokens *json.Decoder
}

// decodeHeader reads the JSON of a header. What its entries mean is not yet checked.
func decodeHeader(source string, text []byte) (header, error) {
	h := header{metadata: map[string]string{}, checksum: -1}
	r := &headerReader{source: source, text: text, tokens: json.NewDecoder(bytes.NewReader(text))}
	r.tokens.UseNumber()
	switch {
	case len(text) == 0 || text[0] != '{':
		return h, broken(source, lengthBytes, "the header does not start with {")
	case !utf8.Valid(text):
		return h, broken(source, lengthBytes, "the header is not UTF-8 text")
	case !json.Valid(text):
		var anything any
		return h, broken(source, lengthBytes, "the header is not JSON (%v)", json.Unmarshal(text, &anything))
	}
	err := r.object(func(key string) error {
		if key == metadataKey {
			return r.metadata(&h)
		}
		e := entry{Name: key}
		h.entries = append(h.entries, e)
		return r.entry(&h.entries[len(h.entries)-1])
	})
	return h, err
}

// fail returns the error for the token that was just read.
func (r *headerReader) fail(format string, args ...any) error {
	return broken(r.source, lengthBytes+r.tokens.InputOffset(), format, args...)
}

// next returns the next token. The text is known to be JSON.
func (r *headerReader) next() json.Token {
	t, err := r.tokens.Token()
	if err != nil {
		return nil
	}
	return t
}

// object reads an object, with value reading the value of each key.
func (r *headerReader) object(value func(key string) error) error {
	if r.next() != json.Delim('{') {
		return r.fail("the header has something else where an object { … } belongs")
	}
	seen := map[string]bool{}
	for {
		switch key := r.next().(type) {
		case json.Delim:
			return nil
		case string:
			if seen[key] {
				return r.fail("the header has the key %q twice", key)
			}
			seen[key] = true
			if err := value(key); err != nil {
				return err
			}
		default:
			return r.fail("the header ends early")
		}
	}
}

// string reads one text.
func (r *headerReader) string(of string) (string, error) {
	s, ok := r.next().(string)
	if !ok {
		return "", r.fail("%s is not a text", of)
	}
	return s, nil
}

// integers reads an array of whole numbers ≥ 0.
func (r *headerReader) integers(of string) ([]int, error) {
	if r.next() != json.Delim('[') {
		return nil, r.fail("%s is not a list of numbers", of)
	}
	numbers := []int{}
	for {
		switch t := r.next().(type) {
		case json.Delim:
			if t == ']' {
				return numbers, nil
			}
			return nil, r.fail("%s is not a list of numbers", of)
		case json.Number:
			k, err := strconv.Atoi(t.String())
			if err != nil || k < 0 {
				return nil, r.fail("%s has the number %s, which is not a length", of, t)
			}
			numbers = append(numbers, k)
		default:
			return nil, r.fail("%s is not a list of numbers", of)
		}
	}
}

// metadata reads the map of texts and notes where the checksum stands.
func (r *headerReader) metadata(h *header) error {
	return r.object(func(key string) error {
		value, err := r.string("metadata " + strconv.Quote(key))
		if err != nil {
			return err
		}
		h.metadata[key] = value
		end := int(r.tokens.InputOffset()) - 1
		if key == KeyChecksum && len(value) == checksumDigits && end >= checksumDigits && string(r.text[end-checksumDigits:end]) == value {
			h.checksum = end - checksumDigits
		}
		return nil
	})
}

// entry reads the description of one tensor.
func (r *headerReader) entry(e *entry) error {
	fields := 0
	err := r.object(func(key string) (err error) {
		fields++
		of := fmt.Sprintf("%s of tensor %q", key, e.Name)
		switch key {
		case "dtype":
			var d string
			d, err = r.string(of)
			e.DType = DType(d)
		case "shape":
			e.Shape, err = r.integers(of)
		case "data_offsets":
			var offsets []int
			if offsets, err = r.integers(of); err == nil && len(offsets) != 2 {
				err = r.fail("%s has %d numbers instead of 2", of, len(offsets))
			}
			copy(e.Offsets[:], offsets)
		default:
			err = r.fail("tensor %q has the unknown field %q", e.Name, key)
		}
		return err
	})
	if err == nil && fields != 3 {
		err = r.fail("tensor %q lacks its dtype, shape or data_offsets", e.Name)
	}
	return err
}

// tensors cuts the data into the tensors of the header, which must fill it without
// holes and without overlap.
func (h header) tensors(source string, data []byte, start int64) (map[string]Tensor, error) {
	order := slices.Clone(h.entries)
	slices.SortFunc(order, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]), cmp.Compare(a.Name, b.Name))
	})
	all, end := make(map[string]Tensor, len(order)), 0
	for _, e := range order {
		from, to := e.Offsets[0], e.Offsets[1]
		if from != end || to < from || to > len(data) {
			return nil, broken(source, start+int64(min(end, len(data))), "tensor %q claims the bytes %d to %d of the data, but %d to at most %d are next", e.Name, from, to, end, len(data))
		}
		t := Tensor{DType: e.DType, Shape: e.Shape, data: data[from:to:to]}
		if err := t.check(); err != nil {
			return nil, broken(source, start+int64(from), "tensor %q: %v", e.Name, err)
		}
		all[e.Name], end = t, to
	}
	if end != len(data) {
		return nil, broken(source, start+int64(end), "%d bytes behind the last tensor belong to none", len(data)-end)
	}
	return all, nil
}
