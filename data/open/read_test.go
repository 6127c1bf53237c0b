package open_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	pq "github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/data/npy"
	"example.org/mercer/data/open"
)

const (
	commas = "a,b\n1,2\n3,4\n"
	blanks = " 1 2\n 3 4\n"
	pairs  = "1 1:3 2:4\n-1 \n-1 2:5\n"

	imageFile = "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x01\x02\x03\x04" // 1 2; 3 4
	labelFile = "\x00\x00\x08\x01\x00\x00\x00\x02\x09\x08"
)

// arrayFile returns the .npy file of the matrix 1 2; 3 4.
func arrayFile(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	w, err := npy.NewWriter(&b, 2, 2, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write([]float64{1, 2, 3, 4}), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archiveFile returns an .npz file of the matrix X = 1 2; 3 4 and the vector y = 5 6.
func archiveFile(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	a := npy.NewArchiveWriter(&b)
	x, err := a.Create("X", 2, 2, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(x.Write([]float64{1, 2, 3, 4}), x.Close()); err != nil {
		t.Fatal(err)
	}
	y, err := a.CreateVector("y", 2, npy.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(y.Write([]float64{5, 6}), y.Close(), a.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// parquetFile returns a Parquet file of the columns a and b.
func parquetFile(t testing.TB) string {
	t.Helper()
	type row struct {
		A int64   `parquet:"a"`
		B float64 `parquet:"b"`
	}
	var b bytes.Buffer
	if err := pq.Write(&b, []row{{1, 2}, {3, 4}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compress returns text compressed with gzip.
func compress(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// show prints names and numbers: "a=[1 3] b=[2 4]".
func show(t *data.Table) string {
	var cols []string
	for _, c := range t.Columns {
		if c.Kind == data.Numeric {
			cols = append(cols, fmt.Sprintf("%s=%v", c.Name, c.Numbers))
		} else {
			cols = append(cols, fmt.Sprintf("%s=%q", c.Name, c.Strings))
		}
	}
	return strings.Join(cols, " ")
}

// TestRead reads every format under every name it may have, plain and compressed, from a
// file, from a pipe and from standard input.
func TestRead(t *testing.T) {
	const (
		named  = "a=[1 3] b=[2 4]"
		plain  = "c1=[1 3] c2=[2 4]"
		sparse = "label=[1 -1 -1] f1=[3 0 0] f2=[4 0 5]"
		joined = "X1=[1 3] X2=[2 4] y=[5 6]"
	)
	for _, tc := range []struct {
		names      []string
		text, want string
		o          open.Options
	}{
		{names: []string{"t.csv", "t.CSV", "t.txt", "t.data", "t.dat", "t"}, text: commas, want: named},
		{names: []string{"t.tsv", "t.csv"}, text: strings.ReplaceAll(commas, ",", "\t"), want: named},
		{names: []string{"t.txt", "t.data", "t", "t.csv"}, text: blanks, want: plain},
		{names: []string{"t.libsvm", "t.svm", "heart_scale", "a9a.t", "t.txt", "t.data"}, text: pairs, want: sparse},
		{names: []string{"t.npy", "t", "t.csv"}, text: arrayFile(t), want: plain},
		{names: []string{"t.npz", "t", "t.csv"}, text: archiveFile(t), want: joined},
		{names: []string{"t.npz"}, text: archiveFile(t), want: "y=[5 6]", o: open.Options{Key: "y"}},
		{names: []string{"t.parquet", "t", "t.csv"}, text: parquetFile(t), want: named},
		{names: []string{"t.idx", "t", "images-idx3-ubyte", "t.csv"}, text: imageFile, want: "p1=[1 3] p2=[2 4]"},
		{names: []string{"t.csv"}, text: pairs, want: sparse, o: open.Options{Format: open.LibSVM}},
		{names: []string{"t.svm", "t.txt"}, text: commas, want: named, o: open.Options{Format: open.CSV}},
		{names: []string{"t.txt"}, text: commas, want: "c1=[\"a\" \"1\" \"3\"] c2=[\"b\" \"2\" \"4\"]", o: open.Options{Header: csv.HeaderNo}},
		{names: []string{"t"}, text: "a:1:2\n3:1:4\n", want: "a=[3] 1=[1] 2=[4]", o: open.Options{Delimiter: ':', Header: csv.HeaderYes}},
		{names: []string{"t"}, text: pairs, want: "label=[\"1\" \"-1\" \"-1\"] f1=[3 0 0] f2=[4 0 5] f3=[0 0 0]", o: open.Options{LibSVM: libsvm.Options{Dim: 3}, Types: map[string]data.Kind{"label": data.Categorical}}},
		{names: []string{"t"}, text: commas, want: "a=[\"1\" \"3\"] b=[2 4]", o: open.Options{Types: map[string]data.Kind{"a": data.Text}}},
		{names: []string{"t"}, text: "a,b\n1,x\n2,-\n", want: "a=[1 2] b=[\"x\" \"\"]", o: open.Options{Missing: []string{"-"}}},
	} {
		for _, name := range tc.names {
			for _, text := range []string{tc.text, compress(t, tc.text)} {
				path := filepath.Join(t.TempDir(), name)
				if text != tc.text && strings.HasSuffix(name, "t") {
					path += ".gz" // compressed files are known by their first bytes, too
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				got, err := open.Read(t.Context(), path, tc.o)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if s := show(got); s != tc.want || got.Source != path {
					t.Errorf("%s: %s from %s, want %s", path, s, got.Source, tc.want)
				}
			}
		}
		if strings.HasPrefix(tc.names[0], "t.csv") || strings.HasPrefix(tc.names[0], "t.svm") && tc.o.Format == open.Auto {
			continue // standard input has no name to tell the format
		}
		for _, text := range []string{tc.text, compress(t, tc.text)} {
			o := tc.o
			o.Stdin = iotest.HalfReader(strings.NewReader(text))
			got, err := open.Read(t.Context(), "-", o)
			if err != nil || show(got) != tc.want || got.Source != "standard input" {
				t.Errorf("standard input for %s: %v, %v", tc.names[0], got, err)
			}
		}
	}
}

// TestLabels joins images with the labels that lie beside them, or that are named.
func TestLabels(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"train-images-idx3-ubyte.gz": compress(t, imageFile), "train-labels-idx1-ubyte": labelFile,
		"images": imageFile, "other.idx": compress(t, labelFile), "t.csv": commas,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const joined, alone = "label=[9 8] p1=[1 3] p2=[2 4]", "p1=[1 3] p2=[2 4]"
	for _, tc := range []struct{ name, labels, want string }{
		{"train-images-idx3-ubyte.gz", "", joined}, {"images", "", alone}, {"images", "other.idx", joined}, {"other.idx", "", "label=[9 8]"},
		{"images", "t.csv", "t.csv: begins with the bytes 0x612c620a and not with two zeros: it is no idx file; write or copy it again"},
		{"images", "nowhere", "nowhere: cannot be opened: no such file or directory"},
		{"t.csv", "other.idx", "t.csv: has its labels in itself: it is read as csv; give a file of labels only for images in the idx format"},
	} {
		o := open.Options{}
		if tc.labels != "" {
			o.Labels = filepath.Join(dir, tc.labels)
		}
		got, err := open.Read(t.Context(), filepath.Join(dir, tc.name), o)
		if err != nil {
			if text := strings.ReplaceAll(err.Error(), dir+"/", ""); text != tc.want {
				t.Errorf("%s with %q: %s, want %s", tc.name, tc.labels, text, tc.want)
			}
			continue
		}
		if s := show(got); s != tc.want || (got.Target == "label") != (tc.want == joined) {
			t.Errorf("%s with %q: %s, target %q, want %s", tc.name, tc.labels, s, got.Target, tc.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	for _, tc := range []struct {
		name, text, want string
		o                open.Options
	}{
		{name: "empty.csv", text: "", want: "FILE: is empty; give a file with at least one row"},
		{name: "empty.npy", text: "", want: "FILE: ends before its header: the file is too short; write the array again with numpy.save"},
		{name: "empty.parquet", text: "", want: "FILE: is no Parquet file, or damaged: 0 bytes are too few; write or copy it again"},
		{name: "empty.gz", text: compress(t, ""), want: "FILE: is empty; give a file with at least one row"},
		{name: "false.npy", text: commas, want: "FILE: does not begin with \"\\x93NUMPY\": it is no .npy file; write the array again with numpy.save"},
		{name: "zero.svm", text: "1 0:1\n", want: "FILE: line 1: \"0:1\" has index 0, but indices count from 1; say that its first feature is 0 (--zero-based)"},
		{name: "slip", text: "1 1:1 2:1 3:1\n1 1:1 2:1 3:1\n1 1:1 2:1 3:1\n1 1:1 2:1 x:1\n", want: "FILE: line 4: \"x:1\" has an index that is not a whole number; write index:value"},
		{name: "t.zst", text: "\x28\xb5\x2f\xfd....", want: "FILE: is compressed with zstd; decompress it, or use gzip; or name its format"},
		{name: "t.h5", text: "\x89HDF\r\n", want: "FILE: is an HDF5 file; save the table as CSV, Parquet or .npy; or name its format"},
		{name: "t.xlsx", text: "PK\x03\x04....", want: "FILE: is no workbook of Excel, or damaged, encrypted or larger than the memory allowed: zip: not a valid zip file; save it again, without a password, or save the sheet as CSV"},
		{name: "head.gz", text: "\x1f\x8b\x07", want: "FILE: cannot be decompressed: the gzip stream was cut; write or copy it again"},
		{name: "key.csv", text: commas, want: "FILE: has no arrays to choose \"X\" from: it is read as csv; give a key only for .npz archives", o: open.Options{Key: "X"}},
		{name: "type.npy", text: arrayFile(t), want: "FILE: has no column \"c3\"; did you mean \"c1\" or \"c2\"? its 2 columns are #1 c1, #2 c2", o: open.Options{Types: map[string]data.Kind{"c3": data.Text}}},
		{name: "format.csv", text: commas, want: "format \"excel\" is not known: use one of auto, csv, libsvm, npy, npz, parquet, idx, gml, graphml, edgelist, graphlines, jsonl, tudataset, fasta, cifar, png, pixels, arrow, xlsx, arff", o: open.Options{Format: "excel"}},
	} {
		path := filepath.Join(dir, tc.name)
		if err := os.WriteFile(path, []byte(tc.text), 0o644); err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(tc.want, "FILE", path, 1)
		if _, err := open.Read(t.Context(), path, tc.o); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", tc.name, err, want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	check := func(path string, o open.Options, want string, cause error) {
		t.Helper()
		_, err := open.Read(t.Context(), path, o)
		if err == nil || err.Error() != want || cause != nil && !errors.Is(err, cause) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	absent := filepath.Join(dir, "absent.csv")
	check(absent, open.Options{}, absent+": cannot be opened: no such file or directory", fs.ErrNotExist)
	check(dir, open.Options{}, dir+": is a directory; give a file in it, or a folder of graphs in the TUDataset format, with a file NAME_A.txt, or one of PNG images, or of folders of them", nil)
	check("", open.Options{}, "the name of the file is empty; give a file, or - for standard input", nil)
	check("-", open.Options{}, "standard input: is not available here; give the name of a file", nil)

	broken := errors.New("the line went dead")
	check("-", open.Options{Stdin: iotest.ErrReader(broken)}, "standard input: cannot be read: the line went dead", broken)
	check("-", open.Options{Format: open.NPZ, Stdin: iotest.ErrReader(broken)}, "standard input: cannot be read: the line went dead", broken)

	secret := filepath.Join(dir, "secret.csv")
	if err := os.WriteFile(secret, []byte(commas), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(secret); err == nil {
		f.Close() // a superuser may read everything
		return
	}
	check(secret, open.Options{}, secret+": cannot be opened: permission denied", fs.ErrPermission)
}

// TestCut cuts one file of every format at every byte. Binary and compressed files must
// then be errors; text may be a shorter table.
func TestCut(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		binary     bool
	}{
		{"t.csv", commas, false},
		{"t.txt", blanks, false},
		{"t.svm", pairs, false},
		{"t.npy", arrayFile(t), true},
		{"t.npz", archiveFile(t), true},
		{"t.parquet", parquetFile(t), true},
		{"t.csv.gz", compress(t, commas), true},
		{"t.svm.gz", compress(t, pairs), true},
		{"t.npy.gz", compress(t, arrayFile(t)), true},
		{"t.npz.gz", compress(t, archiveFile(t)), true},
		{"t.parquet.gz", compress(t, parquetFile(t)), true},
	} {
		path := filepath.Join(t.TempDir(), tc.name)
		for n := range len(tc.text) {
			if err := os.WriteFile(path, []byte(tc.text[:n]), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := open.Read(t.Context(), path, open.Options{})
			if err == nil && (tc.binary || n == 0) {
				t.Errorf("%s: %d of %d bytes: no error", tc.name, n, len(tc.text))
			}
			if err != nil && !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%s: %d of %d bytes: %v does not name the file", tc.name, n, len(tc.text), err)
			}
		}
	}
}

// TestDamagedGzip flips a bit in the checksum.
func TestDamagedGzip(t *testing.T) {
	text := []byte(compress(t, commas))
	text[len(text)-6] ^= 1
	_, err := open.Read(t.Context(), "-", open.Options{Stdin: bytes.NewReader(text)})
	want := "standard input: cannot be read: the gzip stream is damaged: its checksum is wrong"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// readerFunc is a reader that is a function.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestCancel reads from a source that never ends, as a pipe may be.
func TestCancel(t *testing.T) {
	for _, format := range []open.Format{open.CSV, open.LibSVM, open.NPZ, open.Parquet} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("enough")
		var read int
		r := readerFunc(func(p []byte) (int, error) {
			if read++; read == 20 {
				cancel(stop)
			}
			return copy(p, "1 2:3\n"), nil
		})
		_, err := open.Read(ctx, "-", open.Options{Format: format, Stdin: r})
		if !errors.Is(err, stop) || read > 40 {
			t.Errorf("%s: %v after %d reads", format, err, read)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, name := range open.Formats() {
		f, err := open.ParseFormat(strings.ToUpper(name))
		if err != nil || name != "auto" && string(f) != name || name == "auto" && f != open.Auto {
			t.Errorf("%s is %q, %v", name, f, err)
		}
	}
	if _, err := open.ParseFormat("xls"); err == nil {
		t.Error("xls is a format")
	}
}

// FuzzRead wants a table or an error that names the source, in every format.
func FuzzRead(f *testing.F) {
	for _, text := range []string{commas, blanks, pairs, arrayFile(f), archiveFile(f), parquetFile(f)} {
		f.Add(text, "")
		f.Add(compress(f, text), "")
		f.Add(text, "csv")
		f.Add(text, "libsvm")
	}
	f.Fuzz(func(t *testing.T, text, format string) {
		parsed, err := open.ParseFormat(format)
		if err != nil {
			return
		}
		got, err := open.Read(t.Context(), "-", open.Options{Format: parsed, Stdin: strings.NewReader(text)})
		if err == nil && got.Rows() == 0 {
			t.Fatal("a table without rows and no error")
		}
		if err != nil && !strings.HasPrefix(err.Error(), "standard input") {
			t.Fatalf("error %v does not name the source", err)
		}
	})
}

// FuzzCompressed wants of a compressed table that it is the table, and of one that is cut that it
// is an error.
func FuzzCompressed(f *testing.F) {
	for _, text := range []string{commas, blanks, pairs, arrayFile(f), "", "a,b\n1,2\n\x1f\x8b", "{\"a\":1}\n", ">a\nACGT\n"} {
		f.Add(text, uint16(20))
		f.Add(text+text, uint16(len(text)))
	}
	read := func(t *testing.T, text string) (*data.Table, error) {
		return open.Read(t.Context(), "-", open.Options{Stdin: strings.NewReader(text)})
	}
	f.Fuzz(func(t *testing.T, text string, at uint16) {
		if strings.HasPrefix(text, "\x1f\x8b") {
			return // compressed itself
		}
		packed := compress(t, text)
		plain, err := read(t, text)
		got, err2 := read(t, packed)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%v, and compressed %v", err, err2)
		}
		if err == nil && show(plain) != show(got) {
			t.Fatalf("%s, and compressed %s", show(plain), show(got))
		}
		if _, err := read(t, packed[:int(at)%len(packed)]); err == nil {
			t.Fatalf("a file that is cut after %d of %d bytes is a table", int(at)%len(packed), len(packed))
		}
	})
}
