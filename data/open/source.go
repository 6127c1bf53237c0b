package open

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"example.org/mercer/data"
	"example.org/mercer/internal/progress"
	"example.org/mercer/internal/stoppable"
)

// standardInput is what messages call the path "-".
const standardInput = "standard input"

// sampleBytes is how much of a source is read to find its format.
const sampleBytes = 1 << 14

// source is an opened file or standard input, decompressed where it was compressed.
type source struct {
	name string
	file *os.File // nil for standard input
	br   *bufio.Reader
	zip  bool // br decompresses gzip
	told *progress.Meter
	seen *watched // a regular file, as all that read it see it

	split   *Split // that is read; nil: all
	recoded bool   // br decodes text that is not UTF-8

	temporary bool // the file goes when it is closed
}

// mostTimes is how many bytes a compressed source may decompress to for every byte of the budget,
// so that one that holds nothing ends, too. Digits and blanks take more letters than numbers bytes.
const mostTimes = 4

// openSource opens a path, or standard input for "-".
func openSource(ctx context.Context, path string, o Options) (*source, error) {
	s := &source{name: path}
	var r io.Reader
	if path == "-" {
		s.name, r = standardInput, o.Stdin
		if r == nil {
			return nil, &data.Error{Source: standardInput, Reason: "is not available here", Fix: "give the name of a file"}
		}
	} else if err := s.openFile(ctx, path, o); err != nil {
		return nil, err
	} else {
		r = s.file
	}
	if s.regular() {
		r = s.watched(ctx, o.account, o.Progress, o.read)
	} else {
		r = stoppable.Reader(ctx, r)
	}
	s.br = bufio.NewReaderSize(r, sampleBytes)
	if magic, _ := s.br.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(s.br)
		if err != nil {
			s.close()
			return nil, &data.Error{Source: s.name, Reason: "cannot be decompressed", Err: plain(err), Fix: "write or copy it again"}
		}
		s.zip = true
		out := &gunzip{r: z, name: s.name}
		if !o.passes {
			out.limit = mostTimes * o.account.Limit()
		}
		s.br = bufio.NewReaderSize(out, sampleBytes)
	}
	if err := s.decode(o.Encoding); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// openFile opens a file, or an address as a temporary one.
func (s *source) openFile(ctx context.Context, path string, o Options) (err error) {
	if !isAddress(path) {
		s.file, err = openFile(ctx, path, cmp.Or(o.copy, o.at(path)))
		return err
	}
	d, err := newDownload(path, o)
	if err != nil {
		return err
	}
	s.name = d.name
	s.file, err = d.open(ctx)
	s.temporary = err == nil
	return err
}

// openFile opens a file that is not a directory. To open a pipe waits for who writes to it, as long
// as ctx lasts. Errors call the file by its path, which may begin in another folder than its place.
func openFile(ctx context.Context, path, place string) (*os.File, error) {
	if path == "" {
		return nil, &data.Error{Reason: "the name of the file is empty", Fix: "give a file, or - for standard input"}
	}
	f, err := openPatiently(ctx, place)
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, &data.Error{Source: path, Reason: "cannot be opened", Err: err}
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		f.Close()
		return nil, &data.Error{Source: path, Reason: "is a directory", Fix: "give a file in it, or a folder of graphs in the TUDataset format, with a file NAME_A.txt, or one of PNG images, or of folders of them"}
	}
	return f, nil
}

