package open_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/open"
)

// TestSequences finds files of sequences by name or content, compressed or not, and leaves
// tables alone that begin alike.
func TestSequences(t *testing.T) {
	const fasta, fastq = ">a x\nAC\nGT\n>b\nTT\n", "@a x\nACGT\n+\nIIII\n@b\nTT\n+\nII\n"
	for _, c := range []struct {
		name, text string
		sequences  bool
	}{
		{"s.fa", fasta, true}, {"s.txt", fasta, true}, {"s.fastq", fastq, true}, {"s", fastq, true}, {"s.fna.gz", compress(t, fasta), true}, {"s", compress(t, fastq), true},
		{"s.fq", "@a x\nAC\nGT\n+\nII\nII\n@b\nTT\n+\nII\n", true}, {"s.faa", "; remark\n" + fasta, true},
		{"t.txt", ">a,b\n1,2\n3,4\n", false}, {"t.csv", fasta, false}, {"t.txt", "@a,b\nx,y\nz,w\n", false},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := open.Read(t.Context(), path, open.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		column, _ := got.Column("sequence")
		switch {
		case (column != nil) != c.sequences:
			t.Errorf("%s of %q: %+v", c.name, c.text, got.Columns)
		case c.sequences && (column.Strings[0] != "ACGT" || column.Strings[1] != "TT" || column.Kind != data.Text || got.ID != "id"):
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
