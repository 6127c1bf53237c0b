package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// left matches the names of temporary files.
var left = regexp.MustCompile(`^\..+\.tmp-[0-9a-f]{8}$`)

// young is the age below which a temporary file may have no lock yet.
const young = time.Minute

// sweep removes the temporary files of a folder that killed processes have left. Who writes one
// holds a lock on it, which the system takes back from a process that ends in any way: a file whose
// lock is free has no writer. What cannot be read or removed stays.
func sweep(folder string) {
	dir, err := os.Open(folder)
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	for _, name := range names {
		if left.MatchString(name) {
			removeDead(filepath.Join(folder, name))
		}
	}
}

// removeDead removes a temporary file without a writer.
func removeDead(path string) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < young {
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil {
		_ = os.Remove(path)
	}
}