// openPatiently opens a file, and what may keep it waiting in a goroutine of its own.
func openPatiently(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (s *source) close() {
	s.told.Done()
	if s.file != nil {
		s.file.Close()
	}
	if s.temporary {
		os.Remove(s.file.Name())
	}
}

// regular reports whether the source is a file on a disk and not a pipe or a terminal.
func (s *source) regular() bool {
	if s.file == nil {
		return false
	}
	info, err := s.file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// sample returns the first bytes without consuming them.
func (s *source) sample() ([]byte, error) {
	sample, err := s.br.Peek(sampleBytes)
	if err != nil && err != io.EOF {
		return nil, s.unreadable(err)
	}
	return sample, nil
}

func (s *source) unreadable(err error) error {
	return &data.Error{Source: s.name, Reason: "cannot be read", Err: err}
}

// random returns the source for reading at any position: the file itself, or all of it in
// memory where it is compressed or no regular file.
func (s *source) random(budget *data.Budget) (io.ReaderAt, int64, error) {
	if s.regular() && !s.zip {
		info, err := s.file.Stat()
		if err != nil {
			return nil, 0, s.unreadable(err)
		}
		return s.seen, info.Size(), nil
	}
	var all bytes.Buffer
	for {
		// A buffer that doubles is there twice for a moment.
		had := all.Len()
		_, err := io.CopyN(&all, s.br, 1<<20)
		if err := budget.Take(3*int64(all.Len()-had), s.name, 0); err != nil {
			return nil, 0, err
		}
		if err == io.EOF {
			return bytes.NewReader(all.Bytes()), int64(all.Len()), nil
		} else if err != nil {
			return nil, 0, s.unreadable(err)
		}
	}
}

// watched returns the file as a reader that tells a budget, and whoever listens, which share of it
// was read; together is told how many bytes of several files were.
func (s *source) watched(ctx context.Context, budget *data.Budget, tell progress.Func, together *progress.Meter) *watched {
	s.seen = &watched{file: s.file, ctx: ctx, together: together}
	if info, err := s.file.Stat(); err == nil && info.Size() > 0 {
		s.told = progress.Start(tell, "read", info.Size())
		s.seen.told = s.told
		budget.Watch(func() float64 { return float64(s.seen.read.Load()) / float64(info.Size()) })
	}
	return s.seen
}

// watched is a file that counts the bytes that are read, in their order or not, and of which
// nothing is read once ctx has ended.
type watched struct {
	file *os.File
	ctx  context.Context
	read atomic.Int64
	told *progress.Meter

	together *progress.Meter
}

// Read reads on.
func (w *watched) Read(p []byte) (int, error) {
	return w.count(p, w.file.Read)
}

// ReadAt reads at a place.
func (w *watched) ReadAt(p []byte, at int64) (int, error) {
	return w.count(p, func(p []byte) (int, error) { return w.file.ReadAt(p, at) })
}

// Seek implements io.Seeker.
func (w *watched) Seek(offset int64, whence int) (int64, error) { return w.file.Seek(offset, whence) }

// Stat describes the file.
func (w *watched) Stat() (fs.FileInfo, error) { return w.file.Stat() }

func (w *watched) count(p []byte, read func(p []byte) (int, error)) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	n, err := read(p)
	w.told.Reach(w.read.Add(int64(n)))
	w.together.Add(int64(n))
	return n, err
}

// sequential returns the source from its first byte: the file itself where possible,
// because its size tells a reader how much will come.
func (s *source) sequential() io.Reader {
	if s.regular() && !s.zip {
		if _, err := s.file.Seek(0, io.SeekStart); err == nil {
			s.seen.read.Store(0)
			return s.seen
		}
	}
	return s.br
}

// gunzip is a decompressing reader whose errors speak of the compression. In particular,
// a stream that was cut must not look like the end of a shorter file.
type gunzip struct {
	r      *gzip.Reader
	name   string
	passed int64 // bytes so far
	limit  int64 // of them; 0: any
}

// Read decompresses.
func (g *gunzip) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	if g.passed += int64(n); g.limit > 0 && g.passed > g.limit {
		return 0, data.Endless(g.name, g.passed)
	}
	return n, plain(err)
}

// plain puts an error of package gzip in plain words.
func plain(err error) error {
	switch {
	case err == io.ErrUnexpectedEOF:
		return errors.New("the gzip stream was cut")
	case errors.Is(err, gzip.ErrChecksum):
		return errors.New("the gzip stream is damaged: its checksum is wrong")
	case errors.Is(err, gzip.ErrHeader):
		return errors.New("the gzip stream is damaged: its header is wrong")
	}
	return err
}
