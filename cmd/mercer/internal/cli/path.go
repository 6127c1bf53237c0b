package cli

import (
	"path/filepath"
	"strings"
)

// ext returns the extension of a file name in lower case, with its dot.
func ext(path string) string { return strings.ToLower(filepath.Ext(path)) }
