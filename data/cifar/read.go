package cifar

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"example.org/mercer/data"
)

const (
	side     = 32
	channels = 3
	pixels   = side * side
	// labelsOfTen is the number of labels of CIFAR-10, by which its files are known, and
	// labelsOfHundred that of CIFAR-100.
	labelsOfTen, labelsOfHundred = 10, 100
)

// layout is how a record begins.
type layout struct {
	labels []string // the columns of the bytes in front of the pixels
	most   int      // how many labels there are in the last of them
}

var layouts = []layout{{[]string{"label"}, labelsOfTen}, {[]string{"coarse", "label"}, labelsOfHundred}}

// record is the number of bytes of one image.
func (l layout) record() int { return len(l.labels) + channels*pixels }

// Read reads a file. name is what messages call it; they count bytes from 0 and images from 1.
// Memory comes from the budget, nil for any.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) (*data.Table, error) {
	var raw bytes.Buffer
	for {
		n, err := io.CopyN(&raw, r, 1<<20)
		// Of every byte a number, and the byte itself in a buffer that doubles.
		if err := budget.Take((8+2)*n, name, 0); err != nil {
			return nil, err
		}
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		case err == io.EOF:
			return table(ctx, name, raw.Bytes())
		case err != nil:
			return nil, &data.Error{Source: name, Reason: "cannot be read", Err: err}
		}
	}
}

// table makes the columns of all records.
func table(ctx context.Context, name string, raw []byte) (*data.Table, error) {
	l, err := layoutOf(name, raw)
	if err != nil {
		return nil, err
	}
	n := len(raw) / l.record()
	t := &data.Table{Source: name, Headed: true, Target: "label"}
	for at, column := range l.labels {
		c := data.Column{Name: column, Kind: data.Categorical, Strings: make([]string, n)}
		for i := range n {
			c.Strings[i] = strconv.Itoa(int(raw[i*l.record()+at]))
		}
		t.Columns = append(t.Columns, c)
	}
	for j := range channels * pixels {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		}
		at := len(l.labels) + j%channels*pixels + j/channels
		c := data.Column{Name: "p" + strconv.Itoa(j+1), Kind: data.Numeric, Numbers: make([]float64, n)}
		for i := range n {
			c.Numbers[i] = float64(raw[i*l.record()+at])
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}

// layoutOf finds the layout whose records fill the file, with labels that there are.
func layoutOf(name string, raw []byte) (layout, error) {
	bad := func(format string, args ...any) (layout, error) {
		return layout{}, &data.Error{Source: name, Reason: fmt.Sprintf(format, args...), Fix: "give a binary file of CIFAR-10 or CIFAR-100, or name the format of this one (--format)"}
	}
	if len(raw) == 0 {
		return bad("is empty")
	}
	var wrong error
	for _, l := range layouts {
		if len(raw)%l.record() != 0 {
			continue
		}
		image, at := 0, 0
		for ; at < len(raw) && int(raw[at+len(l.labels)-1]) < l.most; at += l.record() {
			image++
		}
		if at == len(raw) {
			return l, nil
		}
		if wrong == nil {
			at += len(l.labels) - 1
			_, wrong = bad("has the label %d of image %d at byte %d, and there are %d labels", raw[at], image+1, at, l.most)
		}
	}
	if wrong != nil {
		return layout{}, wrong
	}
	return bad("has %d bytes, which are no number of images of %d or %d bytes: it was cut, or is another file", len(raw), layouts[0].record(), layouts[1].record())
}
