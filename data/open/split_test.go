package open_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/internal/testkit"
)

// splitRows make files of more than the beginning that is looked at before they are divided, with
// a column that is changed in some rows.
const splitRows = 20000

// splitFile writes a table whose third column has a cell of its own in some rows.
func splitFile(t *testing.T, cells map[int]string, other func(i int) string) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("x,kind,odd\n\n")
	for i := range splitRows {
		cell, of := cells[i]
		if !of {
			cell = other(i)
		}
		fmt.Fprintf(&b, "%d.123456789012,%s-of-many-words-that-make-the-file-long-enough-for-what-comes-late,%s\n", i, []string{"a", "b", "c"}[i%3], cell)
	}
	return fileOf(t, "table.csv", b.Bytes())
}

func fileOf(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// asRead compares a table in splits, as it was compiled and as others open it, with that of Read.
func asRead(t *testing.T, path string, o open.Options, splits int) *open.Sharded {
	t.Helper()
	want, problem := open.Read(t.Context(), path, o)
	got, err := open.CompileShards(t.Context(), path, []string{path}, "", o)
	if fmt.Sprint(err) != fmt.Sprint(problem) {
		t.Fatalf("compiling ends with %v, and reading with %v", err, problem)
	}
	if err != nil {
		return nil
	}
	if len(got.Shards) != splits {
		t.Errorf("%d splits, want %d", len(got.Shards), splits)
	}
	same(t, "compiled", joined(t, got), want)
	opened, err := open.OpenShards(got.Shards)
	if err != nil {
		t.Fatal(err)
	}
	out := joined(t, opened)
	out.Source = path
	same(t, "opened", out, want)
	for b := range len(got.Starts()) - 1 {
		block, err := got.Block(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if block.Source != path || block.Earlier != 0 {
			t.Errorf("block %d is of %s, behind %d rows of others", b, block.Source, block.Earlier)
		}
	}
	return got
}

// A file that is compiled in splits is the table that is read at once, whatever comes late.
func TestSplits(t *testing.T) {
	number := func(i int) string { return fmt.Sprint(i % 7) }
	gap := func(i int) string {
		if i%100 == 0 {
			return fmt.Sprint(i)
		}
		return ""
	}
	none := func(int) string { return "NA" }
	for name, c := range map[string]struct {
		cells  map[int]string
		other  func(i int) string
		o      open.Options
		splits int
	}{
		"numbers":                {nil, number, open.Options{}, 5},
		"words at the beginning": {map[int]string{3: "word"}, number, open.Options{}, 5},
		"a late word":            {map[int]string{17000: "word"}, gap, open.Options{}, 5},
		"late words":             {map[int]string{15000: `"1,5"`, 19500: "word"}, func(i int) string { return strings.Repeat("NA", 1-i%2) }, open.Options{}, 5},
		"words alone":            {map[int]string{15000: "u", 15001: "u", 19500: "v"}, none, open.Options{}, 5},
		"nothing":                {nil, none, open.Options{}, 5},
		"a word too late":        {map[int]string{17000: "word"}, number, open.Options{}, 0},
		"words in two splits":    {map[int]string{2000: "12345678901234567890", 19800: "x"}, gap, open.Options{}, 5},
		"forced":                 {map[int]string{17000: "word"}, number, open.Options{Types: map[string]data.Kind{"last": data.Text, "x": data.Numeric}}, 5},
		"forced, and is not":     {map[int]string{17000: "word"}, number, open.Options{Types: map[string]data.Kind{"odd": data.Numeric}}, 0},
		"infinite":               {map[int]string{17000: "1e999"}, number, open.Options{}, 0},
		"ragged":                 {map[int]string{17000: "1,2"}, number, open.Options{}, 0},
		"cells of two lines":     {map[int]string{100: `"two` + "\n" + `lines"`, 17000: `"x,` + "\n" + `1,2"`}, number, open.Options{}, 1},
		"one late cell of lines": {map[int]string{17000: `"x` + "\n1,2,3\n" + `y"`}, none, open.Options{}, 1},
		"quotes":                 {map[int]string{100: `"a ""word"""`, 17000: `"x,y"`}, number, open.Options{}, 5},
		"dates":                  {nil, func(i int) string { return fmt.Sprintf("2024-01-%02d", 1+i%28) }, open.Options{Types: map[string]data.Kind{"odd": data.Categorical}}, 5},
		"ambiguous dates":        {nil, func(i int) string { return fmt.Sprintf("%02d/%02d/2024", 1+i%12, 1+i/12%12) }, open.Options{}, 1},
		"not UTF-8":              {map[int]string{100: "a", 17000: "\xff"}, number, open.Options{}, 0},
		"Latin-1":                {map[int]string{100: "a", 17000: "\xff"}, number, open.Options{Encoding: "latin1"}, 1},
		"skipped":                {nil, number, open.Options{Skip: 2, Types: map[string]data.Kind{"c1": data.Numeric}}, 5},
		"missing":                {nil, number, open.Options{Missing: []string{"3"}}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			path := splitFile(t, c.cells, c.other)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			c.o.SplitBytes = info.Size()/5 + 1
			got := asRead(t, path, c.o, c.splits)
			if got == nil {
				return
			}
			late := slices.Contains([]string{"a late word", "late words", "words alone"}, name) // some splits are compiled twice
			if !got.Made.Fresh || (got.Made.Why != "") != late {
				t.Errorf("made: %+v", got.Made)
			}
			again := asRead(t, path, c.o, c.splits)
			if again.Made.Fresh || again.Made.Size != got.Made.Size || again.Made.Files != got.Made.Files {
				t.Errorf("a second time: %+v, first %+v", again.Made, got.Made)
			}
		})
	}
}

// Each format is divided where it can be; what is compressed is not.
func TestSplitsOfFormats(t *testing.T) {
	files := passFiles(t)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(files["table.csv"]); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	files["table.csv.gz"] = zipped.Bytes()
	files["marked.csv"] = append([]byte("\xef\xbb\xbf"), files["table.csv"]...)
	files["blanks.txt"] = bytes.ReplaceAll(files["table.csv"], []byte(","), []byte(" "))
	for name, splits := range map[string]int{"table.csv": 4, "marked.csv": 4, "late.csv": 4, "sparse.svm": 1, "array.npy": 1, "columns.parquet": 4, "table.csv.gz": 1, "blanks.txt": 4} {
		t.Run(name, func(t *testing.T) {
			path := fileOf(t, name, files[name])
			asRead(t, path, open.Options{SplitBytes: int64(len(files[name])/4 + 1)}, splits)
			if name == "sparse.svm" {
				return
			}
			asRead(t, path, open.Options{SplitBytes: int64(len(files[name])/4 + 1), Types: map[string]data.Kind{"#1": data.Text}}, splits)
		})
	}
}

// Files in splits are shards like others: columns are what they are in one file with all rows.
func TestSplitShards(t *testing.T) {
	number := func(i int) string { return fmt.Sprint(i % 7) }
	folder := t.TempDir()
	var whole []byte
	var paths []string
	for i, cells := range []map[int]string{nil, {17000: "word", 100: "a"}, {7: "b"}} {
		content, err := os.ReadFile(splitFile(t, cells, number))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, filepath.Join(folder, fmt.Sprint(i, ".csv")))
		if err := os.WriteFile(paths[i], content, 0o600); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			content = content[len("x,kind,odd\n\n"):]
		}
		whole = append(whole, content...)
	}
	o := open.Options{SplitBytes: 1 << 19}
	got, err := open.CompileShards(t.Context(), "table", paths, "", o)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Shards) < 6 || got.Made.Files != len(got.Shards) {
		t.Errorf("%d shards: %+v", len(got.Shards), got.Made)
	}
	o.Types = map[string]data.Kind{"odd": data.Text}
	want, err := open.CompileShards(t.Context(), "table", []string{fileOf(t, "whole.csv", whole)}, "", o)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := open.OpenShards(got.Shards)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]data.Blocks{"compiled": got, "opened": opened} {
		x, y := joined(t, b), joined(t, want)
		for j := range y.Columns {
			if x.Columns[j].Kind != y.Columns[j].Kind {
				t.Errorf("%s: column %d is %v, want %v", name, j, x.Columns[j].Kind, y.Columns[j].Kind)
			}
			x.Columns[j].Why, y.Columns[j].Why = "", ""
		}
		x.Lines, y.Lines, x.Source = nil, nil, y.Source
		same(t, name, x, y)
	}
	last, err := got.Block(len(got.Starts())-2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if where := last.Where(last.Rows()-1, 0); !strings.Contains(where, fmt.Sprintf("2.csv: line %d,", splitRows+2)) {
		t.Errorf("the last row is at %s", where)
	}
}

