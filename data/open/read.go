package open

import (
	"context"
	"os"

	"example.org/mercer/data"
	"example.org/mercer/data/arff"
	"example.org/mercer/data/arrow"
	"example.org/mercer/data/bag"
	"example.org/mercer/data/cifar"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/fasta"
	graphlines "example.org/mercer/data/graph/jsonl"
	"example.org/mercer/data/graph/tudataset"
	"example.org/mercer/data/idx"
	"example.org/mercer/data/jsonl"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/data/npy"
	"example.org/mercer/data/parquet"
	"example.org/mercer/data/png"
	"example.org/mercer/data/xlsx"
)

// Read reads the table in a file, or in o.Stdin for the path "-", whatever its format.
// Errors in the file are *data.Error and name it. Files and standard input may be
// compressed with gzip. Parquet, Arrow and .npz need random access: where they are compressed or
// come through a pipe they are first held in memory as a whole.
//
// An address, http://… or https://…, is copied to a temporary file first; behind it may stand
// #sha256= and the digest that it must have.
//
// A list such as "bound=peaks.fa,free=background.fa" is the rows of all its files, with a column
// [ClassColumn] that holds the label of the file and is the target. So is a folder whose own
// folders hold PNG images or files of graphs: their names are the labels. A folder of files of
// graphs (.gml, .graphml, .edgelist) has a row for each.
func Read(ctx context.Context, path string, o Options) (*data.Table, error) {
	o = o.accounted()
	t, err := read(ctx, path, o)
	if err != nil || o.Bag == "" {
		return t, err
	}
	return bag.Group(t, o.Bag, o.Keep...)
}

func read(ctx context.Context, path string, o Options) (*data.Table, error) {
	if _, err := ParseFormat(string(o.Format)); err != nil {
		return nil, err
	}
	list, err := classesOf(path, o)
	if err != nil {
		return nil, err
	}
	if list != nil {
		return readClasses(ctx, path, list, o)
	}
	if o.Format == TUDataset || o.Format == Auto && tudataset.Is(path) {
		return readFolder(ctx, path, o)
	}
	if images := o.Format == PNG || o.Format == Pixels; images && !isFolder(path) {
		return readListedImages(ctx, path, o)
	} else if images || o.Format == Auto && png.Is(path) {
		return readImages(ctx, path, o)
	}
	if names := graphFiles(path); len(names) > 0 {
		return readGraphs(ctx, path, names, o)
	}
	s, err := openSource(ctx, path, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	format := o.Format
	if format == Auto {
		if format, err = s.detect(o); err != nil {
			return nil, err
		}
	}
	if o.Key != "" && format != NPZ {
		return nil, &data.Error{Source: s.name, Reason: "has no arrays to choose " + data.Quote(o.Key) + " from: it is read as " + string(format), Fix: "give a key only for .npz archives"}
	}
	if o.Sheet != "" && format != XLSX {
		return nil, &data.Error{Source: s.name, Reason: "has no sheets to choose " + data.Quote(o.Sheet) + " from: it is read as " + string(format), Fix: "name a sheet only for workbooks of Excel"}
	}
	if o.Labels != "" && format != Idx {
		return nil, &data.Error{Source: s.name, Reason: "has its labels in itself: it is read as " + string(format), Fix: "give a file of labels only for images in the idx format"}
	}
	t, err := s.read(ctx, format, o)
	if err != nil {
		return nil, err
	}
	if format == Idx {
		if err := join(ctx, path, t, o); err != nil {
			return nil, err
		}
	}
	if format != CSV && format != XLSX { // which forces types as it reads, before digits are lost
		if err := t.ConvertKinds(o.Types); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// detect finds the format from the first bytes and the name.
func (s *source) detect(o Options) (Format, error) {
	sample, err := s.sample()
	if err != nil {
		return Auto, err
	}
	if o.Delimiter != 0 || o.Skip != 0 || o.Numbers != (csv.Style{}) {
		return CSV, nil
	}
	return detect(s.name, sample)
}

// read passes the source on to the reader of a format.
func (s *source) read(ctx context.Context, format Format, o Options) (*data.Table, error) {
	switch format {
	case LibSVM:
		f, err := libsvm.Read(ctx, s.name, s.br, o.LibSVM)
		if err != nil {
			return nil, err
		}
		return f.Table(ctx)
	case Idx:
		return idx.Read(ctx, s.name, s.br, o.account)
	case ARFF:
		return arff.Read(ctx, s.name, s.br, o.account)
	case Arrow:
		r, size, err := s.random(o.account)
		if err != nil {
			return nil, err
		}
		return arrow.Read(ctx, s.name, r, size, o.account)
	case XLSX:
		return xlsx.Read(ctx, s.name, s.br, o.Sheet, o.csv())
	case CIFAR:
		return cifar.Read(ctx, s.name, s.br, o.account)
	case FASTA:
		return fasta.Read(ctx, s.name, s.br, o.account)
	case NPY:
		return npy.Read(ctx, s.name, s.sequential(), o.account)
	case NPZ:
		r, size, err := s.random(o.account)
		if err != nil {
			return nil, err
		}
		a, err := npy.OpenArchive(s.name, r, size, o.account)
		if err != nil {
			return nil, err
		}
		if o.Key != "" {
			return a.Table(ctx, o.Key)
		}
		return a.Table(ctx)
	case Parquet:
		r, size, err := s.random(o.account)
		if err != nil {
			return nil, err
		}
		return parquet.Read(ctx, s.name, r, size, o.account)
	case GraphLines:
		return graphlines.Read(ctx, s.name, s.br, o.account)
	case JSONLines:
		return jsonl.Read(ctx, s.name, s.br, o.account)
	case GML, GraphML, EdgeList:
		g, err := s.graph(ctx, format, o)
		if err != nil {
			return nil, err
		}
		return g.Table(), nil
	}
	return csv.Read(ctx, s.name, s.br, o.csv())
}

// readFolder reads a folder of graphs.
func readFolder(ctx context.Context, path string, o Options) (*data.Table, error) {
	if o.Key != "" || o.Labels != "" {
		return nil, &data.Error{Source: path, Reason: "is a folder of graphs, with its labels in itself and no arrays to choose from", Fix: "give no key and no file of labels"}
	}
	t, err := tudataset.Read(ctx, path, o.account)
	if err != nil {
		return nil, err
	}
	return t, t.ConvertKinds(o.Types)
}

// join adds the labels of images, from the file that is named or the one that lies beside
// them.
func join(ctx context.Context, path string, images *data.Table, o Options) error {
	from := o.Labels
	if from == "" && path != "-" {
		for _, name := range idx.Companions(path) {
			if _, err := os.Stat(name); err == nil {
				from = name
				break
			}
		}
	}
	if from == "" {
		return nil
	}
	s, err := openSource(ctx, from, o)
	if err != nil {
		return err
	}
	defer s.close()
	labels, err := idx.Read(ctx, s.name, s.br, o.account)
	if err != nil {
		return err
	}
	return idx.Join(images, labels)
}
