// Package idfile reads and writes the names of the rows and columns of a Gram matrix in a file.
package idfile

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Paths returns where the ids of a Gram matrix file are kept: for K.npy the rows in
// K.rows.txt and the columns in K.cols.txt beside it, one id per line in the order of
// the matrix, without a header. A matrix without the second is symmetric, its columns
// being its rows.
func Paths(matrix string) (rows, cols string) {
	stem := strings.TrimSuffix(matrix, filepath.Ext(matrix))
	return stem + ".rows.txt", stem + ".cols.txt"
}

// Read reads one id per line, up to an end of line of either kind. An empty line is
// an error that names it, except at the end.
func Read(r io.Reader) ([]string, error) {
	var ids []string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		id := strings.TrimSuffix(lines.Text(), "\r")
		if id == "" {
			return nil, fmt.Errorf("gram: line %d holds no id; give one id per row of the matrix", len(ids)+1)
		}
		ids = append(ids, id)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("gram: line %d of the ids: %w", len(ids)+1, err)
	}
	return ids, nil
}

// Write writes one id per line. An id that is empty or contains an end of line
// cannot be read back and is an error.
func Write(w io.Writer, ids []string) error {
	out := bufio.NewWriter(w)
	for i, id := range ids {
		if id == "" || strings.ContainsAny(id, "\r\n") {
			return fmt.Errorf("gram: id %d, %q, is not one non-empty line", i, id)
		}
		out.WriteString(id)
		out.WriteByte('\n')
	}
	return out.Flush()
}
