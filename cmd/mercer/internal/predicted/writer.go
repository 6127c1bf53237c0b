package predicted

import (
	"io"
	"path/filepath"
	"strings"

	"example.org/mercer/data/arrow"
	"example.org/mercer/data/parquet"
	"example.org/mercer/outcome/tabular"
)

// writers are the formats of predictions beside CSV, by the ends of names.
var writers = map[string]func(io.Writer) tabular.Writer{
	".arrow":   func(w io.Writer) tabular.Writer { return arrow.NewWriter(w) },
	".feather": func(w io.Writer) tabular.Writer { return arrow.NewWriter(w) },
	".parquet": func(w io.Writer) tabular.Writer { return parquet.NewWriter(w) },
}

// WriterOf returns what writes predictions to a file, in the format that its name asks for: CSV
// where it asks for no other.
func WriterOf(path string, w io.Writer) tabular.Writer {
	if of, ok := writers[strings.ToLower(filepath.Ext(path))]; ok {
		return of(w)
	}
	return &tabular.CSV{W: w}
}
