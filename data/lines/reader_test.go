package lines_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// all returns the lines of a text, and the error that ends them.
func all(r *lines.Reader) (texts []string, err error) {
	for {
		line, err := r.Next()
		if err == io.EOF {
			return texts, nil
		} else if err != nil {
			return texts, err
		}
		texts = append(texts, string(line))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	for text, want := range map[string]string{
		"":                           `[]`,
		"a\nb":                       `["a" "b"]`,
		"a\r\n\nb\n":                 `["a" "" "b"]`,
		"\ufeffa\n":                  `["a"]`,
		long + "\n" + long + "y\r\n": fmt.Sprintf("%q", []string{long, long + "y"}),
		long + "z":                   fmt.Sprintf("%q", []string{long + "z"}),
	} {
		got, err := all(lines.New("t", strings.NewReader(text), nil))
		if err != nil || fmt.Sprintf("%q", got) != want {
			t.Errorf("%.20q: %.40q, %v", text, got, err)
		}
	}
	if _, err := all(lines.New("t", strings.NewReader("a\nb\x00c\n"), nil)); err == nil || !strings.HasPrefix(err.Error(), "t: line 2: holds a zero byte") {
		t.Error(err)
	}
}

// repeated is a stream that never ends.
type repeated byte

func (r repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// A stream without a line end is an error, and takes what the budget allows.
func TestEndlessLines(t *testing.T) {
	for c, want := range map[byte]string{0: "t: line 1: holds a zero byte", 'x': "t: line 1: takes more than the 1 MiB"} {
		if _, err := all(lines.New("t", repeated(c), data.NewBudget(1<<20))); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", c, err, want)
		}
	}
	if _, err := all(lines.New("t", repeated('x'), nil)); err == nil || !strings.HasPrefix(err.Error(), "t: line 1: is longer than 256 MiB") {
		t.Errorf("without a budget: %v", err)
	}
	in := lines.New("t", repeated('\n'), data.NewBudget(1000))
	for range 1000 {
		if _, err := in.Next(); err != nil {
			t.Fatal(err)
		}
		if err := in.Skip(); err != nil {
			t.Fatal(err)
		}
	}
	in.Next()
	if err := in.Skip(); !errors.Is(err, data.ErrBudget) {
		t.Errorf("line 1001 that is skipped: %v", err)
	}
}

func FuzzLines(f *testing.F) {
	for _, text := range []string{"a\nb\r\n", "\xef\xbb\xbf\n", "\x00", strings.Repeat("ab", 1<<16)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := all(lines.New("t", strings.NewReader(text), data.NewBudget(1<<20)))
		var e *data.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
		want := strings.Count(text, "\n")
		if rest := text[strings.LastIndexByte(text, '\n')+1:]; rest != "" && rest != "\xef\xbb\xbf" {
			want++
		}
		if err == nil && len(got) != want {
			t.Fatalf("%q: %d lines, want %d", text, len(got), want)
		}
	})
}

func Example() {
	in := lines.New("notes.txt", strings.NewReader("first\r\nsecond"), nil)
	for {
		line, err := in.Next()
		if err != nil {
			break
		}
		fmt.Printf("%d %s\n", in.Line(), line)
	}
	// Output:
	// 1 first
	// 2 second
}
