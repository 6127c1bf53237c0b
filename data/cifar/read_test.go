package cifar_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/cifar"
)

// record is an image whose red pixels count from 0, green from 1 and blue from 2, modulo 251.
func record(labels ...byte) []byte {
	out := labels
	for channel := range 3 {
		for i := range 1024 {
			out = append(out, byte((i+channel)%251))
		}
	}
	return out
}

// TestRead: both layouts, the channels of a pixel side by side.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		raw    []byte
		labels string
		first  int // the column of the first pixel
	}{
		{slicesOf(record(3), record(9), record(0)), "[3 9 0]", 1},
		{slicesOf(record(5, 99), record(19, 0)), "[99 0]", 2},
	} {
		got, err := cifar.Read(t.Context(), "data_batch_1.bin", bytes.NewReader(c.raw), nil)
		if err != nil {
			t.Fatal(err)
		}
		label, _ := got.Column(got.Target)
		if fmt.Sprint(label.Strings) != c.labels || len(got.Columns) != c.first+3072 {
			t.Errorf("labels %v in %d columns", label.Strings, len(got.Columns))
		}
		for j := range 3072 {
			column := got.Columns[c.first+j]
			if want := float64((j/3 + j%3) % 251); column.Numbers[1] != want || column.Name != fmt.Sprintf("p%d", j+1) {
				t.Fatalf("column %s of image 2 is %v, want %v", column.Name, column.Numbers[1], want)
			}
		}
	}
}

func slicesOf(records ...[]byte) []byte { return bytes.Join(records, nil) }

func TestErrors(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		raw  []byte
		most int64
		want string
	}{
		{"empty", t.Context(), nil, 0, "is empty"},
		{"cut", t.Context(), slicesOf(record(1), record(2))[:5000], 0, "has 5000 bytes, which are no number of images of 3073 or 3074 bytes"},
		{"label", t.Context(), slicesOf(record(1), record(77)), 0, "has the label 77 of image 2 at byte 3073, and there are 10 labels"},
		{"fine label", t.Context(), record(1, 200), 0, "has the label 200 of image 1 at byte 1, and there are 100 labels"},
		{"memory", t.Context(), slicesOf(record(1), record(2)), 1000, "memory"},
		{"ended", ended, record(1), 0, "reading: context canceled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var account *data.Budget
			if c.most > 0 {
				account = account.Within(c.most)
			}
			_, err := cifar.Read(c.ctx, "x.bin", bytes.NewReader(c.raw), account)
			if err == nil || !strings.Contains(err.Error(), "x.bin") || c.want != "memory" && !strings.Contains(err.Error(), c.want) || c.want == "memory" && !errors.Is(err, data.ErrBudget) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
