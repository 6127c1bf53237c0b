//go:build !linux

package pages

// advise does nothing: this system is not asked for huge pages.
func advise([]byte) {}
