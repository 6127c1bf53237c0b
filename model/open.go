package model

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"example.org/mercer/internal/mapfile"
)

// mapFrom is the size in bytes of a file from which it is mapped into memory: of a large one not
// every tensor is used.
var mapFrom int64 = 64 << 20

// Open reads a model file: a small one into memory, of a large one, which is mapped where the
// system can, the tensors that are asked for. The header, the layout and the checksum are
// verified, in one pass over the file; what is wrong is a [*FileError]. Close it after use. A file
// that is replaced as [WriteFile] does stays intact for those who have it open; one that is
// overwritten in place is an error where a tensor is asked for.
func Open(path string) (*File, error) {
	handle, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := handle.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size() >= mapFrom {
		return openMapped(path, handle, info)
	}
	defer handle.Close()
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", path, err)
	}
	raw, err := readAll(path, handle, info)
	if err != nil {
		return nil, err
	}
	return Parse(path, raw)
}

// readAll reads a file, or what is no file on a disk, which must not be as large.
func readAll(path string, handle *os.File, info os.FileInfo) ([]byte, error) {
	most := mapFrom
	if info.Mode().IsRegular() {
		most = info.Size()
	}
	raw := make([]byte, 0, 8) // aligned
	if info.Mode().IsRegular() {
		raw = slices.Grow(raw, int(info.Size())+1)
	}
	in := io.LimitReader(handle, most+1)
	for {
		n, err := in.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		switch {
		case err == io.EOF && int64(len(raw)) > most:
			return nil, &FileError{Source: path, Offset: -1, What: fmt.Sprintf("is no file on a disk, and has more than %d bytes", most), Fix: "write the model to a file"}
		case err == io.EOF:
			return raw, nil
		case err != nil:
			return nil, fmt.Errorf("%s: cannot be read: %w", path, err)
		}
		if len(raw) == cap(raw) {
			raw = slices.Grow(raw, max(1<<16, len(raw)))
		}
	}
}

// mapping is a file that is mapped into memory and stays open.
type mapping struct {
	handle   *os.File
	size     int64
	modified time.Time
	release  func() error
}

func openMapped(path string, handle *os.File, info os.FileInfo) (*File, error) {
	raw, release, err := mapfile.Private(handle)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: cannot be read: %w", path, err), handle.Close())
	}
	m := &mapping{handle: handle, size: info.Size(), modified: info.ModTime(), release: release}
	var f *File
	err = m.guard(path, func() (err error) {
		f, err = Parse(path, raw)
		return err
	})
	if err != nil {
		_ = m.close() // the file is useless already
		return nil, err
	}
	f.mapped = m
	return f, nil
}

// guard runs what reads the mapped memory. Where the file became shorter meanwhile, the fault is an
// error, and so is any other change of it. A nil mapping is memory, which never changes.
func (m *mapping) guard(source string, read func() error) (err error) {
	if m == nil {
		return read()
	}
	changed := func() error {
		return &FileError{Source: source, Offset: -1, What: "the file was overwritten while it was read", Fix: "write a new file and rename it, as mercer does; then read it again"}
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			if _, isFault := fault.(interface{ Addr() uintptr }); !isFault {
				panic(fault)
			}
			err = changed()
		}
	}()
	if err := read(); err != nil {
		return err
	}
	if info, err := m.handle.Stat(); err != nil || info.Size() != m.size || !info.ModTime().Equal(m.modified) {
		return changed()
	}
	return nil
}

// copy returns a tensor in memory of its own.
func (m *mapping) copy(source string, t Tensor) (Tensor, error) {
	own := t
	err := m.guard(source, func() error {
		own.data = make([]byte, len(t.data))
		copy(own.data, t.data)
		return nil
	})
	return own, err
}

// close gives memory and file back.
func (m *mapping) close() error {
	if m == nil {
		return nil
	}
	return errors.Join(m.release(), m.handle.Close())
}
