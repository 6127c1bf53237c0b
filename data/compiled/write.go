package compiled

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"iter"

	"example.org/mercer/data"
)

const (
	// opening counts the changes of the layout, and of what the readers make of a file: a file of
	// another number is made again.
	opening = "mercer table 2\n\x00"
	closing = "mtb1"
	// trailer is the length of what follows the footer.
	trailer = 8 + 4 + len(closing)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// footer is the JSON at the end of a file.
type footer struct {
	Of     Origin          `json:"of"`
	Source string          `json:"source"`
	Headed bool            `json:"headed,omitempty"`
	Target string          `json:"target,omitempty"`
	ID     string          `json:"id,omitempty"`
	Sparse bool            `json:"sparse,omitempty"`
	Lines  bool            `json:"lines,omitempty"` // rows have lines
	Words  bool            `json:"words,omitempty"` // tokens are words in columns of text
	Part   *data.PartTally `json:"part,omitempty"`
	Column []columnCard    `json:"columns"`
	Blocks []blockCard     `json:"blocks"`
}

type columnCard struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Why   string `json:"why,omitempty"`
	Chunk int    `json:"chunk"`
}

// blockCard is where a block lies in the file.
type blockCard struct {
	Rows   int   `json:"rows"`
	Offset int64 `json:"offset"`
	Length int64 `json:"length"`
}

// Origin says which file a table was compiled from, and how it was read: while nothing of
// that changes, neither does the table.
type Origin struct {
	Size     int64  `json:"size"`     // bytes
	Modified int64  `json:"modified"` // nanoseconds since 1970
	Options  string `json:"options"`  // how it was read
}

// Writer writes a table block by block.
type Writer struct {
	w      io.Writer
	at     int64
	rows   int
	lines  bool
	part   *data.PartTally
	blocks []blockCard
	chunks []byte // of the block in progress, and their lengths
	sizes  []uint32
	err    error
}

// NewWriter begins a table.
func NewWriter(w io.Writer) *Writer {
	out := &Writer{w: w}
	out.write([]byte(opening))
	return out
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	var n int
	n, w.err = w.w.Write(b)
	w.at += int64(n)
}

// Block writes the next rows: their lines in the source, nil where it has none, and chunk by
// chunk the cells of the columns. A string that is marked as missing is kept, see [Writer.Close].
// The columns are not kept.
func (w *Writer) Block(rows int, lines []int, columns iter.Seq[*data.Column]) error {
	w.chunks, w.sizes = w.chunks[:0], w.sizes[:0]
	w.end(appendNumbers(w.chunks, w.ahead(rows, lines)))
	for c := range columns {
		switch {
		case c.Len() != rows:
			return fmt.Errorf("compiled: column %s has %d cells in a block of %d rows", c.Name, c.Len(), rows)
		case c.Kind == data.Numeric:
			w.end(appendNumbers(w.chunks, c.Numbers))
		default:
			w.end(appendStrings(w.chunks, c))
		}
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(w.sizes)))
	for _, size := range w.sizes {
		head = binary.LittleEndian.AppendUint32(head, size)
	}
	sum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, w.chunks)
	w.blocks = append(w.blocks, blockCard{Rows: rows, Offset: w.at, Length: int64(len(head) + len(w.chunks) + 4)})
	w.rows += rows
	w.write(head)
	w.write(w.chunks)
	w.write(binary.LittleEndian.AppendUint32(nil, sum))
	return w.err
}

// end notes that a chunk was appended.
func (w *Writer) end(chunks []byte) {
	w.sizes, w.chunks = append(w.sizes, uint32(len(chunks)-len(w.chunks))), chunks
}

// ahead returns how far the lines of rows are ahead of their numbers, which is one number for
// all rows of most files.
func (w *Writer) ahead(rows int, lines []int) []float64 {
	out := make([]float64, rows)
	w.lines = w.lines || lines != nil
	for i, line := range lines {
		out[i] = float64(line - w.rows - i)
	}
	return out
}

// Part says that the table is a part of a file, and what that says of the whole. Call it before
// Close.
func (w *Writer) Part(p *data.PartTally) { w.part = p }

// Close writes the footer: the table without its cells, and where it came from. chunks has the
// number of the chunk in every block that holds a column, counted from 1 (0 is that of the lines);
// nil: all in order. words says that a string which is marked as missing is a word in a column
// of text.
func (w *Writer) Close(of Origin, schema *data.Table, chunks []int, words bool) error {
	f := footer{Of: of, Source: schema.Source, Headed: schema.Headed, Target: schema.Target, ID: schema.ID, Sparse: schema.Sparse,
		Lines: w.lines, Words: words, Part: w.part, Blocks: w.blocks}
	for i := range schema.Columns {
		c := &schema.Columns[i]
		card := columnCard{Name: c.Name, Kind: c.Kind.String(), Why: c.Why, Chunk: i + 1}
		if chunks != nil {
			card.Chunk = chunks[i]
		}
		f.Column = append(f.Column, card)
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	w.write(text)
	tail := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(text, castagnoli))
	w.write(append(tail, closing...))
	return w.err
}

const (
	// blockBytes is what the numbers of a block take in memory, leastRows and mostRows are the
	// bounds of its height.
	blockBytes          = 1 << 20
	leastRows, mostRows = 64, 4096
)

// Rows returns the number of rows of a block of some columns: about 1 MiB of numbers.
func Rows(columns int) int {
	return max(leastRows, min(mostRows, blockBytes/8/max(1, columns)))
}
