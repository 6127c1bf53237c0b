package model

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"example.org/mercer/internal/atomicfile"
)

// checksumDigits is the length of a SHA-256 in hexadecimal.
const checksumDigits = 2 * sha256.Size

// WriteFile writes tensors and metadata as one file in the safetensors layout, which
// the tools of that format can read. Keys beginning with "mercer." except
// [KeyVersion] belong to the container and are refused. Equal contents give equal
// bytes.
//
// The file appears under its name complete or not at all: a failure, or the end of
// ctx, leaves what was there before, and a killed process leaves at most a file
// ".NAME.tmp-…" beside it.
func WriteFile(ctx context.Context, path string, tensors map[string]Tensor, metadata map[string]string) error {
	parts, err := assemble(tensors, metadata)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return atomicfile.Write(ctx, path, func(w io.Writer) error { return writeParts(w, parts) })
}

// Write writes what [WriteFile] would write, for an output that is no file.
func Write(w io.Writer, tensors map[string]Tensor, metadata map[string]string) error {
	parts, err := assemble(tensors, metadata)
	if err != nil {
		return err
	}
	return writeParts(w, parts)
}

func writeParts(w io.Writer, parts [][]byte) error {
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// Encode returns the bytes that [WriteFile] would write.
func Encode(tensors map[string]Tensor, metadata map[string]string) ([]byte, error) {
	parts, err := assemble(tensors, metadata)
	if err != nil {
		return nil, err
	}
	return bytes.Join(parts, nil), nil
}

// assemble returns the pieces of a file, with the checksum in place. The tensors are
// not copied.
func assemble(tensors map[string]Tensor, metadata map[string]string) ([][]byte, error) {
	h, err := layout(tensors, metadata)
	if err != nil {
		return nil, err
	}
	text, err := h.encode()
	if err != nil {
		return nil, err
	}
	// Reading the header back finds the place of the checksum, and is a last check.
	read, err := decodeHeader("the new header", text)
	if err != nil {
		return nil, err
	}
	parts := [][]byte{binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text}
	for _, e := range h.entries {
		parts = append(parts, tensors[e.Name].data)
	}
	copy(text[read.checksum:], checksum(lengthBytes+read.checksum, parts...))
	return parts, nil
}

// layout puts the tensors in the order of the file: wide elements first, so that each
// is aligned to its own size without holes, and by name among equals.
func layout(tensors map[string]Tensor, metadata map[string]string) (header, error) {
	var problems []error
	h := header{metadata: map[string]string{
		KeyFormat:   FormatVersion(),
		KeyChecksum: strings.Repeat("0", checksumDigits),
	}}
	for key, value := range metadata {
		if strings.HasPrefix(key, "mercer.") && key != KeyVersion {
			problems = append(problems, fmt.Errorf("model: the metadata key %q belongs to the container: choose one without \"mercer.\"", key))
			continue
		}
		h.metadata[key] = value
	}
	names := slices.SortedFunc(maps.Keys(tensors), func(a, b string) int {
		return cmp.Or(cmp.Compare(tensors[b].DType.size(), tensors[a].DType.size()), cmp.Compare(a, b))
	})
	end := 0
	for _, name := range names {
		t := tensors[name]
		if err := t.check(); err != nil {
			problems = append(problems, fmt.Errorf("model: tensor %q: %w", name, err))
		}
		h.entries = append(h.entries, entry{Name: name, DType: t.DType, Shape: t.Shape, Offsets: [2]int{end, end + len(t.data)}})
		end += len(t.data)
	}
	return h, errors.Join(problems...)
}

// checksum returns the SHA-256 of the parts in a row, as hexadecimal digits, with the
// digits at the given position taken as zeros. They lie inside one part.
func checksum(digits int, parts ...[]byte) string {
	hash := sha256.New()
	at := 0
	for _, part := range parts {
		if at <= digits && digits+checksumDigits <= at+len(part) {
			before, after := digits-at, digits-at+checksumDigits
			hash.Write(part[:before])
			hash.Write(bytes.Repeat([]byte{'0'}, checksumDigits))
			hash.Write(part[after:])
		} else {
			hash.Write(part)
		}
		at += len(part)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
