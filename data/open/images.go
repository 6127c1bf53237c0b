package open

import (
	"context"
	"os"
	"path/filepath"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/png"
)

// images are the options of a reader of images.
func (o Options) images() png.Options {
	return png.Options{Pixels: o.Format == Pixels, Resize: o.Resize, Crop: o.Crop, Grey: o.Grey, Bins: o.Bins, Budget: o.account}
}

// readImages reads a folder of images.
func readImages(ctx context.Context, path string, o Options) (*data.Table, error) {
	if o.Key != "" || o.Labels != "" {
		return nil, &data.Error{Source: path, Reason: "is a folder of images, with its labels in itself and no arrays to choose from", Fix: "give no key and no file of labels"}
	}
	t, err := png.Read(ctx, path, o.images())
	if err != nil {
		return nil, err
	}
	return t, t.ConvertKinds(o.Types)
}

// readListedImages reads a table with a column of names of images, relative to its folder, and the
// images.
func readListedImages(ctx context.Context, path string, o Options) (*data.Table, error) {
	as := o
	as.Format = Auto
	list, err := read(ctx, path, as)
	if err != nil {
		return nil, err
	}
	if as.Header == csv.HeaderAuto && path != "-" && !png.Lists(list) { // names look like names of columns
		as.Header = csv.HeaderYes
		if list, err = read(ctx, path, as); err != nil {
			return nil, err
		}
	}
	folder := filepath.Dir(path)
	if path == "-" {
		folder = "."
	}
	return png.ReadListed(ctx, list, folder, o.images())
}

// isFolder reports whether a path is that of a folder. Other errors are those of who opens it.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
