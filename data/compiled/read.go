package compiled

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"sync"

	"example.org/mercer/data"
)

// ErrDamaged is what errors.Is finds in an error about a file that is no whole table.
var ErrDamaged = errors.New("not a whole compiled table")

// Table is a table in a file. Blocks are read when they are asked for, and nothing of them is
// kept. It is safe for concurrent use.
type Table struct {
	path   string
	file   *os.File
	of     Origin
	schema data.Table
	cards  footer
	starts []int
	after  int       // lines of the file in front of those of the table
	raw    sync.Pool // of *[]byte
}

var _ data.Blocks = (*Table)(nil)

// Open opens a file that a [Writer] wrote. It checks the footer and the places of the blocks;
// the sum of a block is checked whenever it is read ([Table.Check] reads all of them). A file
// that is no whole table is an error of the kind [ErrDamaged].
func Open(path string) (*Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t := &Table{path: path, file: file}
	if err := t.open(); err != nil {
		file.Close()
		return nil, err
	}
	return t, nil
}

// Close closes the file.
func (t *Table) Close() error { return t.file.Close() }

// Path returns the name of the file.
func (t *Table) Path() string { return t.path }

// Origin returns what the table was compiled from.
func (t *Table) Origin() Origin { return t.of }

// Size returns the length of the file in bytes.
func (t *Table) Size() (int64, error) {
	info, err := t.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (t *Table) damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", t.path, ErrDamaged, fmt.Sprintf(format, args...))
}

// tallest is the largest number of rows of a block that is read, whatever its footer claims: many
// times that of a block that is written.
const tallest = 1 << 20

func (t *Table) open() error {
	size, err := t.Size()
	if err != nil {
		return err
	}
	text, err := t.footer(size)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &t.cards); err != nil {
		return t.damaged("its footer: %v", err)
	}
	f := &t.cards
	t.of = f.Of
	t.schema = data.Table{Source: f.Source, Headed: f.Headed, Target: f.Target, ID: f.ID, Sparse: f.Sparse}
	for _, c := range f.Column {
		kind, err := data.ParseKind(c.Kind)
		if err != nil || c.Chunk < 1 {
			return t.damaged("column %s has the kind %q and chunk %d", c.Name, c.Kind, c.Chunk)
		}
		t.schema.Columns = append(t.schema.Columns, data.Column{Name: c.Name, Kind: kind, Why: c.Why})
	}
	rows, at := 0, int64(len(opening))
	for b, k := range f.Blocks {
		if k.Offset != at || k.Length < 12 || k.Length > size-at || k.Rows < 1 || k.Rows > tallest || k.Rows > math.MaxInt-rows {
			return t.damaged("block %d has %d rows in %d bytes from byte %d", b+1, k.Rows, k.Length, k.Offset)
		}
		t.starts = append(t.starts, rows)
		rows, at = rows+k.Rows, at+k.Length
	}
	t.starts = append(t.starts, rows)
	if at+int64(len(text)+trailer) != size {
		return t.damaged("its blocks and footer end at byte %d, and it has %d", at+int64(len(text)+trailer), size)
	}
	return nil
}

// footer returns the JSON at the end.
func (t *Table) footer(size int64) ([]byte, error) {
	head, tail := make([]byte, len(opening)), make([]byte, trailer)
	if size < int64(len(head)+len(tail)) {
		return nil, t.damaged("it has %d bytes", size)
	}
	if err := errors.Join(t.read(head, 0), t.read(tail, size-int64(len(tail)))); err != nil {
		return nil, err
	}
	if string(head) != opening || string(tail[12:]) != closing {
		return nil, t.damaged("it does not begin and end like one")
	}
	length := binary.LittleEndian.Uint64(tail)
	if length > uint64(size)-uint64(len(head)+len(tail)) {
		return nil, t.damaged("its footer of %d bytes does not fit its %d bytes", length, size)
	}
	text := make([]byte, length)
	if err := t.read(text, size-int64(len(tail))-int64(length)); err != nil {
		return nil, err
	}
	if crc32.Checksum(text, castagnoli) != binary.LittleEndian.Uint32(tail[8:]) {
		return nil, t.damaged("the sum of its footer is wrong")
	}
	return text, nil
}

// read fills b from a place of the file.
func (t *Table) read(b []byte, at int64) error {
	if _, err := t.file.ReadAt(b, at); err == io.EOF {
		return t.damaged("it became shorter")
	} else if err != nil {
		return fmt.Errorf("%s: reading: %w", t.path, err)
	}
	return nil
}

// Schema returns the table without its cells.
func (t *Table) Schema() *data.Table { return &t.schema }

// Starts returns the first row of every block and, at the end, the number of rows.
func (t *Table) Starts() []int { return t.starts }

