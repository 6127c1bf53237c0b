// Package replaced finds files that a command reads and would replace by what it writes.
package replaced

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
)

// writing are the flags that name a file to write.
var writing = []string{"output", "plot", "html", "metric-plot", "predictions", "checkpoint", "resume", "write-config"}

// reading are those that name a file to read; expressions of kernels name others.
var reading = []string{"to", "against", "graph", "gram", "labels", "splits", "ids", "assess", "config"}

// named finds the files that an expression of a kernel names.
var named = regexp.MustCompile(`file\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,)\s]+))`)

// Check refuses arguments and flags by which a command would write a file that it also reads. A
// link is the file that it leads to. visit calls use for every flag that was given; with inPlace
// the output may be the first argument.
func Check(args []string, inPlace bool, visit func(use func(name, value string))) error {
	read := map[string]os.FileInfo{}
	add := func(path string) {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			read[path] = info
		}
	}
	for i, arg := range args {
		if !inPlace || i > 0 {
			add(arg)
		}
	}
	written := map[string]string{} // files by flag
	visit(func(name, value string) {
		switch {
		case slices.Contains(writing, name):
			written[name] = value
			return
		case slices.Contains(reading, name):
			add(value)
		}
		for _, found := range named.FindAllStringSubmatch(value, -1) {
			add(cmp.Or(found[1:]...))
		}
	})
	var problems []error
	for _, name := range writing {
		path := written[name]
		info, err := os.Stat(path)
		if path == "" || err != nil {
			continue
		}
		for _, from := range slices.Sorted(maps.Keys(read)) {
			if os.SameFile(info, read[from]) {
				problems = append(problems, fmt.Errorf("--%s %s is the file %s that is read, and would be replaced: name another file", name, path, from))
			}
		}
	}
	return errors.Join(problems...)
}
