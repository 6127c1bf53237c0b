package model_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/mercer/model"
)

// TestLayoutOnDisk spells out a file byte by byte: sorted keys, wide elements first,
// data at a multiple of 8. The safetensors package of Python (0.8.0) reads it.
func TestLayoutOnDisk(t *testing.T) {
	wide, err := model.Float64s([]float64{1, -2}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := model.Encode(map[string]model.Tensor{"b": wide, "a": model.Bytes([]byte("xyz"))}, map[string]string{"kernel": "minmax"})
	if err != nil {
		t.Fatal(err)
	}
	sum := string(got[bytes.Index(got, []byte(`sha256":"`))+9:])[:64]
	// The header has 251 characters and is padded to 256.
	want := "\x00\x01\x00\x00\x00\x00\x00\x00" +
		`{"__metadata__":{"kernel":"minmax","mercer.format":"1.0","mercer.sha256":"` + sum + `"},` +
		`"a":{"dtype":"U8","shape":[3],"data_offsets":[16,19]},"b":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]}}`
	want += strings.Repeat(" ", 5) +
		"\x00\x00\x00\x00\x00\x00\xf0\x3f" + "\x00\x00\x00\x00\x00\x00\x00\xc0" + "xyz"
	if string(got) != want {
		t.Errorf("file\n%q\nwant\n%q", got, want)
	}
}

func TestEncodeIsDeterministic(t *testing.T) {
	want := encoded(t)
	for range 20 {
		if !bytes.Equal(encoded(t), want) {
			t.Fatal("equal contents gave other bytes")
		}
	}
}

func TestWriteFileRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mercer")
	ok := model.Bytes([]byte("x"))
	for want, c := range map[string]struct {
		tensors  map[string]model.Tensor
		metadata map[string]string
	}{
		"belongs to the container":     {nil, map[string]string{model.KeyChecksum: "0"}},
		"cannot be the name":           {map[string]model.Tensor{"__metadata__": ok}, nil},
		`"\xff" cannot be the name`:    {map[string]model.Tensor{"\xff": ok}, nil},
		"is not UTF-8 text":            {nil, map[string]string{"k": "\xff"}},
		"unknown element type":         {map[string]model.Tensor{"a": {DType: "F16"}}, nil},
		"needs 2 bytes, there are 0":   {map[string]model.Tensor{"a": {DType: model.U8, Shape: []int{2}}}, nil},
		"more than the 100000000 that": {nil, map[string]string{"k": strings.Repeat("x", 100_000_000)}},
	} {
		if strings.Contains(want, "100000000") && testing.Short() {
			continue
		}
		err := model.WriteFile(t.Context(), path, c.tensors, c.metadata)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v, want one with %q and the path", err, want)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a refused model was written")
	}
}

func TestWriteFileStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := t.TempDir()
	tensors, metadata := contents(t)
	if err := model.WriteFile(ctx, filepath.Join(folder, "a.mercer"), tensors, metadata); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}
