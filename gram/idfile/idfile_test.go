package idfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestIDsReadBack(t *testing.T) {
	want := []string{"a", " b ", "Ünï,code"}
	var file bytes.Buffer
	if err := Write(&file, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&file)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("wrote %q, read %q, error %v", want, got, err)
	}
	if got, err := Read(strings.NewReader("a\r\nb")); err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("Windows lines without a last end: %q, error %v", got, err)
	}
}

func TestIDsRefuseEmptyLines(t *testing.T) {
	if _, err := Read(strings.NewReader("a\n\nb\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("an empty second line: %v", err)
	}
	for _, bad := range []string{"", "a\nb", "a\r"} {
		if err := Write(new(bytes.Buffer), []string{bad}); err == nil {
			t.Errorf("the id %q was written", bad)
		}
	}
}

func TestIDFiles(t *testing.T) {
	rows, cols := Paths("dir.v1/K.npy")
	if rows != "dir.v1/K.rows.txt" || cols != "dir.v1/K.cols.txt" {
		t.Errorf("got %s and %s", rows, cols)
	}
}

// FuzzReadIDs wants of ids that are read that they are written and read back, unless one
// holds a carriage return, which is refused; an error names the line.
func FuzzReadIDs(f *testing.F) {
	f.Add("a\nb\r\nc")
	f.Add("a\n\nb\n")
	f.Fuzz(func(t *testing.T, text string) {
		ids, err := Read(strings.NewReader(text))
		if err != nil {
			if !strings.Contains(err.Error(), "line ") {
				t.Fatalf("an error without a line: %v", err)
			}
			return
		}
		var out strings.Builder
		if err := Write(&out, ids); err != nil {
			if !strings.Contains(strings.Join(ids, ""), "\r") {
				t.Fatalf("%q: %v", ids, err)
			}
			return
		}
		again, err := Read(strings.NewReader(out.String()))
		if err != nil || !slices.Equal(again, ids) {
			t.Fatalf("%q became %q, %v", ids, again, err)
		}
	})
}
