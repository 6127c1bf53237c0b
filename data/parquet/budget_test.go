package parquet_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
	"example.org/mercer/data/parquet"
)

// A few bytes that stand for many rows, or for long texts, are refused by the budget, in memory and
// in blocks.
func TestBudget(t *testing.T) {
	type row struct {
		Number int64   `parquet:"number,dict"`
		Text   string  `parquet:"text,dict,zstd"`
		Long   []byte  `parquet:"long,gzip"`
		Raw    float64 `parquet:"raw,snappy"`
	}
	long := bytes.Repeat([]byte("x"), 1<<14)
	rows := make([]row, 2000)
	for i := range rows {
		rows[i] = row{1, "a", long, 2}
	}
	var file bytes.Buffer
	w := pq.NewGenericWriter[row](&file)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	in := func() *bytes.Reader { return bytes.NewReader(file.Bytes()) }
	if file.Len() > 1<<22 {
		t.Fatalf("the file has %d bytes", file.Len())
	}
	for _, budget := range []int64{1 << 10, 1 << 16, 4 << 20, 16 << 20} {
		_, err := parquet.Read(t.Context(), "a", in(), int64(file.Len()), data.NewBudget(budget))
		if !errors.Is(err, data.ErrBudget) || !strings.HasPrefix(err.Error(), "a: ") {
			t.Errorf("budget %d: %v", budget, err)
		}
	}
	if _, err := parquet.Read(t.Context(), "a", in(), int64(file.Len()), data.NewBudget(1<<30)); err != nil {
		t.Error(err)
	}
	height := func(int) int { return 64 }
	blocks := 0
	use := func(*data.Table) error { blocks++; return nil }
	if _, _, err := parquet.Blocks(t.Context(), "a", in(), int64(file.Len()), parquet.Groups{}, nil, height, data.NewBudget(1<<30), use); err != nil || blocks == 0 {
		t.Errorf("%d blocks, %v", blocks, err)
	}
	if _, _, err := parquet.Blocks(t.Context(), "a", in(), int64(file.Len()), parquet.Groups{}, nil, height, data.NewBudget(1<<16), use); !errors.Is(err, data.ErrBudget) {
		t.Errorf("in blocks: %v", err)
	}
}

// A page that decompresses to more than it declares is refused before it is decompressed as a
// whole.
func TestPagesThatLie(t *testing.T) {
	type row struct {
		A string `parquet:"a,zstd"`
		B string `parquet:"b,gzip"`
		C string `parquet:"c,snappy"`
		D string `parquet:"d,brotli"`
	}
	letters, state := make([]byte, 1<<16), uint32(1)
	for i := range letters {
		state = 1664525*state + 1013904223 // Numerical Recipes
		letters[i] = 'a' + byte(state>>28)
	}
	text := string(letters)
	var file bytes.Buffer
	w := pq.NewGenericWriter[row](&file)
	if _, err := w.Write([]row{{text, text, text, text}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// The size stands in the headers as a varint of zigzag: 2·size in groups of seven bits.
	refused := map[string]bool{}
	for size := 1 << 16; size < 1<<16+64; size++ {
		z := uint32(2 * size)
		varint := []byte{byte(z) | 0x80, byte(z>>7) | 0x80, byte(z >> 14)}
		for at := range file.Len() - len(varint) {
			if !bytes.Equal(file.Bytes()[at:at+3], varint) {
				continue
			}
			lying := bytes.Clone(file.Bytes())
			copy(lying[at:], []byte{0x90, 0x80, 0x00}) // 8, in as many bytes
			_, err := parquet.Read(t.Context(), "a", bytes.NewReader(lying), int64(len(lying)), data.NewBudget(2<<20))
			if err != nil && strings.Contains(err.Error(), "a page declares 8 bytes and holds") {
				_, column, _ := strings.Cut(err.Error(), "column ")
				refused[column[:1]] = true
			}
		}
	}
	if len(refused) != 4 {
		t.Errorf("the pages of columns %v that declare 8 bytes were refused for it, want all 4", refused)
	}
}
