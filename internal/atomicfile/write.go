// Package atomicfile writes files that are either complete or not there at all.
package atomicfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// Write makes the file at path hold exactly what fill writes, or leaves whatever was
// there untouched: the bytes go to a temporary file ".NAME.tmp-…" in the same folder,
// are flushed to the disk, and take the final name in one step. A failure, or the end
// of ctx, removes the temporary file; a process that is killed leaves at most that
// file, never a part of the result under its final name. A later write into the same
// folder removes what killed processes have left there.
//
// A path that exists must be a regular file, whose permissions are kept; a new file
// gets 0666 less the umask. A symbolic link is followed.
func Write(ctx context.Context, path string, fill func(w io.Writer) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	final, old, err := destination(path)
	if err != nil {
		return err
	}
	sweep(filepath.Dir(final))
	temp, err := create(final, old)
	if temp == nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close() // a second Close is harmless, and the first error counts
			err = errors.Join(unwritten(err, temp.Name(), final), os.Remove(temp.Name()))
		}
	}()
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(writer{ctx, temp}, 1<<16)
	if err := fill(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), final); err != nil {
		return err
	}
	syncFolder(filepath.Dir(final))
	return nil
}

// syncFolder makes a rename survive a power cut. Failure is not reported: the file is
// complete under its name, and some file systems cannot do this.
func syncFolder(path string) {
	folder, err := os.Open(path)
	if err != nil {
		return
	}
	defer folder.Close()
	_ = folder.Sync()
}

// destination follows links and refuses what a rename would destroy. The old file is
// nil where there is none.
func destination(path string) (final string, old fs.FileInfo, err error) {
	final = path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		final = resolved
	}
	info, err := os.Stat(final)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return final, nil, nil
	case err != nil:
		return "", nil, err
	case !info.Mode().IsRegular():
		return "", nil, fmt.Errorf("%s is not a regular file and cannot be replaced: choose another name", path)
	}
	return final, info, nil
}

// create opens a new temporary file beside final, with the permissions of the old.
func create(final string, old fs.FileInfo) (*os.File, error) {
	folder, name := filepath.Split(final)
	for range 100 {
		temp := filepath.Join(folder, fmt.Sprintf(".%s.tmp-%08x", name, rand.Uint32()))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			_ = lock(f) // where there are no locks, nothing is swept either
		}
		switch {
		case err == nil && old != nil:
			return f, f.Chmod(old.Mode().Perm()) // the umask must not take away what the old file had
		case err == nil:
			return f, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, unwritten(err, temp, final)
		}
	}
	return nil, fmt.Errorf("%s: no free name for a temporary file beside it", final)
}

// unwritten is the error of a file that could not be written: it has the name that the caller knows
// in place of the temporary one, and says what to do. Other errors stay as they are.
func unwritten(err error, temp, final string) error {
	e, ok := errors.AsType[*fs.PathError](err)
	if !ok || e.Path != temp {
		return err
	}
	advice := ""
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		advice = "; make room there, or choose another folder"
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		advice = "; choose a folder that may be written to"
	}
	return fmt.Errorf("cannot write %s: %w%s", final, e.Err, advice)
}

// writer passes writes on in pieces until ctx ends.
type writer struct {
	ctx context.Context
	to  io.Writer
}

func (w writer) Write(p []byte) (n int, err error) {
	const piece = 1 << 20
	for n < len(p) && err == nil {
		if err = w.ctx.Err(); err != nil {
			break
		}
		var k int
		k, err = w.to.Write(p[n:min(n+piece, len(p))])
		n += k
	}
	return n, err
}
