package tune

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Journal keeps the trials of a search in a file, a line each, as they are made. A
// search that was stopped, or killed, and is started again with the same journal goes
// on where it was and ends with the same result. A nil *Journal keeps nothing.
type Journal struct {
	file  *os.File
	known map[string]Trial
}

// journalHead is the first line of a journal: what was searched.
type journalHead struct {
	Journal string `json:"mercer_tune"`
}

// OpenJournal opens the journal of a search in a file, or makes it. The key says what
// is searched, on what data; a journal with another key is refused. A last line that
// a kill cut off is dropped.
func OpenJournal(path, key string) (*Journal, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("tune: the journal: %w", err)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	j := &Journal{known: map[string]Trial{}}
	if err := j.read(whole, path, key); err != nil {
		return nil, err
	}
	if j.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666); err != nil {
		return nil, fmt.Errorf("tune: the journal: %w", err)
	}
	if err := errors.Join(j.file.Truncate(int64(len(whole))), seekTo(j.file, int64(len(whole)))); err != nil {
		return nil, errors.Join(fmt.Errorf("tune: the journal: %w", err), j.file.Close())
	}
	if len(whole) == 0 {
		if err := j.write(journalHead{key}); err != nil {
			return nil, errors.Join(err, j.file.Close())
		}
	}
	return j, nil
}

func seekTo(f *os.File, at int64) error {
	_, err := f.Seek(at, io.SeekStart)
	return err
}

// read takes in the lines of a journal.
func (j *Journal) read(text []byte, path, key string) error {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for number := 1; lines.Scan(); number++ {
		if number == 1 {
			var head journalHead
			if err := json.Unmarshal(lines.Bytes(), &head); err != nil || head.Journal == "" {
				return fmt.Errorf("%s, line 1: this is no journal of a search; name another file, or remove it", path)
			}
			if head.Journal != key {
				return fmt.Errorf("%s: this is the journal of another search (other data, kernel, method or options); name another file, or remove it", path)
			}
			continue
		}
		var t Trial
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return fmt.Errorf("%s, line %d: this is not a trial (%w); remove the file to start anew", path, number, err)
		}
		j.known[t.key()] = t
	}
	return lines.Err()
}

// key tells trials apart: their values, bit for bit, and their share.
func (t *Trial) key() string {
	var b strings.Builder
	for _, v := range append(slices.Clone(t.Values), t.Share) {
		b.WriteString(strconv.FormatFloat(v, 'x', -1, 64))
		b.WriteByte(' ')
	}
	return b.String()
}

// find fills in a trial that the journal knows.
func (j *Journal) find(t *Trial) bool {
	if j == nil {
		return false
	}
	known, ok := j.known[t.key()]
	if ok {
		*t = known
	}
	return ok
}

// add writes trials, all of them or none.
func (j *Journal) add(trials []Trial) error {
	if j == nil {
		return nil
	}
	lines := make([]any, len(trials))
	for i, t := range trials {
		lines[i] = t
	}
	return j.write(lines...)
}

// write appends lines and waits until they are on the disk.
func (j *Journal) write(lines ...any) error {
	var b bytes.Buffer
	for _, l := range lines {
		if err := json.NewEncoder(&b).Encode(l); err != nil {
			return fmt.Errorf("tune: the journal: %w", err)
		}
	}
	if _, err := j.file.Write(b.Bytes()); err != nil {
		return fmt.Errorf("tune: the journal: %w", err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("tune: the journal: %w", err)
	}
	return nil
}

// Close closes the file. A nil journal has none.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.file.Close()
}
