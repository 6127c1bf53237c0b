package fasta_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/data"
	"example.org/mercer/data/fasta"
	"example.org/mercer/internal/testkit"
)

func read(t testing.TB, text string) (*data.Table, error) {
	t.Helper()
	return fasta.Read(t.Context(), "seqs.fa", strings.NewReader(text), nil)
}

const (
	small = "; from a database\n>a first one\nACGT\nacgn\n\n>b\nAC GT-\n;\n*\n>c\tthird\nA"
	reads = "@a first one\nACGT\nacgn\n+\n@III\n+III\n@b\nACGT-*\n+b\n!~!~!~\n\n@c third\nA\n+c third\nI\n"
)

func TestRead(t *testing.T) {
	for _, text := range []string{small, reads, strings.ReplaceAll(small, "\n", "\r\n"), strings.ReplaceAll(reads, "\n", "\r\n"), "\xef\xbb\xbf" + small} {
		got, err := read(t, text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		want := []data.Column{
			{Name: "id", Kind: data.Text, Strings: []string{"a", "b", "c"}},
			{Name: "description", Kind: data.Text, Strings: []string{"first one", "", "third"}, Missing: []bool{false, true, false}},
			{Name: "sequence", Kind: data.Text, Strings: []string{"ACGTacgn", "ACGT-*", "A"}},
		}
		if diff := cmp.Diff(want, got.Columns); diff != "" || got.ID != "id" || !got.Headed {
			t.Errorf("%q: %s", text, diff)
		}
	}
	got, err := read(t, small)
	if err != nil || !cmp.Equal(got.Lines, []int{2, 6, 10}) {
		t.Errorf("lines %v, %v", got.Lines, err)
	}
	if got, err := read(t, ">a\nAC\n>b\nGT"); err != nil || len(got.Columns) != 2 {
		t.Errorf("without descriptions: %+v, %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "seqs.fa: holds no sequences; begin every record with a line of > and a name"},
		{"\n\n", "seqs.fa: holds no sequences; begin every record with a line of > and a name"},
		{"\nACGT\n", `seqs.fa: line 2: "ACGT" stands where a record should begin; begin every record with a line of > and a name`},
		{">a\nACGT\n> \nA", `seqs.fa: line 3: ">" begins a record without a name; write a name behind >`},
		{">a\n>b\nA", `seqs.fa: line 1: "a" has no sequence; write one, or delete the record`},
		{">a\nA\n>b\n\n", `seqs.fa: line 3: "b" has no sequence; write one, or delete the record`},
		{">a\nAC\nAC7T", `seqs.fa: line 3, column 3: "7" is no symbol of a sequence; sequences are letters, *, - and .; a new record begins with a mark`},
		{"@a\nACGT\n+\nIIIII\n", `seqs.fa: line 4: "a" has 5 qualities or more for 4 bases; give one quality for each base`},
		{"@a\nACGT\n+\nII I\n", `seqs.fa: line 4, column 3: " " is no quality; qualities are the characters from ! to ~, one for each base`},
		{"@a\nACGT\n+b\nIIII\n", `seqs.fa: line 3: "+b" repeats another name than "a" of line 1; write + alone, or with the name of the record`},
		{"@a\n+\nIIII\n", `seqs.fa: line 1: "a" has no sequence; write one, or delete the record`},
		{"@a\nACGT\n+\nIII", `seqs.fa: line 4: the file ends in the record "a" of line 1; it was cut: write or copy it again`},
		{"@a\nACGT\n+\nIIII\nACGT", `seqs.fa: line 5: "ACGT" stands where a record should begin; begin every record with a line of @ and a name`},
	} {
		if _, err := read(t, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestCut cuts files at every byte: fewer records, a shorter last one, or an error that names
// the file. A record of FASTQ is there as a whole or not at all.
func TestCut(t *testing.T) {
	for _, whole := range []string{small, reads} {
		all, err := read(t, whole)
		if err != nil {
			t.Fatal(err)
		}
		sequences, _ := all.Column("sequence")
		for n := range len(whole) {
			got, err := read(t, whole[:n])
			if err != nil {
				if !strings.HasPrefix(err.Error(), "seqs.fa") {
					t.Errorf("%d bytes: %v", n, err)
				}
				continue
			}
			column, _ := got.Column("sequence")
			for i, s := range column.Strings {
				last := whole == small && i == len(column.Strings)-1
				if s != sequences.Strings[i] && !(last && strings.HasPrefix(sequences.Strings[i], s)) {
					t.Errorf("%d bytes: record %d is %q", n, i, s)
				}
			}
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fasta.Read(ctx, "seqs.fa", strings.NewReader(small), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestShared counts the records and symbols of public files; the counts are those of grep
// and wc.
func TestShared(t *testing.T) {
	for name, want := range map[string][2]int{"nfe2_pos_train.fa": {644, 145294}, "subcell_mitochondrion.fasta": {307, 113901}} {
		f, err := os.Open(testkit.Shared(t, "sequences/"+name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err := fasta.Read(t.Context(), name, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		symbols := 0
		column, _ := got.Column("sequence")
		for _, s := range column.Strings {
			symbols += len(s)
		}
		if got.Rows() != want[0] || symbols != want[1] {
			t.Errorf("%s: %d records, %d symbols, want %v", name, got.Rows(), symbols, want)
		}
	}
}

// FuzzRead wants a table without empty sequences, or an error that names the file.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add(reads)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := read(t, text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "seqs.fa") {
				t.Fatalf("%v does not name the file", err)
			}
			return
		}
		column, _ := got.Column("sequence")
		for i, s := range column.Strings {
			if s == "" || got.Columns[0].Strings[i] == "" {
				t.Fatalf("record %d: %+v", i, got)
			}
		}
	})
}

func ExampleRead() {
	file := strings.NewReader(">chr1:10-21 peak 1\nACGTACGT\nACG\n>chr2:5-9\nttgn\n")
	t, err := fasta.Read(context.Background(), "peaks.fa", file, nil)
	if err != nil {
		panic(err)
	}
	for _, c := range t.Columns {
		fmt.Printf("%s %q\n", c.Name, c.Strings)
	}
	// Output:
	// id ["chr1:10-21" "chr2:5-9"]
	// description ["peak 1" ""]
	// sequence ["ACGTACGTACG" "ttgn"]
}
