//go:build !linux && !darwin

package checkpoint

// Free returns the bytes that are free on the disk where a file is, or will be; ok is false where
// the system does not say, as here.
func Free(string) (bytes int64, ok bool) { return 0, false }
