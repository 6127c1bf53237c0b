// Package checkpoint lets a long computation that is a function of its input go on after it
// was killed: what takes long in it is written down in its order as it is found, and the
// computation, started again, reads it instead of computing it. All between two such steps
// is computed anew, so that no solver has a state to save, and what comes out has the bits
// of a run that was never stopped.
package checkpoint

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"example.org/mercer/internal/atomicfile"
)

// Log is a file of steps: a line of JSON with the key, then the steps, each with a checksum.
// What a kill has cut off at its end is dropped. It is safe for concurrent use, but steps
// of one name have an order: one computation takes them.
type Log struct {
	// Known is the number of steps that were read instead of computed.
	Known int

	path  string
	key   func() map[string]string
	every time.Duration

	mu      sync.Mutex
	file    *os.File           // nil before the first save
	kept    map[string][]place // the steps of the file that were not asked for yet, by their names
	at      int64              // where the last whole step ends
	pending bytes.Buffer
	saved   time.Time
}

// place is where a step is in the file.
type place struct{ at, size int64 }

// mostPending is the number of bytes that wait in memory to be saved.
const mostPending = 64 << 20

// head is the first line.
type head struct {
	Checkpoint map[string]string `json:"mercer_checkpoint"`
}

// Open returns the log of a computation that the key describes, each entry by a name; it is asked
// for with the file. With resume the steps of the file at path are read first, where there is one;
// a file with another key is refused. Without resume a file at path is replaced by the first step
// that is saved. Steps are saved when the last save is as long ago as every says.
func Open(path string, key func() map[string]string, resume bool, every time.Duration) (*Log, error) {
	l := &Log{path: path, key: key, every: every, saved: time.Now()}
	if !resume {
		return l, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the checkpoint: %w", err)
	}
	l.file = file
	if err := l.read(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// read looks for the steps of the file, and makes it end with the last whole one.
func (l *Log) read() error {
	in := bufio.NewReaderSize(l.file, 1<<20)
	if err := l.readHead(in); err != nil {
		return err
	}
	info, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	l.kept = map[string][]place{}
	for {
		name, size, err := readStep(in, info.Size()-l.at)
		if err != nil {
			return fmt.Errorf("the checkpoint: %w", err)
		}
		if size == 0 {
			break
		}
		l.kept[name] = append(l.kept[name], place{l.at, size})
		l.at += size
	}
	if err := l.file.Truncate(l.at); err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	_, err = l.file.Seek(l.at, io.SeekStart)
	return err
}

func (l *Log) readHead(in *bufio.Reader) error {
	line, err := in.ReadBytes('\n')
	var h head
	if err == nil {
		err = json.Unmarshal(line, &h)
	}
	if err != nil || h.Checkpoint == nil {
		return fmt.Errorf("%s is no checkpoint of mercer: remove it, or start without resuming", l.path)
	}
	key, differ := l.key(), []string(nil)
	for _, name := range slices.Sorted(maps.Keys(key)) {
		if was := h.Checkpoint[name]; was != key[name] {
			differ = append(differ, fmt.Sprintf("%s (%s, now %s)", name, short(was), short(key[name])))
		}
	}
	if len(differ) > 0 {
		return fmt.Errorf("%s is the checkpoint of another computation, which differs in %s: resume with what it was begun with, or start anew without resuming", l.path, strings.Join(differ, "; "))
	}
	l.at = int64(len(line))
	return nil
}

// readStep returns the name and the length of the next of so many bytes; 0: what is left is no
// whole step.
func readStep(in io.Reader, left int64) (name string, size int64, err error) {
	var length [8]byte
	if left < 12 {
		return "", 0, nil
	}
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return "", 0, err
	}
	size = int64(binary.LittleEndian.Uint64(length[:]))
	if size < 4 || size > left-12 {
		return "", 0, nil
	}
	rest := make([]byte, size+4)
	if _, err := io.ReadFull(in, rest); err != nil {
		return "", 0, err
	}
	body := rest[:size]
	named := int64(binary.LittleEndian.Uint32(body))
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(rest[size:]) || named > size-4 {
		return "", 0, nil
	}
	return string(body[4 : 4+named]), size + 12, nil
}

// short abridges a value for an error.
func short(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}

// Step fills the results with those of the next step of a name, from the file or else by
// compute, which may take steps itself: those of names that begin with its own and a colon are
// passed over with it. A step in the file that has other sizes is an error: the program has
// changed.
func (l *Log) Step(ctx context.Context, name string, results [][]float64, compute func() error) error {
	if known, err := l.readNext(name, results); err != nil || known {
		return cmp.Or(err, ctx.Err())
	}
	if err := compute(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if size := int64(binary.LittleEndian.Uint64(heading(name, results))); size > mostPending {
		return l.saveLarge(ctx, name, results, 8+size+4)
	}
	if err := write(&l.pending, name, results); err != nil {
		return err
	}
	if time.Since(l.saved) < l.every && l.pending.Len() < mostPending {
		return nil
	}
	return l.save(ctx)
}

// saveLarge writes a step of so many bytes to the file at once, with those that wait: a second copy
// of it in memory may not fit.
func (l *Log) saveLarge(ctx context.Context, name string, results [][]float64, size int64) error {
	if err := l.save(ctx); err != nil {
		return err
	}
	if l.file == nil {
		if err := l.begin(ctx); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(l.file, 1<<20)
	err := write(out, name, results)
	if err == nil {
		err = out.Flush()
	}
	return l.written(size, err)
}

// written waits until what was written is on the disk.
func (l *Log) written(size int64, err error) error {
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	l.at += size
	l.saved = time.Now()
	return nil
}

// heading returns what a step begins with: its length, its name, and the sizes of its numbers.
func heading(name string, results [][]float64) []byte {
	size := 4 + len(name) + 4
	for _, r := range results {
		size += 8 + 8*len(r)
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(size))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(name)))
	out = append(out, name...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(results)))
	for _, r := range results {
		out = binary.LittleEndian.AppendUint64(out, uint64(len(r)))
	}
	return out
}

