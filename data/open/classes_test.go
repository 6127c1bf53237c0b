package open_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data/open"
)

// TestClasses reads a list of files, one for each class: columns in another order, a column
// of text that one file lacks, and a file whose name looks like a list.
func TestClasses(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a.fa": ">1 first\nACGT\n>2\nAC\n", "b.fa": ">3\nTT\n", "a.csv": "x,y\n1,2\n3,\n", "b.csv": "y,x\n5,6\n", "w.csv": "x,y\none,2\ntwo,3\n", "z.csv": "x,z\n1,2\n", "class.csv": "x,class\n1,2\n",
		"u=1,v=2": "x,y\n1,2\n",
	} {
		if err := os.WriteFile(filepath.FromSlash(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := open.Read(t.Context(), "free=b.fa,bound=a.fa", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	class, _ := got.Column("class")
	text, _ := got.Column("sequence")
	about, _ := got.Column("description")
	if got.Target != "class" || got.ID != "id" || !slices.Equal(class.Strings, []string{"free", "bound", "bound"}) || !slices.Equal(text.Strings, []string{"TT", "ACGT", "AC"}) ||
		!slices.Equal(about.Missing, []bool{true, false, true}) {
		t.Errorf("%+v", got)
	}
	if got, err = open.Read(t.Context(), "p=a.csv,q=b.csv", open.Options{}); err != nil {
		t.Fatal(err)
	}
	x, _ := got.Column("x")
	y, _ := got.Column("y")
	if !slices.Equal(x.Numbers, []float64{1, 3, 6}) || y.Numbers[2] != 5 || !slices.Equal(y.Missing, []bool{false, true, false}) {
		t.Errorf("%+v", got.Columns)
	}
	if got, err = open.Read(t.Context(), "u=1,v=2", open.Options{}); err != nil || got.Rows() != 1 || got.Target != "" {
		t.Errorf("a file whose name looks like a list: %+v, %v", got, err)
	}
	for list, want := range map[string]string{
		"p=a.csv,q=w.csv":     `w.csv: and a.csv do not both have a column "x" of the same type`,
		"p=a.csv,q=z.csv":     `z.csv: and a.csv do not both have a column "z" of the same type`,
		"p=a.csv,p=b.csv":     `gives the label "p" to a.csv and to b.csv`,
		"p=a.csv,q=class.csv": "has the name of the column that tells the files apart",
		"p=a.csv,q=-":         "names standard input",
		"p=a.csv,q=none.csv":  "none.csv: cannot be opened",
		"p=a.csv,q":           "cannot be opened",
	} {
		if _, err := open.Read(t.Context(), list, open.Options{Stdin: strings.NewReader("x\n1\n")}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", list, err, want)
		}
	}
}

// A folder of folders of images is a list of them; one with images of its own, or with a
// folder that holds none, is not.
func TestAlbums(t *testing.T) {
	dir := t.TempDir()
	draw := func(path string, shade uint8) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		m := image.NewGray(image.Rect(0, 0, 2, 2))
		m.SetGray(1, 1, color.Gray{Y: shade})
		var raw bytes.Buffer
		if err := png.Encode(&raw, m); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, raw.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	draw(filepath.Join(dir, "cats", "1.png"), 200)
	draw(filepath.Join(dir, "cats", "2.png"), 210)
	draw(filepath.Join(dir, "dogs", "1.png"), 20)
	table, err := open.Read(t.Context(), dir, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	class, _ := table.Column(open.ClassColumn)
	if class == nil || !slices.Equal(class.Strings, []string{"cats", "cats", "dogs"}) || table.Target != open.ClassColumn {
		t.Errorf("class %+v, target %q", class, table.Target)
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := open.Read(t.Context(), dir, open.Options{}); err == nil || !strings.Contains(err.Error(), "empty: holds no images, and "+filepath.Join(dir, "cats")) {
		t.Errorf("with an empty folder: %v", err)
	}
	draw(filepath.Join(dir, "own.png"), 1)
	if table, err := open.Read(t.Context(), dir, open.Options{}); err != nil || table.Rows() != 1 {
		t.Errorf("with an image of its own: %v", err)
	}
}
