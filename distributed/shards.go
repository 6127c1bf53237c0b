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
		sum, err := digestOfFile(ctx, out[i].Path)
		if err != nil {
			return nil, err
		}
		name := "shards/" + sum
		there, err := to.Has(ctx, name)
		if err == nil && !there {
			err = to.Upload(ctx, name, out[i].Path)
		}
		if err != nil {
			return nil, fmt.Errorf("distributed: %s: %w", out[i].Path, err)
		}
		out[i].Path = name
	}
	return out, nil
}

// downloaded returns the shards as files of this machine, in a folder that all its workers share:
// each is fetched once, and its content is what its name says.
func downloaded(ctx context.Context, from Remote, folder string, shards []open.Shard) ([]open.Shard, error) {
	out := slices.Clone(shards)
	for i, s := range out {
		path := filepath.Join(folder, filepath.Base(s.Path))
		if _, err := os.Stat(path); err != nil {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return nil, err
			}
			if err := from.Download(ctx, s.Path, path); err != nil {
				return nil, fmt.Errorf("distributed: %s: %w", s.Path, err)
			}
		}
		sum, err := digestOfFile(ctx, path)
		if err != nil {
			return nil, err
		}
		if sum != filepath.Base(path) {
			return nil, fmt.Errorf("distributed: %s is not what was written to the store: remove it, and begin again", path)
		}
		out[i].Path = path
	}
	return out, nil
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
