package distributed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"example.org/mercer/data/open"
	"example.org/mercer/internal/stoppable"
)

// Compiled files reach workers in one of two ways: they lie where all workers see them, or they go
// through a store that is [Remote], named by the digests of their contents.

// uploaded returns the shards as workers find them in a store, and puts those there that it does
// not have.
func uploaded(ctx context.Context, to Remote, shards []open.Shard) ([]open.Shard, error) {
	out := slices.Clone(shards)
	for i := range out {
		var err error
		if out[i].Path, err = upload(ctx, to, out[i].Path); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// upload puts a compiled file into a store, unless it is there, and returns its name.
func upload(ctx context.Context, to Remote, path string) (name string, err error) {
	sum, err := digestOfFile(ctx, path)
	if err != nil {
		return "", err
	}
	name = "shards/" + sum
	there, err := to.Has(ctx, name)
	if err == nil && !there {
		err = to.Upload(ctx, name, path)
	}
	if err != nil {
		return "", fmt.Errorf("distributed: %s: %w", path, err)
	}
	return name, nil
}

// downloaded returns the shards as files of this machine, in a folder that all its workers share:
// each is fetched once, and its content is what its name says.
func downloaded(ctx context.Context, from Remote, folder string, shards []open.Shard) ([]open.Shard, error) {
	out := slices.Clone(shards)
	for i, s := range out {
		out[i].Path = filepath.Join(folder, filepath.Base(s.Path))
		if _, err := os.Stat(out[i].Path); err != nil {
			if err := download(ctx, from, s.Path, out[i].Path); err != nil {
				return nil, err
			}
		}
		if err := verify(ctx, s.Path, out[i].Path); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// download fetches a compiled file of a store to a path.
func download(ctx context.Context, from Remote, name, path string) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = from.Download(ctx, name, path)
	}
	if err != nil {
		return fmt.Errorf("distributed: %s: %w", name, err)
	}
	return nil
}

// verify compares the content of a file with the digest in its name in the store.
func verify(ctx context.Context, name, path string) error {
	sum, err := digestOfFile(ctx, path)
	if err == nil && sum != filepath.Base(name) {
		err = fmt.Errorf("distributed: %s is not what was written to the store: remove it, and begin again", path)
	}
	return err
}

// digestOfFile names the content of a file.
func digestOfFile(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, stoppable.Reader(ctx, f)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
