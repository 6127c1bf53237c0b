package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/mercer/internal/spelling"
)

// wanted says what the flags of a type take.
var wanted = map[string]string{
	"int":          "a whole number",
	"uint64":       "a whole number from 0",
	"float64":      "a number",
	"float64Slice": "numbers with commas between them",
	"bool":         "true or false",
	"duration":     "a time such as 30s or 5m",
}

// flagError says of a flag that cannot be read what it takes, and of one that does not exist which
// are like it.
func flagError(cmd *cobra.Command, err error) error {
	invalid, missing := (*pflag.InvalidValueError)(nil), (*pflag.NotExistError)(nil)
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if what, ok := wanted[f.Value.Type()]; ok {
			return usagef("--%s is %q; give %s", f.Name, invalid.GetValue(), what)
		}
	case errors.As(err, &missing):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spelling.Near(missing.GetSpecifiedName(), names); len(near) > 0 {
			return usagef("%w; did you mean --%s?", err, strings.Join(near, " or --"))
		}
	}
	return usageError{err}
}

// emptied refuses flags that were given and say nothing, as a variable of a script does that was
// never set: they would count as if they were not there.
func emptied(cmd *cobra.Command) error {
	var problems []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			problems = append(problems, fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name))
		}
	})
	if len(problems) > 0 {
		return usageError{errors.Join(problems...)}
	}
	return nil
}

// inPlace marks commands whose output may be their first argument.
const inPlace = "in place"

// writing are the flags that name a file to write.
var writing = []string{"output", "plot", "html", "metric-plot"}

// reading are those that name a file to read; expressions of kernels name others.
var reading = []string{"to", "against", "graph", "gram", "labels", "splits", "ids", "assess"}

// named finds the files that an expression of a kernel names.
var named = regexp.MustCompile(`file\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,)\s]+))`)

// overwriting refuses to write a file that is also read: the work would replace its own data. A
// link is the file that it leads to.
func overwriting(cmd *cobra.Command, args []string) error {
	read := map[string]os.FileInfo{}
	add := func(path string) {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			read[path] = info
		}
	}
	for i, arg := range args {
		if _, may := cmd.Annotations[inPlace]; !may || i > 0 {
			add(arg)
		}
	}
	written := map[string]string{} // flags by file
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		switch {
		case slices.Contains(writing, f.Name):
			written[f.Name] = value
			return
		case slices.Contains(reading, f.Name):
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
	if len(problems) > 0 {
		return usageError{errors.Join(problems...)}
	}
	return nil
}
