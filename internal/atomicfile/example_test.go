package atomicfile_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.org/mercer/internal/atomicfile"
)

// A file has all of its content, or keeps what was there.
func Example() {
	folder, err := os.MkdirTemp("", "mercer")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "numbers")
	err = atomicfile.Write(context.Background(), path, func(w io.Writer) error {
		_, err := io.WriteString(w, "1 2 3")
		return err
	})
	content, _ := os.ReadFile(path)
	fmt.Println(string(content), err)
	// Output: 1 2 3 <nil>
}
