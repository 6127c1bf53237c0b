package csv_test

import (
	"bytes"
	"context"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
)

// read reads text as a table called "t".
func read(t *testing.T, text string, o csv.Options) (*data.Table, error) {
	t.Helper()
	return csv.Read(t.Context(), "t", strings.NewReader(text), o)
}

// show prints a table in one line: "name:n=1,2,∅;…", with n, c or t for the kind.
func show(t *data.Table) string {
	var cols []string
	for _, c := range t.Columns {
		cells := make([]string, c.Len())
		for i := range cells {
			switch {
			case c.IsMissing(i):
				cells[i] = "∅"
			case c.Kind == data.Numeric:
				cells[i] = fmt.Sprint(c.Numbers[i])
			default:
				cells[i] = c.Strings[i]
			}
		}
		cols = append(cols, fmt.Sprintf("%s:%c=%s", c.Name, c.Kind.String()[0], strings.Join(cells, ",")))
	}
	return strings.Join(cols, "; ")
}

func TestRead(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		o                csv.Options
	}{
		{name: "comma", text: "a,b\n1,2\n3,4\n", want: "a:n=1,3; b:n=2,4"},
		{name: "no line end at the end", text: "a,b\n1,2\n3,4", want: "a:n=1,3; b:n=2,4"},
		{name: "windows line ends", text: "a,b\r\n1,2\r\n3,4\r\n", want: "a:n=1,3; b:n=2,4"},
		{name: "byte order mark", text: "\xef\xbb\xbfa,b\n1,2\n", want: "a:n=1; b:n=2"},
		{name: "tab", text: "a\tb\n1\t\n3\t4\n", want: "a:n=1,3; b:n=∅,4"},
		{name: "a row of empty cells between tabs is a row", text: "a\tb\n1\t2\n\t\n", want: "a:n=1,∅; b:n=2,∅"},
		{name: "semicolon before decimal commas", text: "a;b\n1,5;2\n2,5;3\n", want: "a:t=1,5,2,5; b:n=2,3"},
		{name: "bar", text: "a|b\n1|2\n", want: "a:n=1; b:n=2"},
		{name: "blanks of any width", text: "  1.5   2 \t3 \n\t4 5\t 6\n", want: "c1:n=1.5,4; c2:n=2,5; c3:n=3,6"},
		{name: "blanks with comments", text: "# made by hand\n1 2\n# more\n3 4\n", want: "c1:n=1,3; c2:n=2,4"},
		{name: "blanks with quotes", text: "\"a b\" c\n1 2\n3 4\n", want: "a b:n=1,3; c:n=2,4"},
		{name: "blanks with quotes that do not close", text: "\"a \"b c\n1 \"2 3\" \"4\n\" \" 5 6\"\n", want: "c1:t=\"a,1, ; c2:t=\"b,2 3,5; c3:t=c,\"4,6\"", o: csv.Options{Delimiter: csv.Blanks, Header: csv.HeaderNo}},
		{name: "tabs after the comma are padding", text: "+,x1,\t\tac\n-,x2,\t\tgt\n+,x3,\t\tca\n", want: "c1:c=+,-,+; c2:t=x1,x2,x3; c3:t=ac,gt,ca"},
		{name: "one column", text: "x\n1\n2\n", want: "x:n=1,2"},
		{name: "blank lines are skipped", text: "a,b\n\n1,2\n   \n3,4\n\n", want: "a:n=1,3; b:n=2,4"},
		{name: "blanks around cells", text: "a , b\n 1,\t2 \n", want: "a:n=1; b:n=2"},

		{name: "quoted delimiter, quote and line end", text: "a,b\n\"x, \"\"y\"\"\nz\",1\n\"u\",2\n", want: "a:t=x, \"y\"\nz,u; b:n=1,2"},
		{name: "quoted windows line end", text: "a,b\n\"x\r\ny\",1\n\"u\",2\n", want: "a:t=x\ny,u; b:n=1,2"},
		{name: "quoted blanks stay", text: "a,b\n\" x \",1\n\" x \",2\n", want: "a:c= x , x ; b:n=1,2"},
		{name: "quoted number is a number", text: "a,b\n\"1\",2\n", want: "a:n=1; b:n=2"},
		{name: "blanks outside quotes do not count", text: "a,b\n \"x\" , 2\n \"x\" , 3\n", want: "a:c=x,x; b:n=2,3"},
		{name: "quote inside a cell", text: "a,b\n5\" pipe,2\n5\" pipe,3\n", want: "a:c=5\" pipe,5\" pipe; b:n=2,3"},
		{name: "quote in a tab file is a character", text: "ham\t\"Hi\nspam\tx\nham\ty \"z\"\nspam\t\"w\" v\n", want: "c1:c=ham,spam,ham,spam; c2:t=\"Hi,x,y \"z\",\"w\" v"},
		{name: "quoted cell in a tab file", text: "a\tb\n\"x\"\"y\"\t1\n\"u\tv\"\t2\n", want: "a:t=x\"y,u\tv; b:n=1,2"},
		{name: "empty quoted cell is missing", text: "a,b\n\"\",1\nx,2\nx,3\n", want: "a:c=∅,x,x; b:n=1,2,3"},

		{name: "numbers of every form", text: "x\n.5\n5.\n+1e3\n-1E-3\n007\n", want: "x:n=0.5,5,1000,-0.001,7"},
		{name: "no other forms", text: "x\n0x10\n1_000\n1d5\n1e\n", want: "x:t=0x10,1_000,1d5,1e", o: csv.Options{Header: csv.HeaderYes}},
		{name: "missing tokens", text: "x,y\nNA,a\nnull,b\n?,a\nNaN,n/a\n1,b\n,a\n", want: "x:n=∅,∅,∅,∅,1,∅; y:c=a,b,a,∅,b,a"},
		{name: "text keeps the words", text: "x,y\n1,NA\n2,\n", want: "x:n=1,2; y:t=NA,∅", o: csv.Options{Types: map[string]data.Kind{"y": data.Text}}},
		{name: "given tokens hold everywhere", text: "x,y\n-999,none\n2,\n", want: "x:n=∅,2; y:t=∅,∅", o: csv.Options{Missing: []string{"-999", "None"}, Types: map[string]data.Kind{"y": data.Text}}},
		{name: "a column without values is numeric", text: "a,b\n1,\n2,NA\n", want: "a:n=1,2; b:n=∅,∅"},
		{name: "a word among numbers makes text", text: "x\n1\n2\n12,5\n4\n", want: "x:t=1,2,12,5,4", o: csv.Options{Delimiter: csv.Whole, Header: csv.HeaderYes}},
		{name: "a slip below does not hide the header", text: "x\n1\n2\n3\n4\n5\n6\n7\n8\n9\noops\n", want: "x:t=1,2,3,4,5,6,7,8,9,oops"},
		{name: "identifiers keep their digits", text: "id\n9007199254740992\n9007199254740993\n007\n", want: "id:t=9007199254740992,9007199254740993,007"},
		{name: "large exact integers are numbers", text: "x\n9007199254740994\n10000000000000000000000\n", want: "x:n=9.007199254740994e+15,1e+22"},
		{name: "negative identifiers", text: "id\n-9007199254740993\n+00000000000000000012\n", want: "id:t=-9007199254740993,+00000000000000000012"},
		{name: "zeros in front do not lengthen a number", text: "x\n+00000000000000000012\n-0000000000000000000\n", want: "x:n=12,-0"},
		{name: "forced numbers may lose digits", text: "id\n9007199254740993\n", want: "id:n=9.007199254740992e+15", o: csv.Options{Types: map[string]data.Kind{"id": data.Numeric}}},
		{name: "forced text keeps zeros", text: "id,y\n007,1\n010,2\n", want: "id:t=007,010; y:n=1,2", o: csv.Options{Types: map[string]data.Kind{"id": data.Text}}},
		{name: "forced categories", text: "x\n1\n2\n", want: "x:c=1,2", o: csv.Options{Types: map[string]data.Kind{"x": data.Categorical}}},

		{name: "no header above numbers", text: "1,2\n3,4\n", want: "c1:n=1,3; c2:n=2,4"},
		{name: "a name that is one of its labels", text: "a,b,c\n1,2,a\n3,4,c\n5,6,c\n7,8,a\n", want: "a:n=1,3,5,7; b:n=2,4,6,8; c:c=a,c,c,a"},
		{name: "a slip in the first row", text: "oops,c\n3,c\n5,c\n7,a\n8,a\n", want: "c1:t=oops,3,5,7,8; c2:c=c,c,c,a,a"},
		{name: "missing cell above numbers is no name", text: "?,2\n3,4\n", want: "c1:n=∅,3; c2:n=2,4"},
		{name: "a number above numbers speaks against names", text: "a,1999\n1,2\n3,4\n", want: "c1:t=a,1,3; c2:n=1999,2,4"},
		{name: "names above decimal commas", text: "a;b\n1,5;2,5\n3,5;4,5\n", want: "a:t=1,5,3,5; b:t=2,5,4,5"},
		{name: "years as names by force", text: "a,1999\n1,2\n3,4\n", want: "a:n=1,3; 1999:n=2,4", o: csv.Options{Header: csv.HeaderYes}},
		{name: "nameless index column of pandas", text: ",x\n0,1.5\n1,2.5\n", want: "c1:n=0,1; x:n=1.5,2.5"},
		{name: "labels repeat, so the first row is data", text: "spam,u\nham,v\nspam,w\nham,x\n", want: "c1:c=spam,ham,spam,ham; c2:t=u,v,w,x"},
		{name: "names above labels", text: "label,words\nspam,u\nham,v\nspam,w\nham,x\n", want: "label:c=spam,ham,spam,ham; words:t=u,v,w,x"},
		{name: "all different words are data", text: "acgt\nggta\nttac\n", want: "c1:t=acgt,ggta,ttac"},
		{name: "header refused by force", text: "a,b\n1,2\n", want: "c1:t=a,1; c2:t=b,2", o: csv.Options{Header: csv.HeaderNo}},
		{name: "single data row", text: "red,3.5\n", want: "c1:t=red; c2:n=3.5"},

		{name: "lines of words without a delimiter", text: "to be or\nnot\nthat is the question\n", want: "c1:t=to be or,not,that is the question"},
		{name: "one quoted column with commas", text: "\"to be, or\"\nnot\n", want: "c1:t=to be, or,not"},
		{name: "forced delimiter", text: "a:b\n1:2\n", want: "a:n=1; b:n=2", o: csv.Options{Delimiter: ':'}},
		{name: "forced blanks", text: "1,5 2\n3,5 4\n", want: "c1:t=1,5,3,5; c2:n=2,4", o: csv.Options{Delimiter: csv.Blanks}},
		{name: "whole lines", text: "to be, or not\nthat is\n", want: "c1:t=to be, or not,that is", o: csv.Options{Delimiter: csv.Whole}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := read(t, tc.text, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			if s := show(got); s != tc.want {
				t.Errorf("got  %s\nwant %s", s, tc.want)
			}
			// The same must come out when the input arrives byte by byte.
			slow, err := csv.Read(t.Context(), "t", iotest.OneByteReader(strings.NewReader(tc.text)), tc.o)
			if err != nil || show(slow) != tc.want {
				t.Errorf("byte by byte: %v, %v", slow, err)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		o                csv.Options
	}{
		{name: "empty", text: "", want: "t: is empty; give a file with at least one row"},
		{name: "blank", text: " \n\n", want: "t: is empty; give a file with at least one row"},
		{name: "header only", text: "a,b\n", want: "t: has a header and no rows; give a file with at least one row, or say that it has no header (--header no)"},
		{name: "comments only", text: "# a\n# b\n", want: "t: holds only comments; give a file with at least one row", o: csv.Options{Delimiter: csv.Blanks}},
		{name: "more cells", text: "a,b\n1,2\n3,4,5\n", want: "t: line 3: has 3 cells where line 1 has 2; a cell may hold the delimiter: put it in quotes, or name another delimiter (--delimiter)"},
		{name: "fewer cells", text: "a,b,c\n1,2,3\n4,5\n6,7,8\n", want: "t: line 3: has 2 cells where line 1 has 3; a cell may be missing, or hold a line end without being quoted"},
		{name: "cut", text: "a,b,c\n1,2,3\n4,5", want: "t: line 3: has 2 cells where line 1 has 3; the file ends in the middle of this line: it may have been cut"},
		{name: "header without a name for row names", text: "a b\nx 1 2\ny 3 4\n", want: "t: line 2: has 3 cells where line 1 has 2; the header may lack a name for a first column of row names: add one", o: csv.Options{Delimiter: csv.Blanks, Header: csv.HeaderYes}},
		{name: "delimiter at the end", text: "a,b\n1,2,\n3,4,\n", want: "t: line 2: has 3 cells where line 1 has 2; the line ends in a delimiter: remove it"},
		{name: "line numbers count quoted lines", text: "a,b\n\"x\ny\",2\n3\n", want: "t: line 4: has 1 cells where line 1 has 2; a cell may be missing, or hold a line end without being quoted", o: csv.Options{Delimiter: ',', Header: csv.HeaderYes}},
		{name: "open quote", text: "a,b\n1,2\n3,\"x\n5,6\n", want: "t: line 3, column 2: a quoted cell begins here and is never closed; close it, or write a quote that belongs to the text as \"\""},
		{name: "text after a quote", text: "a,b\n1,2\n3,\"x\"y\n", want: "t: line 3, column 2: \"y\" follows a closing quote; write a quote that belongs to the text as \"\""},
		{name: "ragged blanks are still blanks", text: "1 2 3\n4 5 6\n7 8\n9 1 2\n", want: "t: line 3: has 2 cells where line 1 has 3; a cell may be missing, or hold a line end without being quoted"},
		{name: "infinity by name", text: "a,b\n1,2\n3,-Inf\n4,inf\n", want: "t: line 3, column 2 (b): \"-Inf\" is not a finite number (and 1 more like it); correct it, or say that it means a missing value (--missing-token)"},
		{name: "infinity by overflow", text: "a\n1\n1e999\n", want: "t: line 3, column 1 (a): \"1e999\" is not a finite number; correct it, or say that it means a missing value (--missing-token)"},
		{name: "same name", text: "a,b,a\n1,2,3\n", want: "t: line 1, column 3: \"a\" is also the name of column 1; rename one of them, or say that the file has no header (--header no) if this row is data"},
		{name: "name like a made-up one", text: "c2,\n1,2\n", want: "t: line 1, column 2: \"c2\" is also the name of column 1; rename one of them, or say that the file has no header (--header no) if this row is data"},
		{name: "forced number", text: "a,b\n1,x\n2,y\n", want: "t: line 2, column 2 (b): \"x\" is not a number, but the column was declared numeric (and 1 more like it); correct it, say that it means a missing value (--missing-token), or name the type of the column (--type)", o: csv.Options{Types: map[string]data.Kind{"b": data.Numeric}}},
		{name: "forced number with a decimal comma", text: "a;b\n1;2,5\n2;3\n", want: "t: line 2, column 2 (b): \"2,5\" is not a number, but the column was declared numeric; write a decimal point instead of the comma, or name the comma (--decimal)", o: csv.Options{Types: map[string]data.Kind{"b": data.Numeric}}},
		{name: "type for no column", text: "a,b\n1,2\n", want: "t: has no column \"d\"; its 2 columns are #1 a, #2 b", o: csv.Options{Types: map[string]data.Kind{"d": data.Text}}},
		{name: "zero byte", text: "a,b\n1,2\n3,\x004\n", want: "t: line 3: holds a zero byte, which no text table does; name the format if it is another one, or save the file as UTF-8 text"},
		{name: "latin 1", text: "a,b\n1,caf\xe9\n", want: "t: line 2, column 2 (b): \"caf\\xe9\" is not UTF-8; say how it is written (--encoding), for example in ISO 8859-1 (latin1)"},
		{name: "latin 1 in a name", text: "a,caf\xe9\n1,2\n", want: "t: line 1, column 2: \"caf\\xe9\" is not UTF-8; say how it is written (--encoding), for example in ISO 8859-1 (latin1)"},
		{name: "UTF-16", text: "\xff\xfea\x00,\x00b\x00", want: "t: is UTF-16 text; save it as UTF-8"},
		{name: "old Macintosh", text: "a,b\r1,2\r", want: "t: has lines that end in a carriage return only; save it with the line ends of Unix or Windows"},
		{name: "bad delimiter", text: "a", want: "csv: delimiter '7' cannot separate cells: use a punctuation character of ASCII, a tab, a blank for runs of blanks, or a newline for one cell per line", o: csv.Options{Delimiter: '7'}},
		{name: "bad header option", text: "a", want: "csv: csv.Header(5) is none of auto, yes, no", o: csv.Options{Header: 5}},
		{name: "bad kind", text: "a", want: "csv: type of column \"a\" is data.Kind(9), which is none of numeric, categorical, text", o: csv.Options{Types: map[string]data.Kind{"a": 9}}},
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

// TestSettled checks the column that has been numeric for long: its first word is an
// error with a count, and the earlier cells cost no text.
func TestSettled(t *testing.T) {
	var b strings.Builder
	b.WriteString("x\n")
	for i := range 1000 {
		fmt.Fprintln(&b, i)
	}
	got, err := read(t, b.String()+"oops\nNA\n1\n2,5\n", csv.Options{Delimiter: csv.Whole})
	want := `t: line 1002, column 1 (x): "oops" is not a number, but every cell of the column above it is (and 1 more like it); correct it, say that it means a missing value (--missing-token), or name the type of the column (--type)`
	if err == nil || err.Error() != want {
		t.Fatalf("%v, %v; want %s", got, err, want)
	}
	_, err = read(t, b.String()+"9007199254740993\n", csv.Options{})
	want = `t: line 1002, column 1 (x): "9007199254740993" has more digits than a number can keep; name the type of the column (--type): text if it holds identifiers, numeric if the digits do not matter`
	if err == nil || err.Error() != want {
		t.Fatalf("%v; want %s", err, want)
	}
	// One row less, and the word makes the column text.
	rows := strings.SplitAfterN(b.String(), "\n", 3)
	got, err = read(t, rows[0]+rows[2]+"oops\n", csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Columns[0]; c.Kind != data.Text || c.Strings[0] != "1" || c.Why != `line 1001 holds "oops"` {
		t.Errorf("%v, first cell %q, because %s; want text, 1, line 1001", c.Kind, c.Strings[0], c.Why)
	}
}

func TestWhy(t *testing.T) {
	got, err := read(t, "a,b,c,d\n1,u,8,\n2,v,12x,\n3,u,9,\n4,v,1y,\n5,u,7,\n", csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"",
		"it has 2 distinct values in 5 rows",
		`line 3 holds "12x" and 2 of its 5 cells are no numbers`,
		"no cell has a value",
	} {
		if got.Columns[i].Why != want {
			t.Errorf("column %s: %q, want %q", got.Columns[i].Name, got.Columns[i].Why, want)
		}
	}
}

func TestDecimalCommas(t *testing.T) {
	got, err := read(t, "a;b;c\n1,5;1,5;x\n1,5;2;x\n1,5;3;1,5\n", csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`line 2 holds "1,5", which has a decimal comma (--decimal), and 3 of its 3 cells are no numbers`,
		`line 2 holds "1,5", which has a decimal comma (--decimal)`,
		"it has 2 distinct values in 3 rows",
	} {
		if c := got.Columns[i]; c.Why != want || (c.Kind == data.Text) != (i < 2) {
			t.Errorf("column %s is %v because %s, want %s", c.Name, c.Kind, c.Why, want)
		}
	}
}

func TestLines(t *testing.T) {
	got, err := read(t, "a,b\n1,2\n\n\"3\n\",4\n5,6\n", csv.Options{Types: map[string]data.Kind{"a": data.Text}})
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.Lines); s != "[2 4 6]" {
		t.Errorf("rows come from lines %s, want [2 4 6]", s)
	}
	if s := got.Where(1, 1); s != "t: line 4, column 2 (b)" {
		t.Errorf("Where says %s", s)
	}
}

// TestLongLine reads records longer than every buffer.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	got, err := read(t, "a,b\n"+long+",1\ny,2\n\""+long+"\",3\n", csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := got.Columns[0]
	if a.Kind != data.Text || a.Strings[0] != long || a.Strings[1] != "y" || a.Strings[2] != long {
		t.Errorf("a cell of %d bytes came back as %d and %d", len(long), len(a.Strings[0]), len(a.Strings[2]))
	}
}

// TestWide reads a table whose every line is longer than the sample.
func TestWide(t *testing.T) {
	const cols = 200_000
	var head, row strings.Builder
	for j := range cols {
		fmt.Fprintf(&head, "gene%d;", j)
		fmt.Fprintf(&row, "%d.5;", j%10)
	}
	text := head.String() + "y\n" + row.String() + "1\n" + row.String() + "2\n"
	got, err := read(t, text, csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	y, at := got.Column("y")
	if !got.Headed || at != cols || y == nil || y.Numbers[1] != 2 || got.Columns[11].Numbers[0] != 1.5 {
		t.Errorf("headed %v, y in column %d of %d", got.Headed, at+1, len(got.Columns))
	}
}

// TestMemory checks that a table costs its numbers and the lines they came from: 8 bytes
// for each, with the quarter that append may leave unused.
func TestMemory(t *testing.T) {
	const rows = 100_000
	text := strings.Repeat("1234.5678,-0.0001234,7\n", rows)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got, err := read(t, text, csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	used, limit := int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(rows*4*8*5/4+1<<17)
	if used > limit {
		t.Errorf("%d rows of %d columns hold %d bytes, more than %d", got.Rows(), len(got.Columns), used, limit)
	}
	runtime.KeepAlive(text)
}

func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("1234.5678,-0.0001234,7\n", 100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := csv.Read(b.Context(), "b", strings.NewReader(text), csv.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestManyQuotes reads a line of quotes that open and never close. Searching for the end
// of each would read 10¹⁰ bytes.
func TestManyQuotes(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 260 000 columns")
	}
	for _, cell := range []string{"\"a ", "\"a\t", "\"\"\"a\t", "a\"\t"} {
		n := 1 << 16
		got, err := read(t, strings.Repeat(cell, n)+"\"b\n", csv.Options{Delimiter: rune(cell[len(cell)-1]), Header: csv.HeaderNo})
		if err != nil || len(got.Columns) != n+1 {
			t.Errorf("%q: %v, want %d columns", cell, err, n+1)
		}
	}
}

// TestRoundTrip writes numbers in their shortest form and wants the same bits back.
func TestRoundTrip(t *testing.T) {
	var b strings.Builder
	want := []float64{0.1, 1.0 / 3, math.MaxFloat64, math.SmallestNonzeroFloat64, -1e-300, 1 << 53, 123456789.125}
	for _, v := range want {
		fmt.Fprintf(&b, "%v,1\n", v)
	}
	got, err := read(t, b.String(), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range want {
		if got.Columns[0].Numbers[i] != v {
			t.Errorf("%v came back as %v", v, got.Columns[0].Numbers[i])
		}
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for n := range len("a,b\n1,2\n") {
		r := io.MultiReader(strings.NewReader("a,b\n1,2\n"[:n]), iotest.ErrReader(broken))
		got, err := csv.Read(t.Context(), "t", r, csv.Options{})
		if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "t: ") {
			t.Errorf("after %d bytes: %v, %v; want an error that names t and the cause", n, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := csv.Read(ctx, "t", strings.NewReader("a,b\n1,2\n"), csv.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestAgainstStandardLibrary writes random cells with encoding/csv and wants the cells
// that its reader gives. The alphabet leaves out blanks, which only this package trims.
func TestAgainstStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOfN(rapid.RuneFrom([]rune("ab1.,;|\"\n\ré")), 0, 6, -1)
		cols := rapid.IntRange(2, 4).Draw(t, "cols")
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, cols, cols), 1, 5).Draw(t, "rows")
		var b bytes.Buffer
		w := stdcsv.NewWriter(&b)
		if err := w.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		want, err := stdcsv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		types := make(map[string]data.Kind)
		for j := range cols {
			types[fmt.Sprintf("c%d", j+1)] = data.Text
		}
		got, err := csv.Read(context.Background(), "t", bytes.NewReader(b.Bytes()), csv.Options{Delimiter: ',', Header: csv.HeaderNo, Types: types})
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		if got.Rows() != len(want) {
			t.Fatalf("%q has %d rows, want %d", b.String(), got.Rows(), len(want))
		}
		for i, row := range want {
			for j, cell := range row {
				if s := got.Columns[j].Strings[i]; s != cell {
					t.Fatalf("%q: row %d, column %d is %q, want %q", b.String(), i, j, s, cell)
				}
			}
		}
	})
}

// A column that nobody wants and that cannot be read is empty; its neighbours, and columns that can
// be read, are as they were. In blocks it stays an error, because cells are passed on at once.
func TestUnusedColumnsMayBeUnreadable(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,bad,huge,y\n")
	for i := range 1200 {
		word := "1"
		if i == 1100 {
			word = "oops" // in a column of numbers
		}
		fmt.Fprintf(&b, "%d,%s,1e999,%d\n", i, word, i)
	}
	if _, err := csv.Read(t.Context(), "t", strings.NewReader(b.String()), csv.Options{Unused: []string{"bad"}}); err == nil || !strings.Contains(err.Error(), "huge") {
		t.Errorf("one of two unreadable columns is wanted: %v", err)
	}
	got, err := csv.Read(t.Context(), "t", strings.NewReader(b.String()), csv.Options{Unused: []string{"#2", "huge", "y", "no such column"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []data.Kind{data.Numeric, data.Text, data.Text, data.Numeric} {
		if c := got.Columns[i]; c.Kind != want || c.Len() != 1200 {
			t.Errorf("column %s is %s with %d cells", c.Name, c.Kind, c.Len())
		}
	}
	if c := got.Columns[1]; !c.Missing[7] || !strings.Contains(c.Why, "oops") {
		t.Errorf("the unreadable column: missing %v, %q", c.Missing[7], c.Why)
	}
	size := func(int) int { return 100 }
	use := func(*data.Table) error { return nil }
	if _, err := csv.Blocks(t.Context(), "t", strings.NewReader(b.String()), csv.Options{Unused: []string{"bad", "huge"}}, nil, size, use); err == nil {
		t.Error("blocks were passed on of a column that cannot be read")
	}
}
