//go:build linux || darwin

package checkpoint

import (
	"path/filepath"
	"syscall"
)

// Free returns the bytes that are free on the disk where a file is, or will be; ok is false where
// the system does not say.
func Free(path string) (bytes int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