// A split that has changed, or is damaged, is compiled again, and no other.
func TestSplitAgain(t *testing.T) {
	path := splitFile(t, nil, func(i int) string { return fmt.Sprint(i % 7) })
	o := open.Options{SplitBytes: 1 << 19}
	got, err := open.CompileShards(t.Context(), path, []string{path}, "", o)
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]os.FileInfo{}
	for _, s := range got.Shards {
		if times[s.Path], err = os.Stat(s.Path); err != nil {
			t.Fatal(err)
		}
	}
	damaged := got.Shards[1].Path
	if err := os.WriteFile(damaged, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := asRead(t, path, o, len(got.Shards))
	if !again.Made.Fresh || again.Made.Why == "" {
		t.Errorf("made: %+v", again.Made)
	}
	for name, before := range times {
		after, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if os.SameFile(before, after) != (name != damaged) {
			t.Errorf("%s is the same file: %v", name, os.SameFile(before, after))
		}
	}
}

// An end of the context ends all splits.
func TestSplitsStop(t *testing.T) {
	path := splitFile(t, nil, func(i int) string { return fmt.Sprint(i % 7) })
	for _, after := range []int64{0, 1, 10, 1000} {
		ctx := testkit.Countdown(t.Context(), after)
		if _, err := open.CompileShards(ctx, path, []string{path}, "", open.Options{SplitBytes: 1 << 19}); err == nil || !strings.Contains(err.Error(), "context canceled") {
			t.Errorf("after %d looks: %v", after, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// sparsely compiles splits from copies that hold what they read alone.
type sparsely struct{ t *testing.T }

func (s sparsely) Compile(ctx context.Context, files []open.Compilation) ([]open.Elsewhere, error) {
	out := make([]open.Elsewhere, len(files))
	for i, c := range files {
		whole, err := os.ReadFile(c.Path)
		if err != nil {
			return nil, err
		}
		about, err := os.Stat(c.Path)
		if err != nil {
			return nil, err
		}
		part, read := make([]byte, len(whole)), int64(0)
		for _, r := range c.Split.Reads {
			read += int64(copy(part[r.From:r.To], whole[r.From:r.To]))
		}
		if read > about.Size()*2/3 {
			s.t.Errorf("split %d reads %d of %d bytes", i+1, read, about.Size())
		}
		c.Copy = filepath.Join(s.t.TempDir(), "copy")
		if err := errors.Join(os.WriteFile(c.Copy, part, 0o600), os.Chtimes(c.Copy, about.ModTime(), about.ModTime())); err != nil {
			return nil, err
		}
		t, made, err := c.Do(ctx)
		if err != nil {
			return nil, err
		}
		out[i].Made = made
		if err := t.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A split reads what it says, and nothing else.
func TestSplitsReadParts(t *testing.T) {
	for _, name := range []string{"table.csv", "columns.parquet"} {
		content := passFiles(t)[name]
		path, o := fileOf(t, name, content), open.Options{SplitBytes: int64(len(content)/4 + 1)}
		got, err := open.CompileShardsBy(t.Context(), sparsely{t}, path, []string{path}, "", o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := open.Read(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Shards) < 4 {
			t.Errorf("%s: %d splits", name, len(got.Shards))
		}
		same(t, name, joined(t, got), want)
	}
}