// write writes a step: heading, numbers, and their checksum.
func write(w io.Writer, name string, results [][]float64) error {
	front := heading(name, results)
	sum := crc32.NewIEEE()
	sum.Write(front[8:])
	if _, err := w.Write(front); err != nil {
		return err
	}
	var numbers [8192]byte
	for _, r := range results {
		for some := range slices.Chunk(r, len(numbers)/8) {
			for i, v := range some {
				binary.LittleEndian.PutUint64(numbers[8*i:], math.Float64bits(v))
			}
			sum.Write(numbers[:8*len(some)])
			if _, err := w.Write(numbers[:8*len(some)]); err != nil {
				return err
			}
		}
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// readNext takes the next step of a name from the file, if there is one.
func (l *Log) readNext(name string, results [][]float64) (known bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	steps := l.kept[name]
	if len(steps) == 0 {
		return false, nil
	}
	want, in := heading(name, results), io.NewSectionReader(l.file, steps[0].at, steps[0].size)
	got := make([]byte, len(want))
	if _, err := io.ReadFull(in, got); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("the checkpoint: %w", err)
	}
	if !bytes.Equal(got, want) {
		return false, fmt.Errorf("%s: a step %q of the checkpoint is not the one that this program takes there: remove the file, or resume with the program that wrote it", l.path, name)
	}
	var numbers [8192]byte
	for _, r := range results {
		for len(r) > 0 {
			some := numbers[:min(8*len(r), len(numbers))]
			if _, err := io.ReadFull(in, some); err != nil {
				return false, fmt.Errorf("the checkpoint: %w", err)
			}
			for i := range len(some) / 8 {
				r[i] = math.Float64frombits(binary.LittleEndian.Uint64(some[8*i:]))
			}
			r = r[len(some)/8:]
		}
	}
	l.kept[name] = steps[1:]
	l.passOver(name, steps[0].at)
	l.Known++
	return true, nil
}

// passOver drops the steps that were taken within one, which come before it: nobody asks for them
// any more.
func (l *Log) passOver(name string, before int64) {
	for part, steps := range l.kept {
		if strings.HasPrefix(part, name+": ") {
			l.kept[part] = slices.DeleteFunc(steps, func(s place) bool { return s.at < before })
		}
	}
}

// save writes the steps that are not written yet, and waits until they are on the disk.
func (l *Log) save(ctx context.Context) error {
	if l.pending.Len() == 0 {
		return nil
	}
	if l.file == nil {
		if err := l.begin(ctx); err != nil {
			return err
		}
	}
	size := int64(l.pending.Len())
	_, err := l.file.Write(l.pending.Bytes())
	if err = l.written(size, err); err == nil {
		l.pending.Reset()
	}
	return err
}

// begin makes a file with the first line alone.
func (l *Log) begin(ctx context.Context) error {
	line, err := json.Marshal(head{l.key()})
	if err != nil {
		return err
	}
	err = atomicfile.Write(ctx, l.path, func(w io.Writer) error {
		_, err := w.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	l.file, err = os.OpenFile(l.path, os.O_RDWR|os.O_APPEND, 0)
	l.at = int64(len(line) + 1)
	return err
}

// Close ends the log: a computation that is finished needs it no more, and its file is
// removed; one that is not leaves all of its steps there.
func (l *Log) Close(finished bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var problems []error
	if !finished {
		problems = append(problems, l.save(context.Background()))
	}
	if l.file != nil {
		problems = append(problems, l.file.Close())
		if finished {
			problems = append(problems, os.Remove(l.path))
		}
	}
	return errors.Join(problems...)
}

// Is reports whether there is a file of steps at a path.
func Is(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begin := make([]byte, len(beginning))
	_, err = io.ReadFull(file, begin)
	return err == nil && string(begin) == beginning
}

// beginning is that of the first line.
const beginning = `{"mercer_checkpoint":`

// Saved reports whether there is a file to resume from.
func (l *Log) Saved() bool { return l.file != nil }
