package open_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
	"example.org/mercer/data/compiled"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/npy"
	"example.org/mercer/data/open"
	"example.org/mercer/internal/testkit"
)

// passRows is more than a block of few columns has.
const passRows = 10000

// passFiles are tables with everything that a column can hold, and what it turns into late.
func passFiles(t *testing.T) map[string][]byte {
	t.Helper()
	var table, late, sparse bytes.Buffer
	table.WriteString("x,small,kind,name,gap,sign\n")
	late.WriteString("x,mostly,note\n")
	for i := range passRows {
		gap, mostly := "NA", ""
		if i%7 == 0 {
			gap = fmt.Sprint(i % 300)
		}
		if i%100 == 0 {
			mostly = fmt.Sprint(i)
		}
		if i == 9100 {
			mostly = "a word"
		}
		fmt.Fprintf(&table, "%v,%d,%s,%s,%s,%v\n", math.Sin(float64(i)), i%17, []string{"a", "b", "NA", "c"}[i%4], []string{"null", "n" + fmt.Sprint(i)}[i%2], gap, math.Copysign(0, float64(i%2)-0.5))
		fmt.Fprintf(&late, "%d,%s,%q\n", i, mostly, "two\nlines")
		fmt.Fprintf(&sparse, "%d", 2*(i%2)-1)
		if i > 8000 && i%5 == 0 {
			fmt.Fprintf(&sparse, " qid:%d", i/10)
		}
		fmt.Fprintf(&sparse, " %d:%v", 1+i%9, float64(i)/3)
		if i > 5000 {
			fmt.Fprintf(&sparse, " %d:1", 10+i%40)
		}
		sparse.WriteString("\n# comment\n")
	}
	files := map[string][]byte{"table.csv": table.Bytes(), "late.csv": late.Bytes(), "sparse.svm": sparse.Bytes()}
	var array bytes.Buffer
	w, err := npy.NewWriter(&array, passRows, 3, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	for i := range passRows {
		if err := w.Write([]float64{float64(i) / 7, float64(i % 2), []float64{math.NaN(), 1e300}[i%2]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files["array.npy"] = array.Bytes()
	files["columns.parquet"] = passParquet(t)
	return files
}

func passParquet(t *testing.T) []byte {
	t.Helper()
	type row struct {
		X     float32
		Count *int64
		ID    int64
		Kind  *string
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(3000))
	for i := range passRows {
		r := row{X: float32(i) / 3, ID: int64(i)}
		if i == 8000 {
			r.ID = 1<<53 + 1 // more digits than a number keeps
		}
		if i%3 > 0 {
			count, kind := int64(i%5), []string{"", "left", "right"}[i%3]
			r.Count, r.Kind = &count, &kind
		}
		if _, err := w.Write([]row{r}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// joined puts the blocks of a table together, each read alone.
func joined(t *testing.T, c data.Blocks) *data.Table {
	t.Helper()
	out := *c.Schema()
	out.Columns = slices.Clone(out.Columns)
	starts := c.Starts()
	for b := range len(starts) - 1 {
		block, err := c.Block(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if block.Before != starts[b] || block.Rows() != starts[b+1]-starts[b] {
			t.Fatalf("block %d has %d rows from %d, want %d from %d", b, block.Rows(), block.Before, starts[b+1]-starts[b], starts[b])
		}
		out.Lines = append(out.Lines, block.Lines...)
		for j := range out.Columns {
			to, from := &out.Columns[j], &block.Columns[j]
			if from.Missing != nil && to.Missing == nil {
				to.Missing = make([]bool, to.Len(), starts[len(starts)-1])
			}
			if to.Missing != nil {
				for i := range from.Len() {
					to.Missing = append(to.Missing, from.IsMissing(i))
				}
			}
			to.Numbers, to.Strings = append(to.Numbers, from.Numbers...), append(to.Strings, from.Strings...)
		}
	}
	return &out
}

// same compares two tables, numbers by their bits.
func same(t *testing.T, name string, got, want *data.Table) {
	t.Helper()
	if got.Source != want.Source || got.Headed != want.Headed || got.Target != want.Target || got.Sparse != want.Sparse || len(got.Columns) != len(want.Columns) {
		t.Fatalf("%s: %d columns, headed %v, target %q, sparse %v of %s; want %d, %v, %q, %v of %s", name, len(got.Columns), got.Headed, got.Target, got.Sparse, got.Source,
			len(want.Columns), want.Headed, want.Target, want.Sparse, want.Source)
	}
	if !slices.Equal(got.Lines, want.Lines) {
		t.Errorf("%s: the lines differ", name)
	}
	for j := range want.Columns {
		g, w := &got.Columns[j], &want.Columns[j]
		if g.Name != w.Name || g.Kind != w.Kind || g.Why != w.Why || g.Len() != w.Len() {
			t.Errorf("%s: column %s is %v with %d cells (%s); want %s, %v, %d (%s)", name, g.Name, g.Kind, g.Len(), g.Why, w.Name, w.Kind, w.Len(), w.Why)
			continue
		}
		for i := range w.Len() {
			differ := g.IsMissing(i) != w.IsMissing(i)
			if w.Kind == data.Numeric && !w.IsMissing(i) {
				differ = differ || math.Float64bits(g.Numbers[i]) != math.Float64bits(w.Numbers[i])
			} else if w.Kind != data.Numeric {
				differ = differ || g.Strings[i] != w.Strings[i]
			}
			if differ {
				t.Errorf("%s: row %d of column %s differs", name, i+1, w.Name)
				break
			}
		}
	}
}

// A compiled table is the table that is read at once, cell by cell, whatever the options.
func TestCompiledIsRead(t *testing.T) {
	dir := t.TempDir()
	options := map[string]open.Options{
		"":        {},
		"missing": {Missing: []string{"n1", "c"}},
		"forced":  {Types: map[string]data.Kind{"#1": data.Text}},
		"no head": {Header: csv.HeaderNo, Types: map[string]data.Kind{"last": data.Text}},
	}
	for name, content := range passFiles(t) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		for kind, o := range options {
			if strings.HasSuffix(name, ".svm") && o.Types != nil || kind == "no head" && name == "table.csv" {
				continue
			}
			want, err := open.Read(t.Context(), path, o)
			if err != nil {
				t.Fatal(err)
			}
			c, did, err := open.Compile(t.Context(), path, "", o)
			if err != nil {
				t.Fatal(err)
			}
			if !did.Fresh || did.Why != "" {
				t.Errorf("%s %s: fresh %v because %q", name, kind, did.Fresh, did.Why)
			}
			same(t, name+" "+kind, joined(t, c), want)
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// An error in the last block is that of reading at once.
func TestCompileErrors(t *testing.T) {
	dir := t.TempDir()
	files := passFiles(t)
	files["table.csv"] = append(files["table.csv"], "oops,1,a,b,3,0\n"...)
	files["sparse.svm"] = append(files["sparse.svm"], "1 3:x\n"...)
	files["late.csv"] = append(files["late.csv"], "1,2\n"...)
	files["array.npy"] = files["array.npy"][:len(files["array.npy"])-3]
	for name, content := range files {
		if name == "columns.parquet" {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		_, want := open.Read(t.Context(), path, open.Options{})
		_, _, err := open.Compile(t.Context(), path, "", open.Options{})
		if err == nil || want == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v\nwant %v", name, err, want)
		}
	}
	nothingElse(t, dir, len(files)-1)
	for path, o := range map[string]open.Options{"-": {}, "a=b.csv,c=d.csv": {}, filepath.Join(dir, "table.csv"): {Bag: "x"}, filepath.Join(dir, "late.csv"): {Format: open.FASTA}, dir: {}} {
		if _, _, err := open.Compile(t.Context(), path, "", o); err == nil {
			t.Errorf("%s %v is compiled", path, o)
		}
	}
}

// nothingElse wants a number of files in a folder.
func nothingElse(t *testing.T, dir string, count int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != count {
		t.Errorf("%s has %d files, want %d: %v", dir, len(entries), count, entries)
	}
}

// A compiled file is used again while nothing has changed, and made again otherwise.
func TestCompiledAgain(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "table.csv")
	content := passFiles(t)["table.csv"]
	write := func(content []byte, second int64) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Unix(second, 0), time.Unix(second, 0)); err != nil {
			t.Fatal(err)
		}
	}
	compile := func(fresh bool, why string) string {
		t.Helper()
		c, did, err := open.Compile(t.Context(), path, cache, open.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if did.Fresh != fresh || !strings.Contains(did.Why, why) || (why == "") != (did.Why == "") {
			t.Errorf("fresh %v because %q, want %v because %q", did.Fresh, did.Why, fresh, why)
		}
		want, err := open.Read(t.Context(), path, open.Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, why, joined(t, c), want)
		return did.Path
	}
	write(content, 1e9)
	made := compile(true, "")
	compile(false, "")
	write(content, 1e9+1)
	compile(true, "changed")
	write(content, 1e9+2)
	compile(true, "changed")
	whole, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, whole[:100], whole[:len(whole)-1], flipped(whole, len(whole)/2), flipped(whole, len(whole)-40), flipped(whole, 3)} {
		if err := os.WriteFile(made, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := compiled.Open(made); err != nil && !errors.Is(err, compiled.ErrDamaged) {
			t.Error(err)
		}
		compile(true, "not a whole compiled table")
		compile(false, "")
	}
	nothingElse(t, cache, 1)
	nothingElse(t, dir, 1)
}

func flipped(b []byte, at int) []byte {
	out := bytes.Clone(b)
	out[at] ^= 4
	return out
}

// An end of the context leaves no file behind.
func TestCompileStops(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "table.csv")
	if err := os.WriteFile(path, passFiles(t)["table.csv"], 0o666); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int64{0, 1, 3} {
		ctx := testkit.Countdown(t.Context(), after)
		if _, _, err := open.Compile(ctx, path, "", open.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: %v", after, err)
		}
		nothingElse(t, dir, 1)
	}
}
