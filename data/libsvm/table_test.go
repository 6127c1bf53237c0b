package libsvm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/libsvm"
)

func TestTable(t *testing.T) {
	f, err := read(t, "# c\n5 1:0.5 3:-2\n\n6 2:7\n", libsvm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Table(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]float64{"label": {5, 6}, "f1": {0.5, 0}, "f2": {0, 7}, "f3": {-2, 0}}
	if len(got.Columns) != len(want) || got.Target != "label" || !slices.Equal(got.Lines, []int{2, 4}) {
		t.Errorf("%d columns, target %q, lines %v", len(got.Columns), got.Target, got.Lines)
	}
	for _, c := range got.Columns {
		if !slices.Equal(c.Numbers, want[c.Name]) || c.Kind != data.Numeric {
			t.Errorf("column %s is %v, want %v", c.Name, c.Numbers, want[c.Name])
		}
	}
}

func TestTableZeroBased(t *testing.T) {
	f, err := read(t, "1 0:3\n", libsvm.Options{ZeroBased: true, Dim: 2})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Table(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := got.Column("f0"); c == nil || c.Numbers[0] != 3 {
		t.Errorf("column f0 is %v", c)
	}
	if c, _ := got.Column("f1"); c == nil || c.Numbers[0] != 0 {
		t.Errorf("column f1 is %v", c)
	}
}

func TestTableQueries(t *testing.T) {
	f, err := read(t, "1 1:1\n2 qid:a7 1:1\n", libsvm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Table(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, at := got.Column("qid")
	if c == nil || at != 1 || c.Kind != data.Text || !c.IsMissing(0) || c.Strings[1] != "a7" {
		t.Errorf("column qid is %+v at %d", c, at)
	}
}

func TestTableLimit(t *testing.T) {
	f, err := read(t, "1 2000000000:1\n", libsvm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "t: has 1 rows of 2000000000 features: a dense table needs 312.9 GiB, more than the 1024 MiB left for reading; allow more memory (--max-mem), or keep fewer features"
	if _, err := f.Table(t.Context()); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	used := func(*libsvm.File) error { return errors.New("a block beyond the limit was used") }
	_, err = libsvm.Blocks(t.Context(), "t", strings.NewReader("1 2000000000:1\n"), libsvm.Options{}, func(int) int { return 64 }, used)
	if want := strings.Replace(want, "has", "has blocks of", 1); err == nil || err.Error() != want {
		t.Errorf("in blocks: got  %v\nwant %s", err, want)
	}
	f, err = read(t, "1 1:1\n", libsvm.Options{Budget: data.NewBudget(200)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Table(t.Context()); err == nil {
		t.Error("a table beyond 200 bytes was made")
	}
	f, err = read(t, "1 1:1\n", libsvm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Table(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func Example() {
	text := "+1 1:0.7 3:-0.32   # absent features are 0\n-1 2:1\n"
	f, err := libsvm.Read(context.Background(), "train.svm", strings.NewReader(text), libsvm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Points.Len(), "points of dimension", f.Points.Dim(), "with", f.Points.Stored(), "entries")
	t, err := f.Table(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range t.Columns {
		fmt.Println(c.Name, c.Numbers)
	}
	// Output:
	// 2 points of dimension 3 with 3 entries
	// label [1 -1]
	// f1 [0.7 0]
	// f2 [0 1]
	// f3 [-0.32 0]
}
