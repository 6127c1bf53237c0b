package libsvm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/data/libsvm"
)

func read(t *testing.T, text string, o libsvm.Options) (*libsvm.File, error) {
	t.Helper()
	return libsvm.Read(t.Context(), "t", strings.NewReader(text), o)
}

// show prints labels and entries: "1[0:0.5 2:3]", one point after the other.
func show(f *libsvm.File) string {
	var out []string
	for i := range f.Points.Len() {
		p := f.Points.At(i)
		entries := make([]string, len(p.Index))
		for k, j := range p.Index {
			entries[k] = fmt.Sprintf("%d:%v", j, p.Value[k])
		}
		out = append(out, fmt.Sprintf("%v[%s]", f.Labels[i], strings.Join(entries, " ")))
	}
	return strings.Join(out, " ")
}

func TestRead(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		dim              int
		o                libsvm.Options
	}{
		{name: "plain", text: "+1 1:0.5 3:-2e-1\n-1 2:7\n", want: "1[0:0.5 2:-0.2] -1[1:7]", dim: 3},
		{name: "no features", text: "-1 \n1 4:1\n2\n", want: "-1[] 1[3:1] 2[]", dim: 4},
		{name: "blanks, tabs, windows line ends", text: " 1\t1:1  2:2 \r\n\r\n2 1:3\r\n", want: "1[0:1 1:2] 2[0:3]", dim: 2},
		{name: "comments", text: "# header\n1 1:1 # id 7\n# 2 2:2\n3 1:1#x\n", want: "1[0:1] 3[0:1]", dim: 1},
		{name: "explicit zeros are kept", text: "1 1:0 2:1\n", want: "1[0:0 1:1]", dim: 2},
		{name: "declared dimension", text: "1 1:1\n", want: "1[0:1]", dim: 5, o: libsvm.Options{Dim: 5}},
		{name: "zero-based", text: "1 0:1 2:3\n", want: "1[0:1 2:3]", dim: 3, o: libsvm.Options{ZeroBased: true}},
		{name: "no line end at the end", text: "1 1:1", want: "1[0:1]", dim: 1},
		{name: "labels without any feature", text: "1\n2\n", want: "1[] 2[]", dim: 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := read(t, tc.text, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			if s := show(got); s != tc.want || got.Points.Dim() != tc.dim {
				t.Errorf("%s of dimension %d, want %s of dimension %d", s, got.Points.Dim(), tc.want, tc.dim)
			}
			slow, err := libsvm.Read(t.Context(), "t", iotest.OneByteReader(strings.NewReader(tc.text)), tc.o)
			if err != nil || show(slow) != tc.want {
				t.Errorf("byte by byte: %v", err)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		o                libsvm.Options
	}{
		{name: "empty", text: "", want: "t: holds no points; give a file with at least one line of the form: label index:value …"},
		{name: "comments only", text: "# a\n\n", want: "t: holds no points; give a file with at least one line of the form: label index:value …"},
		{name: "zero-based file", text: "1 1:1\n1 0:1 1:2\n", want: `t: line 2: "0:1" has index 0, but indices count from 1; say that its first feature is 0 (--zero-based)`},
		{name: "negative index", text: "1 -1:1\n", want: `t: line 1: "-1:1" has an index that is not a whole number; write index:value`},
		{name: "huge index", text: "1 2147483648:1\n", want: `t: line 1: "2147483648:1" has an index beyond 2147483647; renumber the features`},
		{name: "falling index", text: "1 3:1 2:1\n", want: `t: line 1: "2:1" follows index 3, but indices must rise; sort the features of the line`},
		{name: "index twice", text: "1 2:1 2:3\n", want: `t: line 1: "2:3" gives the same index twice; remove one of the two`},
		{name: "beyond the dimension", text: "1 2:1 3:1\n", want: `t: line 1: "3:1" is beyond the 2 features that were declared; allow more (--features)`, o: libsvm.Options{Dim: 2}},
		{name: "several labels", text: "1,3 1:1\n", want: `t: line 1: "1,3" is a list of labels, and a point has one label here; write one file for each label`},
		{name: "no label", text: "1:1 2:1\n", want: `t: line 1: "1:1" stands where the label should; begin every line with a number; write 0 where the label is unknown`},
		{name: "word as label", text: "cat 1:1\n", want: `t: line 1: "cat" is not a finite number and cannot be a label; number the classes`},
		{name: "infinite label", text: "inf 1:1\n", want: `t: line 1: "inf" is not a finite number and cannot be a label; number the classes`},
		{name: "no colon", text: "1 1:1 2\n", want: `t: line 1: "2" is not of the form index:value`},
		{name: "no value", text: "1 1:\n", want: `t: line 1: "1:" has a value that is not a finite number; correct it, or leave the feature out if it is 0`},
		{name: "NaN", text: "1 1:nan\n", want: `t: line 1: "1:nan" has a value that is not a finite number; correct it, or leave the feature out if it is 0`},
		{name: "overflow", text: "1 1:1e999\n", want: `t: line 1: "1:1e999" has a value that is not a finite number; correct it, or leave the feature out if it is 0`},
		{name: "hexadecimal", text: "1 1:0x1p2\n", want: `t: line 1: "1:0x1p2" has a value that is not a finite number; correct it, or leave the feature out if it is 0`},
		{name: "late query id", text: "1 1:1 qid:2\n", want: `t: line 1: "qid:2" is not a query id directly after the label; write it there, once`},
		{name: "two query ids", text: "1 qid:1 qid:2\n", want: `t: line 1: "qid:2" is not a query id directly after the label; write it there, once`},
		{name: "bad options", text: "1 1:1\n", want: "libsvm: dimension -1 is not in 0 … 2147483647", o: libsvm.Options{Dim: -1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := read(t, tc.text, tc.o)
			if err == nil {
				t.Fatalf("no error, but %s", show(got))
			}
			if err.Error() != tc.want {
				t.Errorf("got  %s\nwant %s", err, tc.want)
			}
		})
	}
}

// TestRoundTrip writes random sparse points and wants the same bits back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(0, 1).Draw(t, "first")
		var text, want strings.Builder
		for i := range rapid.IntRange(1, 5).Draw(t, "points") {
			label := rapid.Float64().Draw(t, "label")
			if i > 0 {
				want.WriteString(" ")
			}
			fmt.Fprintf(&text, "%v", label)
			fmt.Fprintf(&want, "%v[", label)
			j := -1
			for k := range rapid.IntRange(0, 4).Draw(t, "entries") {
				j += rapid.IntRange(1, 9).Draw(t, "gap")
				v := rapid.Float64().Draw(t, "value")
				fmt.Fprintf(&text, " %d:%v", j+first, v)
				if k > 0 {
					want.WriteString(" ")
				}
				fmt.Fprintf(&want, "%d:%v", j, v)
			}
			text.WriteString("\n")
			want.WriteString("]")
		}
		got, err := libsvm.Read(context.Background(), "t", strings.NewReader(text.String()), libsvm.Options{ZeroBased: first == 0})
		if err != nil {
			t.Fatal(err)
		}
		if s := show(got); s != want.String() {
			t.Fatalf("got  %s\nwant %s", s, want.String())
		}
	})
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("the disk is on fire")
	text := "1 1:1\n-1 2:1\n"
	for n := range len(text) {
		r := io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(broken))
		if _, err := libsvm.Read(t.Context(), "t", r, libsvm.Options{}); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "t: ") {
			t.Errorf("after %d bytes: %v; want an error that names t and the cause", n, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := libsvm.Read(ctx, "t", strings.NewReader(text), libsvm.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// wellFormed fails the test if a file breaks what its type promises.
func wellFormed(t *testing.T, f *libsvm.File) {
	t.Helper()
	n := f.Points.Len()
	if n == 0 || len(f.Labels) != n || len(f.Lines) != n || f.Queries != nil && len(f.Queries) != n {
		t.Fatalf("%d points, %d labels, %d lines, %d queries", n, len(f.Labels), len(f.Lines), len(f.Queries))
	}
	for i := range n {
		p := f.Points.At(i)
		for k, j := range p.Index {
			if j < 0 || int(j) >= f.Points.Dim() || k > 0 && j <= p.Index[k-1] || math.IsInf(p.Value[k], 0) || math.IsNaN(p.Value[k]) {
				t.Fatalf("point %d has entry %d:%v after %v", i, j, p.Value[k], p.Index[:k])
			}
		}
	}
}

// TestCut cuts a file at every byte: what is left is a file or an error, and never a
// panic.
func TestCut(t *testing.T) {
	text := "+1 qid:3 1:0.5 10:-2e-1 # c\n-1 2:7\n"
	for n := range len(text) + 1 {
		if f, err := read(t, text[:n], libsvm.Options{}); err == nil {
			wellFormed(t, f)
		}
	}
}

// FuzzRead wants a well-formed file or a *data.Error that names the source.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"+1 1:0.5 3:-2\n-1 \n", "1 qid:3 1:1 # c\n", "1,2 1:1\n", "0 0:1\n", "1 2147483647:1\n", "1 1:inf\n", "\x00", ":\n", "1 :\n"} {
		f.Add(text, false, 0)
		f.Add(text, true, 3)
	}
	f.Fuzz(func(t *testing.T, text string, zero bool, dim int) {
		got, err := libsvm.Read(t.Context(), "t", strings.NewReader(text), libsvm.Options{ZeroBased: zero, Dim: dim, Budget: data.NewBudget(1 << 16)})
		if err == nil {
			wellFormed(t, got)
			_, err = got.Table(t.Context())
		}
		var e *data.Error
		if err != nil && !strings.HasPrefix(err.Error(), "libsvm: ") && (!errors.As(err, &e) || e.Source != "t" || e.Reason == "") {
			t.Fatalf("error %v does not say where and why", err)
		}
	})
}
