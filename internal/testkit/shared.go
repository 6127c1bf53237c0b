package testkit

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Shared returns the path of a public data set in the folder of shared data beside
// the project, or $MERCER_DATA if that is set. It skips the test, with the reason,
// where the folder is absent: the data sets are not part of the project.
func Shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("MERCER_DATA")
	if root == "" {
		_, file, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(file), "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("public data set %s is not beside the project (set MERCER_DATA to its folder): %v", name, err)
	}
	return path
}
