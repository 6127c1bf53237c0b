package data_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/mercer/data"
)

func TestError(t *testing.T) {
	for _, tc := range []struct {
		e    data.Error
		want string
	}{
		{
			data.Error{Source: "train.csv", Line: 7, Column: 3, Name: "price", Value: "12,5", Reason: "is not a number", Fix: "use a decimal point", More: 4},
			`train.csv: line 7, column 3 (price): "12,5" is not a number (and 4 more like it); use a decimal point`,
		},
		{data.Error{Source: "a.npy", Row: 2, Column: 1, Reason: "holds infinity"}, "a.npy: row 2, column 1: holds infinity"},
		{data.Error{Source: "a", Line: 3, Row: 2, Reason: "is short"}, "a: line 3: is short"},
		{data.Error{Source: "a", Reason: "cannot be opened", Err: fs.ErrNotExist}, "a: cannot be opened: file does not exist"},
		{data.Error{Reason: "the name is empty"}, "the name is empty"},
		{data.Error{Line: 2, Reason: "is short"}, "line 2: is short"},
	} {
		if got := tc.e.Error(); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
	var err error = fmt.Errorf("reading: %w", &data.Error{Source: "a", Err: fs.ErrNotExist})
	var e *data.Error
	if !errors.As(err, &e) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not lead to the error and its cause", err)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\"b\"":                    `"a\n\"b\""`,
		"\xff":                        `"\xff"`,
		strings.Repeat("x", 48):       `"` + strings.Repeat("x", 48) + `"`,
		strings.Repeat("x", 49):       `"` + strings.Repeat("x", 48) + `"…`,
		"x" + strings.Repeat("é", 30): `"x` + strings.Repeat("é", 23) + `"…`,
	} {
		if got := data.Quote(in); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A message repeats little of what it is about, however long that is.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("äx", 50_000)
	for _, message := range []string{
		(&data.Error{Source: "t", Line: 1, Column: 2, Name: long, Value: long, Reason: "is " + long, Err: errors.New(long)}).Error(),
		data.Concise(long), data.Quote(long), data.Cut(long), data.Concise(strings.Repeat("a b\n", 50_000)),
	} {
		if len(message) > 9000 || !utf8.ValidString(message) || !strings.Contains(message, "…") {
			t.Errorf("%d bytes: %.100s", len(message), message)
		}
	}
	for _, message := range []string{"", "a b\n\tc  d", strings.Repeat("word ", 1000)} {
		if got := data.Concise(message); got != message {
			t.Errorf("%q became %q", message, got)
		}
	}
}
