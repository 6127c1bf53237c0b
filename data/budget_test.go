package data_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"example.org/mercer/data"
)

func TestBudget(t *testing.T) {
	var endless *data.Budget
	if err := endless.Take(1<<62, "t", 1); err != nil || endless != data.NewBudget(0) {
		t.Errorf("a budget without an end: %v", err)
	}
	b := data.NewBudget(3 << 20)
	if err := errors.Join(b.Take(1<<20, "t", 1), b.Take(2<<20, "t", 2)); err != nil {
		t.Fatal(err)
	}
	b.Watch(func() float64 { return 0.5 })
	err := b.Take(1<<20, "t", 3)
	if want := "t: line 3: takes more than the 3 MiB that reading may take: all of it needs about 8 MiB; allow more (--max-mem), read the table in passes (--out-of-core), or give a smaller file"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if !errors.Is(err, data.ErrBudget) {
		t.Error("the error is of no kind")
	}
	b.Give(1 << 20)
	if err := b.Take(1<<20, "t", 4); err != nil {
		t.Errorf("after giving back: %v", err)
	}
	// A product that ran over is more than any budget.
	if err := b.Take(-1, "t", 5); !errors.Is(err, data.ErrBudget) {
		t.Errorf("a negative number of bytes: %v", err)
	}
	in := data.NewBudget(10).Reader(strings.NewReader("123456"), "t", 2)
	if _, err := io.ReadAll(in); !errors.Is(err, data.ErrBudget) {
		t.Errorf("a reader of 12 bytes over a budget of 10: %v", err)
	}
}
