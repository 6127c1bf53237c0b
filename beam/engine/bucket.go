package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"  // s3://

	"example.org/mercer/data/open"
	"example.org/mercer/distributed"
	"example.org/mercer/internal/atomicfile"
)

// schemes are those of object stores.
var schemes = []string{"s3://", "gs://"}

// inBucket reports whether a path is in an object store.
func inBucket(name string) bool {
	for _, scheme := range schemes {
		if strings.HasPrefix(name, scheme) {
			return true
		}
	}
	return false
}

// storeOf returns the store at a place: a bucket, or a folder.
func storeOf(ctx context.Context, place string) (distributed.Store, error) {
	if !inBucket(place) {
		return distributed.Folder(strings.TrimPrefix(place, "file://")), nil
	}
	files, err := filesOf(ctx, place)
	if err != nil {
		return nil, err
	}
	return &bucket{files: files, prefix: strings.TrimSuffix(place, "/")}, nil
}

// checksums tells the client of S3 not to warn of answers without a checksum, which servers
// other than Amazon's leave out; compiled files are compared with their digests in any case.
const checksums = "AWS_RESPONSE_CHECKSUM_VALIDATION"

// filesOf opens an object store. Who may use it, and where it is, is said as its own tools are
// told: AWS_ACCESS_KEY_ID, AWS_REGION and AWS_ENDPOINT_URL_S3 for s3,
// GOOGLE_APPLICATION_CREDENTIALS for gs.
func filesOf(ctx context.Context, place string) (files filesystem.Interface, err error) {
	defer func() {
		if p := recover(); p != nil { // so Beam says that there are no credentials
			err = fmt.Errorf("the object store of %s: %v", place, p)
		}
	}()
	if os.Getenv(checksums) == "" {
		if err := os.Setenv(checksums, "when_required"); err != nil {
			return nil, err
		}
	}
	return filesystem.New(ctx, place)
}

// bucket is a store in an object store, below a prefix.
type bucket struct {
	files  filesystem.Interface
	prefix string
	copies map[string]string // objects, by the paths of their copies on this machine
}

var _ distributed.Origins = (*bucket)(nil)

// Origin returns the object that a file was copied from.
func (b *bucket) Origin(path string) (object string, known bool) {
	object, known = b.copies[path]
	return object, known
}

// Fetch copies an object, of this store or of another, or parts of it.
func (b *bucket) Fetch(ctx context.Context, object, path string, parts []open.Range) error {
	files, err := filesOf(ctx, object)
	if err != nil {
		return err
	}
	defer files.Close()
	if parts == nil {
		_, err = refresh(ctx, files, object, path)
		return err
	}
	size, written, err := aboutObject(ctx, files, object)
	if err == nil {
		err = fetchParts(ctx, object, path, size, parts)
	}
	if err != nil {
		return err
	}
	return os.Chtimes(path, written, written)
}

func (b *bucket) at(name string) string { return b.prefix + "/" + name }

// Read reads an object.
func (b *bucket) Read(ctx context.Context, name string) ([]byte, error) {
	r, err := b.files.OpenRead(ctx, b.at(name))
	if err != nil {
		return nil, b.explain(ctx, name, err)
	}
	defer r.Close()
	return io.ReadAll(r)
}

// explain tells an object that is not there from other errors, which have no form in common.
func (b *bucket) explain(ctx context.Context, name string, err error) error {
	if there, e := b.Has(ctx, name); e == nil && !there {
		return fmt.Errorf("%s: %w", b.at(name), fs.ErrNotExist)
	}
	return err
}

// Write writes an object, which appears as a whole.
func (b *bucket) Write(ctx context.Context, name string, content []byte) error {
	return b.put(ctx, name, bytes.NewReader(content))
}

// Upload writes a file as an object.
func (b *bucket) Upload(ctx context.Context, name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return b.put(ctx, name, f)
}

