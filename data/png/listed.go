package png

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.org/mercer/data"
)

// ReadListed returns the table of a list of images: the columns of the list, of which the one that
// names files is the id, and the shares or the pixels of [Read]. Names are relative to a folder.
// Errors name the image and the line of the list.
func ReadListed(ctx context.Context, list *data.Table, folder string, o Options) (*data.Table, error) {
	at := slices.IndexFunc(list.Columns, namesImages)
	if at < 0 {
		return nil, &data.Error{Source: list.Source, Reason: "has no column of which every cell names an image", Fix: "give a folder of images, or a table with a column of files that end in " + strings.Join(endings, ", ")}
	}
	r, err := newReading(ctx, folder, o)
	if err != nil {
		return nil, err
	}
	r.found.images = list.Columns[at].Strings
	if err := r.begin(); err != nil {
		return nil, r.listed(err, list, at)
	}
	for _, name := range r.found.images {
		if err := r.image(name); err != nil {
			return nil, r.listed(err, list, at)
		}
	}
	out := *list
	out.ID = list.Columns[at].Name
	out.Columns = slices.Concat(list.Columns, r.columns())
	return &out, nil
}

// Lists reports whether a table has a column that names images, as [ReadListed] wants.
func Lists(list *data.Table) bool { return slices.ContainsFunc(list.Columns, namesImages) }

// namesImages reports whether a column holds names of images.
func namesImages(c data.Column) bool {
	return c.Kind != data.Numeric && len(c.Strings) > 0 && c.Missing == nil && !slices.ContainsFunc(c.Strings, func(cell string) bool {
		return !slices.Contains(endings, strings.ToLower(filepath.Ext(cell)))
	})
}

// listed adds the place in the list to an error about an image.
func (r *reading) listed(err error, list *data.Table, column int) error {
	var e *data.Error
	if !errors.As(err, &e) {
		return err
	}
	row := slices.IndexFunc(r.found.images, func(name string) bool { return r.path(name) == e.Source })
	if row < 0 {
		return err
	}
	at := *e
	at.Reason += fmt.Sprintf(" (%s)", list.Where(row, column))
	return &at
}
