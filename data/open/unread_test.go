package open_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"mercer/data"
	"mercer/data/open"
)

// odd has columns that no table can hold.
type odd struct {
	X     float64            `parquet:"x"`
	List  []int64            `parquet:"list,list"`
	Parts struct{ A, B int } `parquet:"parts"`
	Bytes []byte             `parquet:"bytes"`
	Far   float64            `parquet:"far"`
	Y     float64            `parquet:"y"`
}

// TestUnread leaves out columns that cannot be read, by name and by position, at once and in passes.
func TestUnread(t *testing.T) {
	rows := make([]odd, 3000)
	for i := range rows {
		rows[i] = odd{X: float64(i), List: make([]int64, i%3), Bytes: []byte("\xff"), Far: math.Inf(1), Y: 1}
	}
	var columns bytes.Buffer
	if err := parquet.Write(&columns, rows); err != nil {
		t.Fatal(err)
	}
	text := "x,list,parts,bytes,far,y\n" + strings.Repeat("0,[],a,\xff,inf,1\n", len(rows))
	for name, file := range map[string][]byte{"odd.parquet": columns.Bytes(), "odd.csv": []byte(text)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := open.Read(t.Context(), path, open.Options{}); err == nil {
			t.Errorf("%s: read with columns that cannot be", name)
		}
		o := open.Options{Unread: []string{"list", "parts", "#4", "far", "no such column"}}
		got, err := open.Read(t.Context(), path, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		unread(t, name, got, len(rows))
		passes, _, err := open.Compile(t.Context(), path, "", o)
		if err != nil {
			t.Errorf("%s in passes: %v", name, err)
			continue
		}
		if got = passes.Schema(); len(got.Columns) != 6 || got.Columns[1].Kind != data.Numeric {
			t.Errorf("%s in passes: columns %v", name, got.Columns)
		}
		if err := passes.Close(); err != nil {
			t.Error(err)
		}
	}
}

// unread checks that the four columns stand in their places without a value.
func unread(t *testing.T, name string, got *data.Table, rows int) {
	t.Helper()
	for i := range got.Columns {
		c := &got.Columns[i]
		if c.Len() != rows || c.Kind != data.Numeric || c.IsMissing(rows-1) != (i >= 1 && i <= 4) || c.Why != "" {
			t.Errorf("%s: column %s has %d %v cells, the last missing: %v, because %q", name, c.Name, c.Len(), c.Kind, c.IsMissing(rows-1), c.Why)
		}
	}
}

// TestUnreadAll refuses a file of which no column is left, before it believes its number of rows.
func TestUnreadAll(t *testing.T) {
	var file bytes.Buffer
	if err := parquet.Write(&file, []struct{ X float64 }{{1}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open.Read(t.Context(), path, open.Options{Unread: []string{"X"}}); err == nil || !strings.Contains(err.Error(), "no column left") {
		t.Errorf("got %v", err)
	}
}
