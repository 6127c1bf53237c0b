package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
)

// Groups are groups of rows of a file, from one up to another. The zero value is all of them.
type Groups struct{ From, To int }

// Group says where a group of rows lies in a file: between two bytes.
type Group struct{ From, To int64 }

// Layout says where the groups of rows of a file lie, and where its footer does. Who reads a group
// also reads the footer, and the first four bytes of the file.
func Layout(name string, r io.ReaderAt, size int64) (groups []Group, footer Group, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged(name, fmt.Errorf("%v", p))
		}
	}()
	file, err := openFile(name, r, size)
	if err != nil {
		return nil, Group{}, err
	}
	end := int64(4) // the magic number
	for _, g := range file.Metadata().RowGroups {
		lies := Group{From: size}
		for i := range g.Columns {
			chunk := &g.Columns[i].MetaData
			from := firstPage(chunk)
			lies.From, lies.To = min(lies.From, from), max(lies.To, from+chunk.TotalCompressedSize)
		}
		if lies.From < 0 || lies.To < lies.From || lies.To > size {
			return nil, Group{}, damaged(name, fmt.Errorf("a group of rows lies between byte %d and %d", lies.From, lies.To))
		}
		groups, end = append(groups, lies), max(end, lies.To)
	}
	return groups, Group{From: end, To: size}, nil
}

// of returns the groups, and the numbers of their first row and of the row behind their last.
func (g Groups) of(name string, file *parquet.File) (all Groups, before, end int64, err error) {
	groups := file.RowGroups()
	if g == (Groups{}) {
		g.To = len(groups)
	}
	if g.From < 0 || g.From > g.To || g.To > len(groups) {
		return g, 0, 0, &data.Error{Source: name, Reason: fmt.Sprintf("has %d groups of rows, and %d to %d are to be read", len(groups), g.From+1, g.To), Fix: "read it again from its beginning"}
	}
	for i, group := range groups[:g.To] {
		if i < g.From {
			before += group.NumRows()
		}
		end += group.NumRows()
	}
	return g, before, end, nil
}
