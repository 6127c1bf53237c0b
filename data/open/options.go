package open

import (
	"fmt"
	"io"
	"strings"

	"mercer/data"
	"mercer/data/csv"
	"mercer/data/libsvm"
)

// Format is a file format.
type Format string

const (
	// Auto finds the format from the first bytes and the name.
	Auto Format = ""
	// CSV is any table of text: comma, tab, semicolon, bar or blank separated.
	CSV Format = "csv"
	// LibSVM is the sparse format of LIBSVM and SVMlight.
	LibSVM Format = "libsvm"
	// NPY is an array of NumPy.
	NPY Format = "npy"
	// NPZ is an archive of such arrays.
	NPZ Format = "npz"
	// Parquet is Apache Parquet.
	Parquet Format = "parquet"
)

// Formats returns the names ParseFormat accepts.
func Formats() []string {
	return []string{"auto", string(CSV), string(LibSVM), string(NPY), string(NPZ), string(Parquet)}
}

// ParseFormat returns the format of a name in Formats; an empty name is Auto.
func ParseFormat(name string) (Format, error) {
	switch f := Format(strings.ToLower(name)); f {
	case Auto, CSV, LibSVM, NPY, NPZ, Parquet:
		return f, nil
	case "auto":
		return Auto, nil
	}
	return Auto, fmt.Errorf("format %q is not known: use one of %s", name, strings.Join(Formats(), ", "))
}

// Options say what a file does not. The zero value finds everything out. An option that
// does not concern the format at hand has no effect, except Key, which is then an error.
type Options struct {
	// Format is the format; Auto finds it.
	Format Format
	// Delimiter separates the cells of a text table, and makes a file of unknown
	// format one; see csv.Options. 0 finds it.
	Delimiter rune
	// Header says whether the first row of a text table holds names.
	Header csv.Header
	// Types forces the kind of columns, by name, in every format.
	Types map[string]data.Kind
	// Missing lists the cells of a text table that mean "no value"; nil means
	// csv.DefaultMissing.
	Missing []string
	// LibSVM holds the options of the sparse format.
	LibSVM libsvm.Options
	// Key chooses one array of an .npz archive; empty joins all of them.
	Key string
	// Stdin is what the path "-" reads.
	Stdin io.Reader
}
