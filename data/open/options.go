package open

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/data/png"
	"example.org/mercer/internal/progress"
)

// Format is a file format.
type Format string

const (
	// Auto finds the format from the first bytes and the name.
	Auto Format = ""
	// CSV is any table of text: comma, tab, semicolon, bar or blank separated.
	CSV Format = "csv"
	// LibSVM is the sparse format of LIBSVM and SVMlight.
	LibSVM Format = "libsvm"
	// NPY is an array of NumPy.
	NPY Format = "npy"
	// NPZ is an archive of such arrays.
	NPZ Format = "npz"
	// Parquet is Apache Parquet.
	Parquet Format = "parquet"
	// Idx is the array format of the MNIST digits.
	Idx Format = "idx"
	// GML is the Graph Modelling Language.
	GML Format = "gml"
	// GraphML is the XML format of graphs.
	GraphML Format = "graphml"
	// EdgeList is text with one edge a line.
	EdgeList Format = "edgelist"
	// GraphLines is graphs in JSON, one a line.
	GraphLines Format = "graphlines"
	// JSONLines is a table with one row a line, an object in JSON.
	JSONLines Format = "jsonl"
	// TUDataset is a folder of graphs.
	TUDataset Format = "tudataset"
	// FASTA is sequences with their names, in FASTA or FASTQ.
	FASTA Format = "fasta"
	// Arrow is a file or a stream of Apache Arrow, such as Feather.
	Arrow Format = "arrow"
	// XLSX is a workbook of Excel.
	XLSX Format = "xlsx"
	// ARFF is the attribute-relation format of Weka and OpenML.
	ARFF Format = "arff"
	// CIFAR is the binary format of the CIFAR images.
	CIFAR Format = "cifar"
	// PNG is a folder of images, or a text table that names some, as histograms of their colours.
	PNG Format = "png"
	// Pixels is a folder of images, or a text table that names some, as the numbers of their
	// pixels.
	Pixels Format = "pixels"
)

// formats are all of them but Auto.
var formats = []Format{CSV, LibSVM, NPY, NPZ, Parquet, Idx, GML, GraphML, EdgeList, GraphLines, JSONLines, TUDataset, FASTA, CIFAR, PNG, Pixels, Arrow, XLSX, ARFF}

// Formats returns the names ParseFormat accepts.
func Formats() []string {
	names := []string{"auto"}
	for _, f := range formats {
		names = append(names, string(f))
	}
	return names
}

// ParseFormat returns the format of a name in Formats; an empty name is Auto.
func ParseFormat(name string) (Format, error) {
	f := Format(strings.ToLower(name))
	if f == "auto" {
		f = Auto
	}
	if f == Auto || slices.Contains(formats, f) {
		return f, nil
	}
	return Auto, fmt.Errorf("format %q is not known: use one of %s", name, strings.Join(Formats(), ", "))
}

// Options say what a file does not. The zero value finds everything out. An option that
// does not concern the format has no effect, except Key, Sheet and Labels, which are then
// errors.
type Options struct {
	// Format is the format; Auto finds it.
	Format Format
	// Delimiter separates the cells of a text table, and makes a file of unknown
	// format one; see csv.Options. 0 finds it.
	Delimiter rune
	// Header says whether the first row of a text table holds names.
	Header csv.Header
	// Types forces the kind of columns, by name, in every format.
	Types map[string]data.Kind
	// Unused names columns that nobody wants: one of a text table that cannot be read is no error.
	Unused []string `json:"-"`
	// Missing lists the cells of a text table that mean "no value"; nil means
	// csv.DefaultMissing.
	Missing []string
	// Numbers says how the numbers of a text table are written.
	Numbers csv.Style `json:",omitzero"`
	// Skip is the number of lines in front of a text table, and makes a file of unknown format one.
	Skip int `json:",omitempty"`
	// Encoding is how text is written: a name in [Encodings]; "" is UTF-8, or what a byte order
	// mark says.
	Encoding string `json:",omitempty"`
	// LibSVM holds the options of the sparse format.
	LibSVM libsvm.Options
	// Directed says that the edges of an edge list have a direction.
	Directed bool
	// Key chooses one array of an .npz archive; empty joins all of them.
	Key string
	// Sheet chooses one sheet of a workbook; empty takes the first.
	Sheet string `json:",omitempty"`
	// Labels is the file with the labels of an idx file of images; empty looks beside it for
	// the name that belongs to it (idx.Companions), and does without where there is none.
	Labels string
	// Bins is the number of bins for each colour of images, Resize and Crop make them of one size;
	// see png.Options.
	Bins         int
	Resize, Crop png.Size `json:",omitzero"`
	// Grey makes one channel of the three of a colour image.
	Grey bool `json:",omitempty"`
	// Bag names a column whose value rows of one bag have in common: the table gets one row for
	// each bag, see bag.Group. Keep names columns that have one value in every bag.
	Bag  string
	Keep []string
	// Stdin is what the path "-" reads.
	Stdin io.Reader
	// Budget is how many bytes of memory reading may take, counted after decompression and with
	// what parsers hold; 0: any. An error of the kind [data.ErrBudget] says what it would take.
	Budget int64
	// SplitBytes is about the length of the splits into which a long text table or Parquet file is
	// divided where it is compiled; 0: 64 MiB.
	SplitBytes int64 `json:",omitempty"`
	// Progress, if not nil, is told how many bytes of a file have been read.
	Progress func(stage string, done, total int64) `json:"-"`

	read    *progress.Meter // of all files that are compiled together; nil: Progress is told of each
	account *data.Budget    // of all files that are read together
	dir     string          // in which relative paths begin; "": the working folder
	copy    string          // that is read in place of the file; "": the file is
	passes  bool            // blocks are used and forgotten: a source may be of any length
}

// csv are the options of a text table.
func (o Options) csv() csv.Options {
	return csv.Options{Delimiter: o.Delimiter, Header: o.Header, Types: o.Types, Unused: o.Unused, Missing: o.Missing, Numbers: o.Numbers, Skip: o.Skip, Budget: o.account}
}

// accounted returns options whose account is open.
func (o Options) accounted() Options {
	o.account = o.account.Within(o.Budget)
	if o.account != nil {
		o.LibSVM.Budget = o.account
	}
	return o
}
