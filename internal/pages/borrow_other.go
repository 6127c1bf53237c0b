//go:build !unix

package pages

// reserve returns nil: on this system all memory is the collector's.
func reserve(int) []byte { return nil }

// release does nothing.
func release([]byte) {}
