package lines

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"example.org/mercer/data"
)

// Longest is the largest number of bytes of a line: the largest human chromosome fits.
const Longest = 1 << 28

// Reader returns the lines of a text one by one.
type Reader struct {
	source string
	r      *bufio.Reader
	budget *data.Budget
	read   int    // lines so far
	bytes  int64  // of them, and of a byte order mark
	long   []byte // a line longer than the buffer of r
	size   int    // of the last line, with its end
	cut    bool   // the last line has no end
}

// New returns a reader of the lines of r; source is what messages call it. A byte order mark is
// passed over. What a long line takes comes from the budget.
func New(source string, r io.Reader, budget *data.Budget) *Reader {
	br, ok := r.(*bufio.Reader)
	if !ok {
		br = bufio.NewReaderSize(r, 1<<16)
	}
	out := &Reader{source: source, r: br, budget: budget}
	if mark, _ := br.Peek(3); string(mark) == "\xef\xbb\xbf" {
		n, _ := br.Discard(len(mark))
		out.bytes = int64(n)
	}
	return out
}

// Line returns the number of the last line, from 1.
func (r *Reader) Line() int { return r.read }

// Bytes returns how many bytes the lines so far have, with their ends and a byte order mark.
func (r *Reader) Bytes() int64 { return r.bytes }

// After counts lines that were read before the first.
func (r *Reader) After(lines int) { r.read += lines }

// Cut reports whether the last line has no end, which the last of a file may lack.
func (r *Reader) Cut() bool { return r.cut }

// Next returns the next line without its end, LF or CRLF, valid until the next call; io.EOF after
// the last. Other errors are [*data.Error], and name the line.
func (r *Reader) Next() ([]byte, error) {
	line, err := r.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = r.gather(line)
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return nil, r.wrap(err)
	}
	r.read++
	r.size, r.cut = len(line), err == io.EOF
	r.bytes += int64(len(line))
	if !r.cut {
		line = line[:len(line)-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if bytes.IndexByte(line, 0) >= 0 {
		return nil, r.zero()
	}
	return line, nil
}

// gather collects a line that does not fit into the buffer, of which the beginning is given.
func (r *Reader) gather(line []byte) ([]byte, error) {
	r.read++ // errors are of this line
	defer func() { r.read-- }()
	r.long = r.long[:0]
	for {
		if bytes.IndexByte(line, 0) >= 0 {
			return nil, r.zero()
		}
		if len(r.long)+len(line) > Longest {
			return nil, &data.Error{Source: r.source, Line: r.read, Reason: fmt.Sprintf("is longer than %d MiB: it has no end, or is no text", Longest>>20), Fix: "end the lines, or name the format of the file"}
		}
		if had := cap(r.long); len(r.long)+len(line) > had {
			if err := r.budget.Take(int64(max(had, len(line))), r.source, r.read); err != nil {
				return nil, err
			}
			r.long = append(make([]byte, 0, had+max(had, len(line))), r.long...)
		}
		r.long = append(r.long, line...)
		var err error
		if line, err = r.r.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return append(r.long, line...), err
		}
	}
}

// Skip takes what the last line has from the budget: it holds nothing, but a file of nothing
// would otherwise be read for as long as it decompresses.
func (r *Reader) Skip() error { return r.budget.Take(int64(r.size), r.source, r.read) }

func (r *Reader) zero() error { return ZeroByte(r.source, r.read) }

// ZeroByte is the error of a line with a zero byte.
func ZeroByte(source string, line int) error {
	return &data.Error{Source: source, Line: line, Reason: "holds a zero byte, which no text table does", Fix: "name the format if it is another one, or save the file as UTF-8 text"}
}

// wrap names the source in an error of the underlying reader.
func (r *Reader) wrap(err error) error {
	if _, ours := err.(*data.Error); ours || err == io.EOF {
		return err
	}
	return &data.Error{Source: r.source, Line: r.read + 1, Reason: "cannot be read", Err: err}
}
