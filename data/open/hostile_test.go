package open_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"example.org/mercer/data"
	"example.org/mercer/data/npy"
	"example.org/mercer/data/open"

	"example.org/mercer/internal/testkit"
)

// valid returns small valid files of every format that is read.
func valid(t testing.TB) map[string][]byte {
	t.Helper()
	var array, archive, table, picture bytes.Buffer
	w, err := npy.NewWriter(&array, 2, 3, npy.Float64)
	if err == nil {
		err = errors.Join(w.Write([]float64{1, 2, 3}), w.Write([]float64{4, 5, 6}), w.Close())
	}
	z := npy.NewArchiveWriter(&archive)
	in, err2 := z.Create("X", 2, 1, npy.Float64)
	if err2 == nil {
		err2 = errors.Join(in.Write([]float64{1}), in.Write([]float64{2}), in.Close(), z.Close())
	}
	type home struct {
		Rooms int64   `parquet:"rooms,dict"`
		Kind  string  `parquet:"kind,dict,zstd"`
		Price float64 `parquet:"price,snappy"`
		Size  *int32  `parquet:"size,optional,gzip"`
	}
	size := int32(7)
	p := parquet.NewGenericWriter[home](&table)
	_, err3 := p.Write([]home{{3, "flat", 1.5, &size}, {4, "house", 2.5, nil}})
	if err := errors.Join(err, err2, err3, p.Close(), png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4)))); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"a.csv":     []byte("name,size,kind\nann,1.5,\"x, y\"\nbob,2.5,z\ncid,-1e3,x\n"),
		"b.tsv":     []byte("a\tb\n1\t\"q\"\n2\tr\n"),
		"c.txt":     []byte("# remark\n1 2 3\n4 5 6\n"),
		"d.libsvm":  []byte("+1 qid:1 1:0.5 3:-2 # c\n-1 2:1e-3\n"),
		"e.npy":     array.Bytes(),
		"f.npz":     archive.Bytes(),
		"g.parquet": table.Bytes(),
		"h.idx":     []byte("\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03abcdef"),
		"i.fa":      []byte(">a first\nACGT\nAC\n>b\nTT\n"),
		"j.fq":      []byte("@a x\nACGT\n+\nIIII\n"),
		"k.jsonl":   []byte("{\"a\":1,\"b\":[1,{\"c\":2}]}\n{\"a\":2.5,\"b\":null}\n"),
		"l.txt":     []byte("{\"id\":\"x\",\"nodes\":2,\"edges\":[[0,1]],\"node\":{\"label\":[\"a\",\"b\"]}}\n{\"nodes\":1,\"edges\":[]}\n"),
		"m.gml":     []byte("graph [ directed 0 node [ id 1 x 2 l \"a\" g [ w 3 ] ] node [ id 2 ] edge [ source 1 target 2 weight 0.5 ] ]"),
		"n.graphml": []byte(`<graphml><key id="f" for="node" attr.name="c" attr.type="int"/><graph edgedefault="undirected"><node id="1"><data key="f">0</data></node><node id="2"/><edge source="1" target="2"/></graph></graphml>`),
		"o.edges":   []byte("source target weight\n1 2 0.5\n2 3 1\n"),
		"p/a.png":   picture.Bytes(), "p/b.png": picture.Bytes(), "p/labels.txt": []byte("u\nv\n"),
		"q/D_A.txt": []byte("1, 2\n2, 1\n"), "q/D_graph_indicator.txt": []byte("1\n1\n2\n"), "q/D_graph_labels.txt": []byte("1\n-1\n"), "q/D_node_labels.txt": []byte("a\nb\nc\n"),
	}
}

// mutations are what a file suffers; every one is made at a place of the file.
var mutations = []struct {
	name string
	make func(file []byte, at int) []byte
}{
	{"cut", func(f []byte, at int) []byte { return f[:at] }},
	{"byte 255", func(f []byte, at int) []byte { return with(f, at, 0xff) }},
	{"byte 127", func(f []byte, at int) []byte { return with(f, at, 0x7f) }},
	{"byte 0", func(f []byte, at int) []byte { return with(f, at, 0) }},
	{"bit 7", func(f []byte, at int) []byte { return with(f, at, f[at]^0x80) }},
	{"digits", func(f []byte, at int) []byte { return insert(f, at, "99999999999999999999") }},
	{"opening", func(f []byte, at int) []byte { return insert(f, at, strings.Repeat("[", 20_000)) }},
	{"tags", func(f []byte, at int) []byte { return insert(f, at, strings.Repeat("<a>", 20_000)) }},
	{"quote", func(f []byte, at int) []byte { return insert(f, at, "\"") }},
	{"separators", func(f []byte, at int) []byte { return insert(f, at, strings.Repeat(",;\t", 20_000)) }},
	{"lines", func(f []byte, at int) []byte { return insert(f, at, strings.Repeat("\n", 60_000)) }},
	{"letters", func(f []byte, at int) []byte { return insert(f, at, strings.Repeat("x", 60_000)) }},
	{"twice", func(f []byte, at int) []byte { return append(f[:at:at], f...) }},
	{"compressed and cut", func(f []byte, at int) []byte {
		c := compressed(f)
		return c[:at*len(c)/len(f)]
	}},
}

func with(f []byte, at int, c byte) []byte {
	out := bytes.Clone(f)
	out[at] = c
	return out
}

