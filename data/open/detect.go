package open

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/arrow"
	"example.org/mercer/data/idx"
)

// signatures are the first bytes of formats that are read.
var signatures = []struct {
	magic  string
	format Format
}{
	{"\x93NUMPY", NPY},
	{"PK\x03\x04", NPZ},
	{"PAR1", Parquet},
}

// unsupported are the first bytes of formats that are not, and what to do about them.
var unsupported = []struct{ magic, reason, fix string }{
	{"\x28\xb5\x2f\xfd", "is compressed with zstd", "decompress it, or use gzip"},
	{"BZh", "is compressed with bzip2", "decompress it, or use gzip"},
	{"\xfd7zXZ", "is compressed with xz", "decompress it, or use gzip"},
	{"\x89HDF", "is an HDF5 file", "save the table as CSV, Parquet or .npy"},
	{"\xd0\xcf\x11\xe0", "is an old Excel file", "save the sheet as CSV"},
	{"FEA1", "is a Feather file of version 1", "save the table as Feather of version 2, or as Parquet"},
	{"\x80\x04\x95", "is a Python pickle, which can run programs", "save the table as CSV, Parquet or .npy"},
	{"\x89PNG", "is a single image", "give the folder that holds it"},
	{"{", "looks like JSON", "save the table as CSV"},
	{"[{", "is one list in JSON", "write one object a line, without the brackets and commas of the list, or save the table as CSV"},
	{"[\n", "is one list in JSON", "write one object a line, without the brackets and commas of the list, or save the table as CSV"},
}

// extensions are the endings of names that leave no doubt.
var extensions = map[string]Format{
	".csv":     CSV,
	".tsv":     CSV,
	".libsvm":  LibSVM,
	".svm":     LibSVM,
	".npy":     NPY,
	".npz":     NPZ,
	".parquet": Parquet,
	".idx":     Idx,
	".arrow":   Arrow,
	".arrows":  Arrow,
	".feather": Arrow,
	".xlsx":    XLSX,
	".xlsm":    XLSX,
	".arff":    ARFF,
	".bin":     CIFAR,
	".gml":     GML,
	".graphml": GraphML,

	".edgelist": EdgeList,
	".edges":    EdgeList,

	".fa":    FASTA,
	".fasta": FASTA,
	".fas":   FASTA,
	".fna":   FASTA,
	".ffn":   FASTA,
	".faa":   FASTA,
	".fq":    FASTA,
	".fastq": FASTA,
}

// detect finds the format of a source: by its first bytes, by its name, and for other text
// by whether it begins like a file of sequences or its lines are pairs index:value.
func detect(name string, sample []byte) (Format, error) {
	if isWorkbook(name, sample) {
		return XLSX, nil
	}
	for _, s := range signatures {
		if bytes.HasPrefix(sample, []byte(s.magic)) {
			return s.format, nil
		}
	}
	if arrow.Is(sample) {
		return Arrow, nil
	}
	if idx.Is(sample) {
		return Idx, nil
	}
	plain := strings.TrimSuffix(strings.ToLower(name), ".gz")
	if f, ok := extensions[filepath.Ext(plain)]; ok {
		return f, nil
	}
	if graphLine.Match(sample) {
		return GraphLines, nil
	}
	if bytes.HasPrefix(bytes.TrimLeft(sample, "\ufeff \t\r\n"), []byte("{")) {
		return JSONLines, nil
	}
	for _, s := range unsupported {
		if bytes.HasPrefix(sample, []byte(s.magic)) {
			return Auto, &data.Error{Source: name, Reason: s.reason, Fix: s.fix + "; or name its format"}
		}
	}
	if records.Match(sample) {
		return FASTA, nil
	}
	if sparse(sample) {
		return LibSVM, nil
	}
	return CSV, nil
}

// isWorkbook tells workbooks from other archives: by the name, or by the part that comes first.
func isWorkbook(name string, sample []byte) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return bytes.HasPrefix(sample, []byte("PK\x03\x04")) && (ext == ".xlsx" || ext == ".xlsm" || bytes.Contains(sample, []byte("[Content_Types].xml")))
}

// graphLine is how a line of package jsonl begins.
var graphLine = regexp.MustCompile(`^\s*\{[^\n]*"nodes"\s*:`)

// records is how files of sequences begin: a name behind > and a line of letters alone, or a
// name behind @, a line of letters and one with + (multi-line FASTQ needs its name).
var records = regexp.MustCompile(`^\x{feff}?\s*(>[^\r\n]+[\r\n]+[A-Za-z*.?-]+\s*([\r\n]|$)|@[^\r\n]+\r?\n[A-Za-z*.?-]+\r?\n\+)`)

// gmlList is how the list of a graph begins in GML.
var gmlList = regexp.MustCompile(`(?m)(^|[\s\]])graph\s*\[`)

// detectGraph finds the format of a source that holds a graph.
func detectGraph(name string, sample []byte) (Format, error) {
	plain := strings.TrimSuffix(strings.ToLower(name), ".gz")
	for _, s := range signatures {
		if bytes.HasPrefix(sample, []byte(s.magic)) {
			return s.format, nil
		}
	}
	switch f := extensions[filepath.Ext(plain)]; {
	case f == GML || f == GraphML || f == EdgeList:
		return f, nil
	case bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(sample, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("<")):
		return GraphML, nil
	case gmlList.Match(sample):
		return GML, nil
	}
	for _, s := range unsupported {
		if bytes.HasPrefix(sample, []byte(s.magic)) {
			return Auto, &data.Error{Source: name, Reason: s.reason, Fix: "save the graph as GML, GraphML, or with one edge a line"}
		}
	}
	return EdgeList, nil
}

// sparseLines is the number of lines looked at for pairs.
const sparseLines = 50

// sparse reports whether nine tenths of the words after the first of each line are pairs
// index:value, so that a slip in one of them does not turn a sparse file into a table.
func sparse(sample []byte) bool {
	if i := bytes.LastIndexByte(sample, '\n'); len(sample) == sampleBytes && i > 0 {
		sample = sample[:i]
	}
	words, pairs := 0, 0
	for n, line := range bytes.Split(sample, []byte("\n")) {
		if n == sparseLines {
			break
		}
		line, _, _ = bytes.Cut(line, []byte("#"))
		fields := bytes.Fields(line)
		for _, word := range fields[min(1, len(fields)):] {
			words++
			if pair(word) {
				pairs++
			}
		}
	}
	return pairs > 0 && 10*pairs >= 9*words
}

// pair reports whether a word is digits, a colon and the beginning of a number.
func pair(word []byte) bool {
	index, value, ok := bytes.Cut(word, []byte(":"))
	if !ok || len(index) == 0 || len(value) == 0 {
		return false
	}
	for _, b := range index {
		if b < '0' || b > '9' {
			return string(index) == "qid"
		}
	}
	return bytes.IndexByte([]byte("+-.0123456789"), value[0]) >= 0 && bytes.IndexByte(value, ':') < 0
}
