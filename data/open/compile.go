package open

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/data/npy"
	"example.org/mercer/data/parquet"
	"example.org/mercer/internal/atomicfile"
)

// Compiled says what became of a table that is read in passes.
type Compiled struct {
	Path string `json:"path"` // of the compiled file
	Size int64  `json:"size"` // of it, in bytes
	// Fresh says that it was made now, in so many seconds, and Why, if there was one before that
	// could not be used.
	Fresh   bool    `json:"fresh"`
	Seconds float64 `json:"seconds,omitempty"`
	Why     string  `json:"why,omitempty"`
	// Files is the number of compiled files where the table has several, of all of which Size is,
	// and Seconds.
	Files int `json:"files,omitempty"`
}

// streamed are the formats whose files can be read in blocks.
var streamed = []Format{CSV, LibSVM, NPY, Parquet}

// Compile makes a table that is larger than memory readable in passes: a file of the format CSV,
// LIBSVM, .npy or Parquet is read once, in memory that does not grow with its length, and written
// to a compiled file in a folder, or beside it where that is "". A compiled file of the same
// source, read by the same options, is used again, unless size or time of the source have changed
// or a sum is wrong. The table is that of [Read], and so are the errors; other formats, standard
// input and options that need the whole table are errors of their own. A compiled file appears
// whole or not at all.
func Compile(ctx context.Context, path, folder string, o Options) (*compiled.Table, *Compiled, error) {
	return Compilation{Path: path, Folder: folder, Options: o}.Do(ctx)
}

// extension is that of compiled files.
const extension = ".mercer-table"

// ErrNotStreamable is what errors.Is finds in an error about a table that can only be read at once.
var ErrNotStreamable = errors.New("cannot be read in passes")

// notStreamable is such an error.
func notStreamable(source, why, fix string) error {
	return &data.Error{Source: source, Err: fmt.Errorf("%w: %s", ErrNotStreamable, why), Fix: fix}
}

// canPass refuses what cannot be read in passes.
func (o Options) canPass(path string) error {
	list, several := classesIn(path)
	switch {
	case path == "-":
		return notStreamable(standardInput, "it goes by once", "write it to a file")
	case isAddress(path):
		return notStreamable(path, "it is an address", "download it first")
	case several:
		return notStreamable(path, fmt.Sprintf("it is a list of %d files", len(list)), "join them to one file with a column for the label")
	case o.Bag != "":
		return notStreamable(path, "the rows of a bag may be anywhere", "leave the bags out, or read the table at once")
	}
	return nil
}

// origin says what a compiled file of the source must be made from.
func (s *source) origin(o Options) (compiled.Origin, error) {
	if !s.regular() {
		return compiled.Origin{}, notStreamable(s.name, "it is no file on a disk", "copy it to one")
	}
	info, err := s.file.Stat()
	if err != nil {
		return compiled.Origin{}, s.unreadable(err)
	}
	place, err := filepath.Abs(o.at(s.name))
	if err != nil {
		return compiled.Origin{}, s.unreadable(err)
	}
	text, err := json.Marshal(struct {
		Path    string
		Options Options
	}{place, o.named()})
	if err != nil {
		return compiled.Origin{}, err
	}
	sum := sha256.Sum256(text)
	of := compiled.Origin{Size: info.Size(), Modified: info.ModTime().UnixNano(), Options: hex.EncodeToString(sum[:])}
	if s.split != nil {
		of.Options += fmt.Sprintf("%s of %v", s.split.suffix(), s.split.Reads)
	}
	return of, nil
}

// reuse opens a compiled file, or says why it is not used; "" where there is none. check says
// whether its sums are to be looked at, for which all of it is read.
func (s *source) reuse(ctx context.Context, path string, of compiled.Origin, check bool) (*compiled.Table, string) {
	t, err := compiled.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ""
	case err != nil:
		return nil, err.Error()
	}
	if t.Origin() != of {
		t.Close()
		return nil, "the file it was made from has changed"
	}
	if s.split != nil && !s.split.agrees(t) {
		t.Close()
		return nil, "another part of its file has words in a column of numbers"
	}
	if !check {
		return t, ""
	}
	if err := t.Check(ctx); err != nil {
		t.Close()
		return nil, err.Error()
	}
	return t, ""
}

// compile reads the source and writes a compiled file.
func (s *source) compile(ctx context.Context, path string, of compiled.Origin, o Options) (*compiled.Table, error) {
	w := writing{source: s, of: of, o: o, format: o.Format, words: data.TextColumns{}}
	switch {
	case s.split != nil:
		w.format, w.known = s.split.Format, s.split.Text
	case w.format == Auto:
		var err error
		if w.format, err = s.detect(o); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(streamed, w.format) {
		return nil, notStreamable(s.name, fmt.Sprintf("its format is %s", w.format), fmt.Sprintf("write it as one of %s", streamed))
	}
	for {
		err := atomicfile.Write(ctx, path, func(to io.Writer) error { return w.write(ctx, compiled.NewWriter(to)) })
		var turned *data.ColumnsBecameText
		if !errors.As(err, &turned) {
			if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) {
				return nil, fmt.Errorf("%s: cannot be compiled for passes: %w (--cache)", s.name, err)
			}
			if err != nil {
				return nil, err
			}
			return compiled.Open(path)
		}
		maps.Copy(w.words, turned.Columns)
		if err := s.rewind(ctx, o); err != nil {
			return nil, err
		}
	}
}

