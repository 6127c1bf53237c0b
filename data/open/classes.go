package open

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/png"
)

// ClassColumn is the column with the class of each row, for a list of files of classes.
const ClassColumn = "class"

// class is one file of a list of classes.
type class struct{ label, path string }

// classesIn splits a list such as "bound=peaks.fa,free=background.fa"; false where the text
// is the name of a file or no such list.
func classesIn(text string) ([]class, bool) {
	if isAddress(text) || !strings.Contains(text, "=") || !strings.Contains(text, ",") {
		return nil, false
	}
	if _, err := os.Stat(text); err == nil {
		return nil, false
	}
	var list []class
	for _, part := range strings.Split(text, ",") {
		label, path, ok := strings.Cut(part, "=")
		if !ok || label == "" || path == "" {
			return nil, false
		}
		list = append(list, class{label, path})
	}
	return list, true
}

// classesOf lists the files or folders that are the classes of a source; nil where it has none.
func classesOf(path string, o Options) ([]class, error) {
	if list, ok := classesIn(path); ok {
		return list, nil
	}
	if o.Format == PNG || o.Format == Pixels || o.Format == Auto {
		if list, err := foldersIn(path, "images", png.Is); list != nil || err != nil {
			return list, err
		}
	}
	if o.Format == Auto {
		return foldersIn(path, "files of graphs", func(folder string) bool { return len(graphFiles(folder)) > 0 })
	}
	return nil, nil
}

// foldersIn lists the folders in a folder, if some hold what a class has, images or files of
// graphs, which the folder itself does not, and there are two or more. A folder among them that
// does not is an error, as a class without rows would be lost.
func foldersIn(folder, what string, holds func(folder string) bool) ([]class, error) {
	entries, err := os.ReadDir(folder)
	if err != nil || holds(folder) {
		return nil, nil // who opens it says why
	}
	var list []class
	empty := ""
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if list = append(list, class{e.Name(), path}); !holds(path) {
			list, empty = list[:len(list)-1], path
		}
	}
	switch {
	case len(list) > 0 && empty != "":
		return nil, &data.Error{Source: empty, Reason: "holds no " + what + ", and " + list[0].path + " beside it does: every folder is a class", Fix: "put some in it, or move it away"}
	case len(list) > 1:
		return list, nil
	}
	return nil, nil
}

// readClasses reads the files of a list, the rows of one after those of the other, with
// their labels in [ClassColumn], which is the target.
func readClasses(ctx context.Context, source string, list []class, o Options) (*data.Table, error) {
	var t *data.Table
	label := data.Column{Name: ClassColumn, Kind: data.Categorical}
	from := make(map[string]string)
	var files []string
	lined := true // all rows have lines
	for _, c := range list {
		if c.path == "-" {
			return nil, &data.Error{Source: source, Reason: "names standard input, which has one table", Fix: "write it to a file"}
		}
		next, err := Read(ctx, c.path, o)
		if err != nil {
			return nil, err
		}
		if _, at := next.Column(ClassColumn); at >= 0 {
			return nil, &data.Error{Source: c.path, Column: at + 1, Name: ClassColumn, Reason: "has the name of the column that tells the files apart", Fix: "join the files, whose rows have a class already"}
		}
		if first, twice := from[c.label]; twice {
			return nil, &data.Error{Source: source, Reason: fmt.Sprintf("gives the label %s to %s and to %s", data.Quote(c.label), first, c.path), Fix: "give every file a label of its own"}
		}
		from[c.label] = c.path
		files = append(files, slices.Repeat([]string{c.path}, next.Rows())...)
		lined = lined && next.Lines != nil
		label.Strings = append(label.Strings, slices.Repeat([]string{c.label}, next.Rows())...)
		if t == nil {
			t = next
			continue
		}
		if err := appendRows(t, next); err != nil {
			return nil, err
		}
	}
	t.Source, t.Target = source, ClassColumn
	if t.Files = files; !lined {
		t.Files, t.Lines = nil, nil
	}
	t.Columns = append(t.Columns, label)
	return t, nil
}

// appendRows appends the rows of another table, whose columns may stand in another order. A
// column of text that one of the two lacks has no values there.
func appendRows(t, next *data.Table) error {
	rows, more := t.Rows(), next.Rows()
	for i := range next.Columns {
		c := &next.Columns[i]
		if mine, _ := t.Column(c.Name); mine == nil {
			if c.Kind != data.Text {
				return differentColumns(t, next, c.Name)
			}
			t.Columns = append(t.Columns, missingColumn(c.Name, rows))
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		other, _ := next.Column(c.Name)
		if other == nil && c.Kind == data.Text {
			none := missingColumn(c.Name, more)
			other = &none
		}
		if other == nil || other.Kind != c.Kind {
			return differentColumns(t, next, c.Name)
		}
		if c.Missing != nil || other.Missing != nil {
			c.Missing = append(maskOf(c.Missing, rows), maskOf(other.Missing, more)...)
		}
		c.Numbers, c.Strings = append(c.Numbers, other.Numbers...), append(c.Strings, other.Strings...)
	}
	t.Lines = append(t.Lines, next.Lines...)
	return nil
}

// differentColumns says which column two files do not share.
func differentColumns(t, next *data.Table, column string) error {
	return &data.Error{Source: next.Source, Reason: fmt.Sprintf("and %s do not both have a column %s of the same type", t.Source, data.Quote(column)), Fix: "give files with the same columns, or force a type"}
}

// missingColumn is a column of text without values.
func missingColumn(name string, rows int) data.Column {
	c := data.Column{Name: name, Kind: data.Text, Strings: make([]string, rows), Missing: make([]bool, rows)}
	for i := range c.Missing {
		c.Missing[i] = true
	}
	return c
}

func maskOf(missing []bool, rows int) []bool {
	if missing == nil {
		return make([]bool, rows)
	}
	return missing
}
