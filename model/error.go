package model

import (
	"fmt"
	"strings"
)

// FileError is what is wrong with a model file.
type FileError struct {
	Source string // the file
	Offset int64  // the byte where it shows, from 0; −1 where no single byte does
	What   string
	Fix    string
}

// Error returns "house.mercer: byte 8: what is wrong; what to do".
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.Source)
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ": byte %d", e.Offset)
	}
	fmt.Fprintf(&b, ": %s", e.What)
	if e.Fix != "" {
		fmt.Fprintf(&b, "; %s", e.Fix)
	}
	return b.String()
}

// fresh is the advice for a file that no reader can mend.
const fresh = "the file is damaged or not a mercer model: copy it again from where it was written, or fit the model again"

// broken returns the error for a file that no reader can mend.
func broken(source string, offset int64, format string, args ...any) error {
	return &FileError{Source: source, Offset: offset, What: fmt.Sprintf(format, args...), Fix: fresh}
}