// Part returns what a part of a file says of all of it; nil: the table is no part.
func (t *Table) Part() *data.PartTally { return t.cards.Part }

// As says of all columns what kind they are, and why (nil: as they are): whether strings are
// categories or text is a matter of all shards of a table. Call it, and [Table.After], before any
// block is read.
func (t *Table) As(columns []Decided) {
	for j, d := range columns {
		t.schema.Columns[j].Kind, t.schema.Columns[j].Why = d.Kind, d.Why
	}
}

// Decided is what kind a column has, and why.
type Decided struct {
	Kind data.Kind
	Why  string
}

// After says that the table is a part of a file behind some lines.
func (t *Table) After(lines int) { t.after = lines }

// Block reads block b with the cells of some columns, nil: of all. Errors: a file that cannot be
// read, or was changed.
func (t *Table) Block(b int, columns []int) (*data.Table, error) {
	raw := t.buffer(b)
	defer t.raw.Put(raw)
	chunks, err := t.chunks(b, *raw)
	if err != nil {
		return nil, err
	}
	out := t.schema
	out.Before = t.starts[b]
	out.Columns = append([]data.Column(nil), t.schema.Columns...)
	rows := t.cards.Blocks[b].Rows
	if t.cards.Lines {
		ahead := make([]float64, rows)
		if err := decodeNumbers(ahead, chunks[0]); err != nil {
			return nil, t.damaged("block %d: the lines: %v", b+1, err)
		}
		out.Lines = make([]int, rows)
		for i, v := range ahead {
			out.Lines[i] = t.after + int(v) + out.Before + i
		}
	}
	fill := func(j int) error {
		if err := t.fill(&out.Columns[j], rows, chunks, t.cards.Column[j].Chunk); err != nil {
			return t.damaged("block %d: column %d (%s): %v", b+1, j+1, out.Columns[j].Name, err)
		}
		return nil
	}
	if columns == nil {
		for j := range out.Columns {
			if err := fill(j); err != nil {
				return nil, err
			}
		}
	}
	for _, j := range columns {
		if err := fill(j); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// fill reads the cells of a column.
func (t *Table) fill(c *data.Column, rows int, chunks [][]byte, chunk int) error {
	if c.Kind != data.Numeric {
		if chunk >= len(chunks) {
			return errChunk
		}
		return decodeStrings(c, rows, chunks[chunk], t.cards.Words && c.Kind == data.Text)
	}
	c.Numbers = make([]float64, rows)
	if chunk >= len(chunks) {
		return nil
	}
	if err := decodeNumbers(c.Numbers, chunks[chunk]); err != nil {
		return err
	}
	for i, v := range c.Numbers {
		if v != v {
			if c.Missing == nil {
				c.Missing = make([]bool, rows)
			}
			c.Missing[i] = true
		}
	}
	return nil
}

// buffer returns memory for a block, which decoding copies.
func (t *Table) buffer(b int) *[]byte {
	length := int(t.cards.Blocks[b].Length)
	raw, _ := t.raw.Get().(*[]byte)
	if raw == nil || cap(*raw) < length {
		fresh := make([]byte, length)
		return &fresh
	}
	*raw = (*raw)[:length]
	return raw
}

// chunks reads a block into memory and cuts it.
func (t *Table) chunks(b int, raw []byte) ([][]byte, error) {
	if err := t.read(raw, t.cards.Blocks[b].Offset); err != nil {
		return nil, err
	}
	content, sum := raw[:len(raw)-4], binary.LittleEndian.Uint32(raw[len(raw)-4:])
	if crc32.Checksum(content, castagnoli) != sum {
		return nil, t.damaged("the sum of block %d is wrong", b+1)
	}
	count := uint64(binary.LittleEndian.Uint32(content))
	if count < 1 || 4+4*count > uint64(len(content)) {
		return nil, t.damaged("block %d declares %d chunks", b+1, count)
	}
	out, sizes, rest := make([][]byte, count), content[4:4+4*count], content[4+4*count:]
	for i := range out {
		size := binary.LittleEndian.Uint32(sizes[4*i:])
		if uint64(size) > uint64(len(rest)) {
			return nil, t.damaged("chunk %d of block %d is longer than the block", i, b+1)
		}
		out[i], rest = rest[:size], rest[size:]
	}
	return out, nil
}

// Check reads all blocks, and returns the error of the first whose sum is wrong.
func (t *Table) Check(ctx context.Context) error {
	for b := range t.cards.Blocks {
		if ctx.Err() != nil {
			return fmt.Errorf("%s: checking: %w", t.path, context.Cause(ctx))
		}
		raw := t.buffer(b)
		_, err := t.chunks(b, *raw)
		t.raw.Put(raw)
		if err != nil {
			return err
		}
	}
	return nil
}
