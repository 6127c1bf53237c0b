package graph

import "encoding/binary"

// book numbers what graphs are made of: labels, neighbourhoods, pairs of labels with a
// distance. What is numbered is a text of bytes that begins with its kind.
type book struct {
	base  *book // what is known from before, which does not change any more
	first uint32
	codes map[string]uint32
	key   []byte
}

func newBook() *book { return &book{codes: map[string]uint32{}} }

// next returns a book that knows what b does and gives new numbers from there on, without
// changing b: for points that come after those a model was made of.
func (b *book) next() *book {
	return &book{base: b, first: b.first + uint32(len(b.codes)), codes: map[string]uint32{}}
}

// code returns the number of the text in b.key.
func (b *book) code() uint32 {
	if b.base != nil {
		if c, ok := b.base.codes[string(b.key)]; ok {
			return c
		}
	}
	c, ok := b.codes[string(b.key)]
	if !ok {
		c = b.first + uint32(len(b.codes))
		b.codes[string(b.key)] = c
	}
	return c
}

// Kinds of texts.
const (
	ofNode = 'n' // a label of nodes
	ofEdge = 'e' // a label of edges
	ofTree = 't' // a node with its neighbours
	ofPath = 'p' // two labels and a distance
	ofWalk = 'w' // a walk and one more label
)

// labels returns the numbers of labels.
func (b *book) labels(kind byte, texts []string) []uint32 {
	out := make([]uint32, len(texts))
	for i, text := range texts {
		if i > 0 && text == texts[i-1] {
			out[i] = out[i-1]
			continue
		}
		b.key = append(append(b.key[:0], kind), text...)
		out[i] = b.code()
	}
	return out
}

// numbers returns the number of a list of numbers.
func (b *book) numbers(kind byte, list ...uint32) uint32 {
	b.key = append(b.key[:0], kind)
	for _, v := range list {
		b.key = binary.LittleEndian.AppendUint32(b.key, v)
	}
	return b.code()
}
