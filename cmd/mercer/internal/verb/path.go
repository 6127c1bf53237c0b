package verb

import (
	"path/filepath"
	"strings"
)

// Ext returns the extension of a file name in lower case, with its dot.
func Ext(path string) string { return strings.ToLower(filepath.Ext(path)) }
