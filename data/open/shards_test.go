package open_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/open"
)

// shardsOf writes texts into files.
func shardsOf(t *testing.T, ending string, texts ...string) (folder string, paths []string) {
	t.Helper()
	folder = t.TempDir()
	for i, text := range texts {
		paths = append(paths, filepath.Join(folder, fmt.Sprintf("part-%d.%s", i, ending)))
		if err := os.WriteFile(paths[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, paths
}

// wholeOf reads all blocks.
func wholeOf(t *testing.T, b data.Blocks) *data.Table {
	t.Helper()
	out := *b.Schema()
	out.Columns = slices.Clone(out.Columns)
	for i := range len(b.Starts()) - 1 {
		block, err := b.Block(i, nil)
		if err != nil {
			t.Fatal(err)
		}
		if block.Before != b.Starts()[i] || block.Rows() != b.Starts()[i+1]-b.Starts()[i] {
			t.Errorf("block %d has %d rows behind %d, and begins at %v", i, block.Rows(), block.Before, b.Starts())
		}
		for j := range out.Columns {
			c, o := &block.Columns[j], &out.Columns[j]
			o.Numbers, o.Strings = append(o.Numbers, c.Numbers...), append(o.Strings, c.Strings...)
		}
	}
	return &out
}

// TestShardsAreOneTable: whatever the cuts, columns have the kinds and the cells of one file.
func TestShardsAreOneTable(t *testing.T) {
	var numbers, words, levels strings.Builder
	for i := range 30 {
		fmt.Fprintf(&numbers, "%d,%d,a,w%d\n", i, i%7, i)
		fmt.Fprintf(&words, "%d,no,b,w%d\n", i, i+30)
		fmt.Fprintf(&levels, "%d,7,l%d,w%d\n", i, i, i+60)
	}
	const header = "x,y,kind,name\n"
	whole := header + numbers.String() + words.String() + levels.String()
	_, one := shardsOf(t, "csv", whole)
	want, err := open.CompileShards(t.Context(), "rows", one, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, paths := shardsOf(t, "csv", header+numbers.String(), header, header+words.String(), header+levels.String())
	got, err := open.CompileShards(t.Context(), "rows", paths, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Shards) != 3 || len(got.Empty) != 1 || got.Made.Files != 3 {
		t.Errorf("%d shards, %d empty ones, %d files", len(got.Shards), len(got.Empty), got.Made.Files)
	}
	again, err := open.OpenShards(got.Shards)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]data.Blocks{"compiled": got, "opened": again} {
		a, b := wholeOf(t, want), wholeOf(t, b)
		for j := range a.Columns {
			x, y := &a.Columns[j], &b.Columns[j]
			if x.Kind != y.Kind || !slices.Equal(x.Numbers, y.Numbers) || !slices.Equal(x.Strings, y.Strings) {
				t.Errorf("%s: column %s is %s with %d cells, and %s with %d in one file", name, y.Name, y.Kind, y.Len(), x.Kind, x.Len())
			}
		}
	}
}

// TestSparseShards: a feature that a shard leaves out is zero.
func TestSparseShards(t *testing.T) {
	_, paths := shardsOf(t, "svm", "1 1:2\n2 1:3\n", "1 3:5 4:1\n")
	got, err := open.CompileShards(t.Context(), "rows", paths, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := wholeOf(t, got)
	if len(table.Columns) != 5 || !slices.Equal(table.Columns[1].Numbers, []float64{2, 3, 0}) || !slices.Equal(table.Columns[4].Numbers, []float64{0, 0, 1}) {
		t.Errorf("%d columns: %+v", len(table.Columns), table.Columns)
	}
}

// TestShardErrors name the shard, and the line in it.
func TestShardErrors(t *testing.T) {
	for name, c := range map[string]struct {
		ending string
		texts  []string
		want   []string
	}{
		"columns":  {"csv", []string{"a,b\n1,2\n", "a,c\n1,2\n"}, []string{"part-1.csv", "b"}},
		"count":    {"csv", []string{"1,2\n3,4\n", "1,2,3\n4,5,6\n"}, []string{"part-1.csv", "has 3 columns"}},
		"all void": {"csv", []string{"a,b\n", "a,b\n"}, []string{"part-0.csv", "no rows"}},
		"ragged":   {"csv", []string{"a,b\n1,2\n", "a,b\n1,2\n1,2,3\n"}, []string{"part-1.csv", "line 3"}},
	} {
		_, paths := shardsOf(t, c.ending, c.texts...)
		_, err := open.CompileShards(t.Context(), "rows", paths, "", open.Options{})
		for _, word := range c.want {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v, and %q is to be told", name, err, word)
			}
		}
	}
	_, paths := shardsOf(t, "csv", "a,b\n1,2\n", "a,b\n1,x\n")
	if _, err := open.CompileShards(t.Context(), "rows", paths, "", open.Options{Types: map[string]data.Kind{"b": data.Numeric}}); err == nil || !strings.Contains(err.Error(), "part-1.csv: line 2") {
		t.Errorf("a word among numbers: %v", err)
	}
	_, paths = shardsOf(t, "csv", "a\n1\n2\n", "a\n3\n4\n")
	got, err := open.CompileShards(t.Context(), "rows", paths, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	block, err := got.Block(1, nil)
	if err != nil || !strings.HasSuffix(block.Where(1, 0), "part-1.csv: line 3, column 1 (a)") {
		t.Errorf("the last row is at %s: %v", block.Where(1, 0), err)
	}
	block.Lines = nil
	if !strings.HasSuffix(block.Where(1, 0), "part-1.csv: row 2, column 1 (a)") {
		t.Errorf("the last row is at %s", block.Where(1, 0))
	}
}

// TestPatterns finds files in the order of their names, and takes a file of that name as it is.
func TestPatterns(t *testing.T) {
	folder, paths := shardsOf(t, "csv", "a\n1\n2\n", "a\n3\n4\n")
	pattern := filepath.Join(folder, "part-*.csv")
	got, several := open.Shards(pattern)
	if !several || !slices.Equal(got, paths) {
		t.Errorf("%v, %q", several, got)
	}
	if got, several = open.Shards(filepath.Join(folder, "none-*.csv")); !several || len(got) != 0 {
		t.Errorf("%v, %q", several, got)
	}
	if err := os.WriteFile(pattern, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pattern, paths[0], "https://example.org/*.csv"} {
		if _, several = open.Shards(name); several {
			t.Errorf("%s is taken for a pattern", name)
		}
	}
	if err := open.NoShards("x*"); !strings.Contains(err.Error(), "x*") || errors.Is(err, data.ErrNoRows) {
		t.Error(err)
	}
}
