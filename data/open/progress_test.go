package open_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/data/npy"
	"example.org/mercer/data/open"
	"example.org/mercer/internal/progress/progresstest"
)

// progressFiles are files of every way to read: line by line, array by array, at any position.
func progressFiles(t *testing.T) map[string][]byte {
	t.Helper()
	const rows, cols = 20_000, 8
	var csv, libsvm, array, archive bytes.Buffer
	one, err := npy.NewWriter(&array, rows, cols, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	all := npy.NewArchiveWriter(&archive)
	within, err := all.Create("x", rows, cols, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		row := make([]float64, cols)
		for j := range row {
			row[j] = float64(i*(j+3)%1009) / 7
		}
		csv.WriteString(strings.Trim(strings.Join(strings.Fields(fmt.Sprint(row)), ","), "[]") + "\n")
		fmt.Fprintf(&libsvm, "%d 1:%v 5:%v\n", i%2, row[0], row[1])
		if err := errors.Join(one.Write(row), within.Write(row)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(one.Close(), within.Close(), all.Close()); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"t.csv": csv.Bytes(), "t.svm": libsvm.Bytes(), "t.npy": array.Bytes(), "t.npz": archive.Bytes(), "t.parquet": passParquet(t)}
}

// TestReadersTellAndStop: whatever the format, reading tells how far it has come, from nothing to
// all. Cancelled at any event it ends with that, and reads on for no more than a few pieces.
func TestReadersTellAndStop(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for name, content := range progressFiles(t) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for _, path := range paths {
		whole := new(progresstest.Listener)
		if _, err := open.Read(t.Context(), path, open.Options{Progress: whole.Tell}); err != nil {
			t.Fatal(err)
		}
		for _, problem := range whole.End() {
			t.Errorf("%s: %s", path, problem)
		}
		if whole.Events() < 5 {
			t.Errorf("%s: %d events say nothing of how far it has come", path, whole.Events())
		}
		for _, at := range []int{1, 2, whole.Events() / 2} {
			ctx, stop := context.WithCancel(t.Context())
			stopped := &progresstest.Listener{At: func(event int) {
				if event == at {
					stop()
				}
			}}
			_, err := open.Read(ctx, path, open.Options{Progress: stopped.Tell})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: cancelled at event %d of %d: %v", path, at, whole.Events(), err)
			}
			if more := stopped.Events() - at; more > 3 {
				t.Errorf("%s: cancelled at event %d of %d: %d more", path, at, whole.Events(), more)
			}
			stop()
		}
	}
}

// TestSplitsTell: splits and files that are compiled together tell how far they have come as one.
func TestSplitsTell(t *testing.T) {
	path := splitFile(t, nil, func(i int) string { return fmt.Sprint(i % 7) })
	other := splitFile(t, nil, func(i int) string { return "a" })
	for name, o := range map[string]open.Options{"splits": {SplitBytes: 1 << 18}, "files": {}} {
		whole := new(progresstest.Listener)
		o.Progress = whole.Tell
		if _, err := open.CompileShards(t.Context(), "table", []string{path, other}, "", o); err != nil {
			t.Fatal(err)
		}
		for _, problem := range whole.End() {
			t.Errorf("%s: %s", name, problem)
		}
		if whole.Events() < 5 {
			t.Errorf("%s: %d events say nothing of how far it has come", name, whole.Events())
		}
	}
}
