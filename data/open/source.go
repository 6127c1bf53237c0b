package open

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"example.org/mercer/data"
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
}

// openSource opens a path, or standard input for "-".
func openSource(ctx context.Context, path string, stdin io.Reader) (*source, error) {
	s := &source{name: path}
	var r io.Reader
	if path == "-" {
		s.name, r = standardInput, stdin
		if stdin == nil {
			return nil, &data.Error{Source: standardInput, Reason: "is not available here", Fix: "give the name of a file"}
		}
	} else {
		f, err := openFile(path)
		if err != nil {
			return nil, err
		}
		s.file, r = f, f
	}
	s.br = bufio.NewReaderSize(stoppable(ctx, r, s.regular()), sampleBytes)
	if magic, _ := s.br.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(s.br)
		if err != nil {
			s.close()
			return nil, &data.Error{Source: s.name, Reason: "cannot be decompressed", Err: plain(err), Fix: "write or copy it again"}
		}
		s.zip = true
		s.br = bufio.NewReaderSize(&gunzip{z}, sampleBytes)
	}
	return s, nil
}

// openFile opens a file that is not a directory.
func openFile(path string) (*os.File, error) {
	if path == "" {
		return nil, &data.Error{Reason: "the name of the file is empty", Fix: "give a file, or - for standard input"}
	}
	f, err := os.Open(path)
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

func (s *source) close() {
	if s.file != nil {
		s.file.Close()
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
func (s *source) random() (io.ReaderAt, int64, error) {
	if s.regular() && !s.zip {
		info, err := s.file.Stat()
		if err != nil {
			return nil, 0, s.unreadable(err)
		}
		return s.file, info.Size(), nil
	}
	all, err := io.ReadAll(s.br)
	if err != nil {
		return nil, 0, s.unreadable(err)
	}
	return bytes.NewReader(all), int64(len(all)), nil
}

// sequential returns the source from its first byte: the file itself where possible,
// because its size tells a reader how much will come.
func (s *source) sequential() io.Reader {
	if s.regular() && !s.zip {
		if _, err := s.file.Seek(0, io.SeekStart); err == nil {
			return s.file
		}
	}
	return s.br
}

// gunzip is a decompressing reader whose errors speak of the compression. In particular,
// a stream that was cut must not look like the end of a shorter file.
type gunzip struct{ r *gzip.Reader }

// Read decompresses.
func (g *gunzip) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
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