// rewind goes back to the first byte.
func (s *source) rewind(ctx context.Context, o Options) error {
	s.told.Done()
	again, err := openSource(ctx, s.name, o)
	if err != nil {
		return err
	}
	s.close()
	again.split = s.split
	*s = *again
	return nil
}

// writing passes the blocks of a source on to a compiled file.
type writing struct {
	*source
	of     compiled.Origin
	o      Options
	format Format
	known  data.TextColumns // columns that hold text: other parts of the file say so
	words  data.TextColumns // those that turned out to, after blocks with numbers of them
}

// text are all columns that hold text.
func (w *writing) text() data.TextColumns {
	all := maps.Clone(w.words)
	maps.Copy(all, w.known)
	return all
}

// write writes the blocks.
func (w *writing) write(ctx context.Context, to *compiled.Writer) error {
	var schema *data.Table
	var part *data.PartTally
	var chunks []int
	var err error
	plain := func(t *data.Table) error { return w.block(to, t, w.format, w.o) }
	switch w.format {
	case LibSVM:
		if len(w.o.Types) > 0 {
			return notStreamable(w.name, "it is sparse, and the types of some of its columns are forced", "force none")
		}
		schema, err = libsvm.Blocks(ctx, w.name, w.br, w.o.LibSVM, compiled.Rows, func(f *libsvm.File) error {
			return to.Block(len(f.Labels), f.Lines, f.Columns())
		})
		if err == nil {
			chunks = sparseChunks(schema)
		}
	case NPY:
		schema, err = npy.Blocks(ctx, w.name, w.sequential(), compiled.Rows, w.o.account, plain)
	case Parquet:
		schema, part, err = w.groups(ctx, plain)
	default:
		schema, part, err = w.lines(ctx, plain)
	}
	if err == nil && w.format != CSV {
		err = schema.ConvertKinds(w.o.Types)
	}
	if err != nil {
		return err
	}
	if w.split != nil {
		to.Part(w.tallied(schema, part))
	}
	return to.Close(w.of, schema, chunks, w.format == CSV && w.o.Missing == nil)
}

// groups reads a Parquet file, or a split of it.
func (w *writing) groups(ctx context.Context, use func(*data.Table) error) (*data.Table, *data.PartTally, error) {
	r, size, err := w.random(w.o.account)
	if err != nil {
		return nil, nil, err
	}
	var groups parquet.Groups
	if w.split != nil {
		groups = w.split.Groups
	}
	return parquet.Blocks(ctx, w.name, r, size, groups, w.text(), compiled.Rows, w.o.account, use)
}

// lines reads a text table, or a split of it.
func (w *writing) lines(ctx context.Context, use func(*data.Table) error) (*data.Table, *data.PartTally, error) {
	if w.split == nil {
		t, err := csv.Blocks(ctx, w.name, w.br, w.o.csv(), w.text(), compiled.Rows, use)
		return t, nil, err
	}
	at := w.split.Reads[0]
	return w.split.Layout.Blocks(ctx, w.name, io.NewSectionReader(w.seen, at.From, at.To-at.From), w.o.csv(), w.text(), compiled.Rows, use)
}

// tallied adds to what a part says of the file the words that were found in columns of numbers.
func (w *writing) tallied(schema *data.Table, part *data.PartTally) *data.PartTally {
	for i, c := range schema.Columns {
		if first, found := w.words[c.Name]; found {
			part.Columns[i].First = first
		}
	}
	return part
}

// block writes one block of a table, with the types that are forced.
func (s *source) block(w *compiled.Writer, t *data.Table, format Format, o Options) error {
	if format != CSV { // which forces types as it reads
		if err := t.ConvertKinds(o.Types); err != nil {
			return err
		}
	}
	return w.Block(t.Rows(), t.Lines, pointers(t.Columns))
}

func pointers(columns []data.Column) iter.Seq[*data.Column] {
	return func(yield func(*data.Column) bool) {
		for i := range columns {
			if !yield(&columns[i]) {
				return
			}
		}
	}
}

// sparseChunks says where the columns of a sparse table are: its blocks always have query ids.
func sparseChunks(schema *data.Table) []int {
	chunks := make([]int, len(schema.Columns))
	for i := range chunks {
		chunks[i] = i + 1
		if i > 0 && schema.Columns[1].Kind == data.Numeric {
			chunks[i] = i + 2
		}
	}
	return chunks
}

// Larger reports whether a file would take more than some bytes of memory as a table: its length
// is more, which is less than what its cells take.
func Larger(path string, bytes int64) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > bytes
}
