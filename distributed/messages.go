package distributed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/pass"
)

// table says where the shards of a table are.
type table struct {
	Shards []open.Shard
	Stored bool // the paths of the shards are names in the store
}

// rows say how prepared rows are made from their table.
type rows struct {
	Table   string // the file of it
	Columns []byte // the pipeline as JSON
	Kept    []prep.Rows
}

// expression is a kernel: that of a text, and what is made of it.
type expression struct {
	Text  string
	Steps []pass.Construction
}

// job is what workers do, without its pieces. Its fields are exported, and its type is known to
// encoding/gob.
type job interface {
	// do does a piece, and returns what is stored of it.
	do(ctx context.Context, w *Worker, p Piece) ([]byte, error)
}

// sentJob is a job as a file has it.
type sentJob struct{ Job job }

// Piece is a piece of a job.
type Piece struct {
	Job      string // the file of the job
	From, To int    // rows of a pass or a preparation; or files, to compile
	Key      string // digest of all that the result depends on
	Along    bool   // numbers go along with the rows
}

// key returns the Key of a piece with what goes along.
func (p Piece) key(along []byte) string {
	return digest([]byte(fmt.Sprint(p.Job, p.From, p.To)), along)
}

// in, out and failure are the names of files.
func (p Piece) in() string      { return "pieces/" + p.Key + ".in" }
func (p Piece) out() string     { return "pieces/" + p.Key + ".out" }
func (p Piece) failure() string { return "pieces/" + p.Key + ".failed" }

// digest names content.
func digest(content ...[]byte) string {
	sum := sha256.New()
	for _, c := range content {
		sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(c))))
		sum.Write(c)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// encode writes a value by encoding/gob.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, fmt.Errorf("distributed: %w", err)
	}
	return b.Bytes(), nil
}

// fetch reads a value from a file.
func fetch(ctx context.Context, s Store, name string, v any) error {
	content, err := s.Read(ctx, name)
	if err != nil {
		return fmt.Errorf("distributed: %w", err)
	}
	if err := gob.NewDecoder(bytes.NewReader(content)).Decode(v); err != nil {
		return fmt.Errorf("distributed: %s: %w", name, err)
	}
	return nil
}

// appendNumbers writes numbers, their count first.
func appendNumbers(b []byte, x []float64) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(x)))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// takeNumbers reads numbers, and returns what is behind them.
func takeNumbers(b []byte) (x []float64, rest []byte, err error) {
	if len(b) < 8 || binary.LittleEndian.Uint64(b) > uint64(len(b)-8)/8 {
		return nil, nil, fmt.Errorf("distributed: numbers end early, after %d bytes", len(b))
	}
	n := int(binary.LittleEndian.Uint64(b))
	x, b = make([]float64, n), b[8:]
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x, b[8*n:], nil
}

// sealed writes content with a checksum, so that a file that is cut short is noticed.
func sealed(content []byte) []byte {
	sum := sha256.Sum256(content)
	return append(content, sum[:sealBytes]...)
}

// sealBytes is the length of a checksum.
const sealBytes = 16

// unsealed reads what sealed wrote.
func unsealed(b []byte) ([]byte, error) {
	if len(b) < sealBytes {
		return nil, fmt.Errorf("distributed: a result of %d bytes", len(b))
	}
	content, seal := b[:len(b)-sealBytes], b[len(b)-sealBytes:]
	if sum := sha256.Sum256(content); !bytes.Equal(sum[:sealBytes], seal) {
		return nil, fmt.Errorf("distributed: the checksum of a result is wrong")
	}
	return content, nil
}

// appendResult writes the result of a piece of a pass.
func appendResult(b []byte, r pass.Result) []byte {
	b = slices.Grow(b, 8*(len(r.Sums)+len(r.Rows)+2)+sealBytes)
	return appendNumbers(appendNumbers(b, r.Sums), r.Rows)
}

// takeResult reads the result of a piece of a pass.
func takeResult(b []byte) (r pass.Result, err error) {
	if r.Sums, b, err = takeNumbers(b); err != nil {
		return r, err
	}
	r.Rows, _, err = takeNumbers(b)
	return r, err
}
