package skops

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/npy"
)

// protocol is the latest form of files that is known.
const protocol = 2

// schema is the file of the archive that holds the tree.
const schema = "schema.json"

// longestSchema bounds the text of the tree. That of a model takes about a hundred kilobytes, and
// arrays are not in it.
const longestSchema = 64 << 20

// jsonTimes is what a tree takes in memory in terms of its text.
const jsonTimes = 8

// file is an open archive.
type file struct {
	name   string
	parts  map[string]*zip.File
	budget *data.Budget
	err    error // the first
}

// node is an object as the tree has it.
type node struct {
	Class   string          `json:"__class__"`
	Module  string          `json:"__module__"`
	Loader  string          `json:"__loader__"`
	Content json.RawMessage `json:"content"`
	Type    string          `json:"type"`
	File    string          `json:"file"`
}

// Open reads the tree of a file of the given size. name is what messages call it. Arrays are read
// from r when they are asked for. Memory comes from the budget, nil for any.
func Open(name string, r io.ReaderAt, size int64, budget *data.Budget) (*Value, error) {
	fail := func(reason string, err error) error {
		return &data.Error{Source: name, Reason: reason, Err: err, Fix: `write the model by skops.io.dump(model, "model.skops")`}
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fail("is no file of skops, or was cut", err)
	}
	f := &file{name: name, parts: map[string]*zip.File{}, budget: budget}
	for _, part := range z.File {
		if f.parts[part.Name] != nil {
			return nil, fail(fmt.Sprintf("holds %s twice", data.Quote(part.Name)), nil)
		}
		f.parts[part.Name] = part
	}
	text, err := f.read(schema, longestSchema)
	if err != nil {
		return nil, fail("has no tree of objects", err)
	}
	var head struct {
		Protocol int `json:"protocol"`
	}
	var root node
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fail("has a tree of objects that cannot be read", err)
	}
	if head.Protocol > protocol {
		return nil, fail(fmt.Sprintf("has protocol %d, and %d is the latest that is known", head.Protocol, protocol), nil)
	}
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, fail("has a tree of objects that cannot be read", err)
	}
	return &Value{file: f, node: root}, nil
}

// read returns the bytes of a part of the archive.
func (f *file) read(part string, most int64) ([]byte, error) {
	z := f.parts[part]
	if z == nil {
		return nil, fmt.Errorf("%s is not in the archive", data.Quote(part))
	}
	if z.UncompressedSize64 > uint64(most) {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", data.Quote(part), z.UncompressedSize64, most)
	}
	r, err := z.Open()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", data.Quote(part), err)
	}
	defer r.Close()
	var text bytes.Buffer
	if _, err := io.Copy(&text, f.budget.Reader(io.LimitReader(r, most+1), f.name, jsonTimes)); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", data.Quote(part), err)
	}
	if int64(text.Len()) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", data.Quote(part), most)
	}
	return text.Bytes(), nil
}

// array opens an array of the archive.
func (f *file) array(part string) (io.ReadCloser, error) {
	z := f.parts[part]
	if z == nil || !strings.HasSuffix(part, ".npy") {
		return nil, fmt.Errorf("the array %s is not in the archive", data.Quote(part))
	}
	return z.Open()
}

// matrix reads an array of numbers.
func (f *file) matrix(ctx context.Context, part string) (rows, cols int, values []float64, err error) {
	r, err := f.array(part)
	if err != nil {
		return 0, 0, nil, err
	}
	defer r.Close()
	return npy.ReadMatrix(ctx, f.name+": "+part, r, f.budget)
}

// strings reads an array of strings.
func (f *file) strings(part string) ([]string, error) {
	r, err := f.array(part)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return npy.ReadStrings(f.name+": "+part, r, f.budget)
}

// kind is the letter of the type of the elements of an array.
func (f *file) kind(part string) (byte, error) {
	r, err := f.array(part)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return npy.Kind(f.name+": "+part, r)
}