func insert(f []byte, at int, text string) []byte {
	return append(append(f[:at:at], text...), f[at:]...)
}

func compressed(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// Every format with every mutation, at every place of a file (a sample of them, unless MERCER_LARGE
// is set), is a table or an error that names the file and is short.
func TestHostileFiles(t *testing.T) {
	step := 23 // of the places; prime, so that it meets all offsets of numbers
	if os.Getenv("MERCER_LARGE") != "" {
		step = 1
	}
	dir := t.TempDir()
	files := valid(t)
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		source := path
		if folder := filepath.Dir(name); folder != "." {
			source = filepath.Join(dir, folder)
		}
		for _, m := range mutations {
			for at := len(name) % step; at < len(content); at += step {
				write(t, path, m.make(content, at))
				if err := readable(t.Context(), source); err != nil {
					t.Errorf("%s, %s at byte %d: %v", name, m.name, at, err)
				}
			}
		}
		write(t, path, content)
	}
}

// readable returns an error unless a file is a table or a graph, or refused as it ought to be.
func readable(ctx context.Context, path string) error {
	const budget = 32 << 20
	_, whole := open.Read(ctx, path, open.Options{Budget: budget})
	_, g := open.Graph(ctx, path, open.Options{Budget: budget})
	for _, err := range []error{whole, g} {
		var e *data.Error
		switch {
		case err == nil:
		case !errors.As(err, &e) || e.Source == "":
			return fmt.Errorf("the error names no file: %w", err)
		case len(err.Error()) > 3000:
			return fmt.Errorf("the error has %d bytes: %.200s", len(err.Error()), err)
		}
	}
	return nil
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// bomb returns a gzip file of a beginning and of one that is repeated until it has so many bytes: a
// file may have many members, each of which is compressed once.
func bomb(beginning, repeated string, bytes int) []byte {
	const member = 1 << 20
	unit := compressed([]byte(strings.Repeat(repeated, max(1, member/len(repeated)))))
	out := compressed([]byte(beginning))
	for range bytes / member {
		out = append(out, unit...)
	}
	return out
}

// A compressed file of a few bytes takes no more memory than its budget, whatever it becomes.
func TestBombs(t *testing.T) {
	testkit.SkipUnderRace(t)
	const budget, size = 4 << 20, 256 << 20
	for name, of := range map[string][2]string{
		"rows.csv": {"a,b\n", "1,2\n"}, "lines.csv": {"a,b\n1,2\n", "\n"}, "commas.csv": {"a,b\n", ","}, "blanks.csv": {"a,b\n1,2\n", " "}, "words.csv": {"a,b\n", "hello world,some words\n"},
		"rows.libsvm": {"", "1 1:1\n"}, "remarks.libsvm": {"1 1:1\n", "# hello\n"}, "blanks.libsvm": {"1 1:1\n", "\n"}, "line.libsvm": {"1 1:1 # ", "x"},
		"rows.jsonl": {"", "{\"a\":1}\n"}, "list.jsonl": {"{\"a\":[", "1,"}, "deep.jsonl": {"{\"a\":", "["},
		"one.fa": {">a\n", "ACGTACG\n"}, "many.fa": {"", ">a\nAC\n"}, "many.fq": {"", "@a\nAC\n+\nII\n"},
		"graphs.txt": {"", "{\"nodes\":1000000,\"edges\":[]}\n"}, "edges.txt": {"{\"nodes\":2,\"edges\":[", "[0,1],"},
		"a.edges": {"", "1 2\n"}, "a.gml": {"graph [ ", "node [ id 1 ] "}, "b.gml": {"graph [ ", "#"}, "c.gml": {"graph [ x ", "[ x "}, "d.gml": {"graph [", " "},
		"a.graphml": {"<graphml><!--", "x"}, "b.graphml": {"<graphml>", "<a>"}, "c.graphml": {"<graphml>", "<a/>"}, "d.graphml": {"<graphml><graph edgedefault=\"directed\">", "<edge source=\"1\" target=\"2\"/>"},
		"a.idx": {"\x00\x00\x08\x02\x10\x00\x00\x00\x00\x00\x00\x10", "x"}, "a.npy": {header(1 << 27), "01234567"}, "a.npz": {"PK\x03\x04", "x"}, "a.parquet": {"PAR1", "x"},
	} {
		path := filepath.Join(t.TempDir(), name+".gz")
		write(t, path, bomb(of[0], of[1], size))
		_, err := open.Read(t.Context(), path, open.Options{Budget: budget})
		var e *data.Error
		if !errors.As(err, &e) || e.Source == "" || len(err.Error()) > 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// header is that of an array of so many rows.
func header(rows int) string {
	text := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }\n", rows)
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), 0}) + text
}

// Standard input that never ends is read within the budget.
func TestEndlessStandardInput(t *testing.T) {
	for _, text := range []string{"1,2\n", "x", "\x00", ">a\nAC\n"} {
		in := io.MultiReader(strings.NewReader("a,b\n"), &repeating{text: text})
		if _, err := open.Read(t.Context(), "-", open.Options{Stdin: in, Budget: 4 << 20}); err == nil || !strings.HasPrefix(err.Error(), "standard input: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// repeating is a text without an end.
type repeating struct {
	text string
	at   int
}

func (r *repeating) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	return len(p), nil
}