func (b *bucket) put(ctx context.Context, name string, from io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := b.files.OpenWrite(ctx, b.at(name))
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, from); err != nil {
		cancel() // what is written does not appear
		return errors.Join(err, w.Close())
	}
	return w.Close()
}

// Download writes an object to a file, which appears as a whole.
func (b *bucket) Download(ctx context.Context, name, path string) error {
	r, err := b.files.OpenRead(ctx, b.at(name))
	if err != nil {
		return b.explain(ctx, name, err)
	}
	defer r.Close()
	return save(ctx, path, r)
}

// save writes a file, which appears as a whole.
func save(ctx context.Context, path string, from io.Reader) error {
	return atomicfile.Write(ctx, path, func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}

// Has looks for an object.
func (b *bucket) Has(ctx context.Context, name string) (bool, error) {
	found, err := b.files.List(ctx, b.at(name))
	return len(found) > 0, err
}

// Remove removes objects; S3 and Google's store count those that are not there as removed.
func (b *bucket) Remove(ctx context.Context, names ...string) error {
	remover, ok := b.files.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("objects of %s cannot be removed", b.prefix)
	}
	var problems []error
	for _, name := range names {
		if err := remover.Remove(ctx, b.at(name)); err != nil && !errors.Is(b.explain(ctx, name, err), fs.ErrNotExist) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// Local returns the arguments of a command line with tables in object stores replaced by copies
// on this machine, in a folder that is kept: an object that has not changed is not fetched
// again. What --staging names is no table.
func (e *Engine) Local(ctx context.Context, args []string, folder string, note func(format string, args ...any)) ([]string, error) {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if !inBucket(arg) || i > 0 && args[i-1] == "--staging" {
			continue
		}
		copied, fetched, err := e.fetch(ctx, arg, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
		note("%s: %d objects fetched to %s", arg, fetched, path.Dir(copied))
		out[i] = copied
	}
	return out, nil
}

// fetch copies the objects of a pattern, and returns the pattern of their copies. It keeps which is
// the copy of which.
func (e *Engine) fetch(ctx context.Context, pattern, folder string) (copied string, fetched int, err error) {
	files, err := filesOf(ctx, pattern)
	if err != nil {
		return "", 0, err
	}
	defer files.Close()
	found, err := files.List(ctx, pattern)
	if err != nil {
		return "", 0, err
	}
	if len(found) == 0 {
		return "", 0, errors.New("no object has such a name")
	}
	local := func(name string) string {
		return filepath.Join(folder, filepath.FromSlash(strings.Replace(name, "://", "/", 1)))
	}
	if e.copies == nil {
		e.copies = map[string]string{}
	}
	for _, name := range found {
		changed, err := refresh(ctx, files, name, local(name))
		if err != nil {
			return "", 0, err
		}
		e.copies[local(name)] = name
		if changed {
			fetched++
		}
	}
	return local(pattern), fetched, nil
}

// refresh copies an object unless its copy has its size and time.
func refresh(ctx context.Context, files filesystem.Interface, name, to string) (changed bool, err error) {
	size, written, err := aboutObject(ctx, files, name)
	if err != nil {
		return false, err
	}
	if about, err := os.Stat(to); err == nil && about.Size() == size && about.ModTime().Equal(written) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return false, err
	}
	r, err := files.OpenRead(ctx, name)
	if err != nil {
		return false, err
	}
	defer r.Close()
	if err := save(ctx, to, r); err != nil {
		return false, err
	}
	return true, os.Chtimes(to, written, written)
}

// aboutObject returns the length of an object, and when it was written.
func aboutObject(ctx context.Context, files filesystem.Interface, name string) (size int64, written time.Time, err error) {
	dated, ok := files.(filesystem.LastModifiedGetter)
	if !ok {
		return 0, written, errors.New("the object store does not say when an object was written")
	}
	if size, err = files.Size(ctx, name); err == nil {
		written, err = dated.LastModified(ctx, name)
	}
	return size, written, err
}
