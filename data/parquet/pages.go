package parquet

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"example.org/mercer/data"
)

// The decoder of parquet-go allocates what the header of a page declares, and decompresses all
// that a page holds. So headers are looked at before it sees them.

// What reading takes from the budget beside letters: a number or a text with its mark, a column,
// and a value of a page while it is decoded.
const (
	numberBytes = 11
	textBytes   = 22
	columnBytes = 1000
	valueBytes  = 16
)

// page is what is looked at in the header of a page.
type page struct {
	format.PageHeader
	at int64 // of what follows the header
}

// values returns how many values a page declares.
func (p *page) values() int64 {
	switch {
	case p.DataPageHeader.Valid:
		return int64(p.DataPageHeader.V.NumValues)
	case p.DataPageHeaderV2.Valid:
		return int64(p.DataPageHeaderV2.V.NumValues)
	case p.DictionaryPageHeader.Valid:
		return int64(p.DictionaryPageHeader.V.NumValues)
	}
	return 0
}

// bytes returns what decoding a page holds.
func (p *page) bytes() int64 {
	return int64(p.CompressedPageSize) + 2*int64(p.UncompressedPageSize) + valueBytes*p.values()
}

// weigh takes from the budget what decoding the largest dictionary and the largest page of a column
// holds, and returns it.
func (c *column) weigh(file *parquet.File, r io.ReaderAt) (bytes int64, err error) {
	var dictionary, largest int64
	groups := file.Metadata().RowGroups[c.groups.From:c.groups.To]
	for _, group := range groups {
		if c.index >= len(group.Columns) {
			return 0, damaged(c.source, errors.New("a group of rows lacks a column"))
		}
		err := eachPage(r, &group.Columns[c.index].MetaData, func(p *page) error {
			if p.DictionaryPageHeader.Valid {
				dictionary = max(dictionary, p.bytes())
			} else {
				largest = max(largest, p.bytes())
			}
			return c.budget.Fits(p.bytes(), c.source, 0)
		})
		if err != nil {
			return 0, c.refused(err)
		}
	}
	bytes = dictionary + largest
	if err := c.budget.Take(bytes, c.source, 0); err != nil {
		return 0, err
	}
	for _, group := range groups {
		chunk := &group.Columns[c.index].MetaData
		err := eachPage(r, chunk, func(p *page) error { return c.honest(r, chunk.Codec, p) })
		if err != nil {
			return 0, c.refused(err)
		}
	}
	return bytes, nil
}

// refused names the file in an error of the decoder.
func (c *column) refused(err error) error {
	var ours *data.Error
	if errors.As(err, &ours) {
		return err
	}
	return damaged(c.source, fmt.Errorf("column %d (%s): %w", c.index+1, c.name, err))
}

// eachPage calls use for every page of a chunk.
func eachPage(r io.ReaderAt, chunk *format.ColumnMetaData, use func(*page) error) error {
	at := firstPage(chunk)
	end := at + chunk.TotalCompressedSize
	if at < 0 || end < at {
		return fmt.Errorf("its pages lie between byte %d and %d", at, end)
	}
	var protocol thrift.CompactProtocol
	for at < end {
		in := &counted{r: io.NewSectionReader(r, at, end-at)}
		br := bufio.NewReaderSize(in, 256)
		p := page{}
		if err := thrift.NewDecoder(protocol.NewReader(br)).Decode(&p.PageHeader); err != nil {
			return fmt.Errorf("the header of a page: %w", err)
		}
		p.at = at + in.n - int64(br.Buffered())
		if p.CompressedPageSize < 0 || p.UncompressedPageSize < 0 || p.values() < 0 || int64(p.CompressedPageSize) > end-p.at {
			return fmt.Errorf("a page declares %d values in %d bytes, compressed to %d, of which %d are there", p.values(), p.UncompressedPageSize, p.CompressedPageSize, end-p.at)
		}
		if err := use(&p); err != nil {
			return err
		}
		at = p.at + int64(p.CompressedPageSize)
	}
	return nil
}

// firstPage is where the pages of a chunk begin.
func firstPage(chunk *format.ColumnMetaData) int64 {
	if chunk.DictionaryPageOffset != 0 {
		return chunk.DictionaryPageOffset
	}
	return chunk.DataPageOffset
}

// counted counts the bytes that are read.
type counted struct {
	r io.Reader
	n int64
}

// Read reads.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ratio is how many bytes one of a codec can become at most; 0: any.
var ratio = map[format.CompressionCodec]int64{format.Gzip: 1032, format.Zstd: 1 << 15}

// honest refuses a page that decompresses to more than it declares, where that could matter.
func (c *column) honest(r io.ReaderAt, codec format.CompressionCodec, p *page) error {
	left, ends := c.budget.Left()
	if most := ratio[codec]; !ends || most > 0 && int64(p.CompressedPageSize) < left/most {
		return nil
	}
	from, declared := p.at, int64(p.UncompressedPageSize)
	if v2 := p.DataPageHeaderV2; v2.Valid {
		levels := int64(v2.V.RepetitionLevelsByteLength) + int64(v2.V.DefinitionLevelsByteLength)
		if levels < 0 || levels > int64(p.CompressedPageSize) {
			return fmt.Errorf("a page of %d bytes declares levels of %d", p.CompressedPageSize, levels)
		}
		from += levels
	}
	in := io.NewSectionReader(r, from, p.at+int64(p.CompressedPageSize)-from)
	var out io.Reader
	switch codec {
	case format.Snappy:
		length, err := binary.ReadUvarint(bufio.NewReader(in))
		if err == nil && length > uint64(declared) {
			return fmt.Errorf("a page declares %d bytes and holds %d", declared, length)
		}
		return nil // what else is wrong the decoder finds
	case format.Gzip:
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil
		}
		out = z
	case format.Zstd:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(1<<20, uint64(left))))
		if err != nil {
			return nil
		}
		defer z.Close()
		out = z
	case format.Brotli:
		out = brotli.NewReader(in)
	default:
		return nil
	}
	if n, _ := io.CopyN(io.Discard, out, declared+1); n > declared {
		return fmt.Errorf("a page declares %d bytes and holds more", declared)
	}
	return nil
}
