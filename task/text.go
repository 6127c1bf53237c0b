package task

import (
	"fmt"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/vec"
)

// decimalFlag is in what readers say of numbers with a decimal comma.
const decimalFlag = "--decimal"

// onText refuses a kernel on vectors whose names are not known, and one of a table of which only
// text could be compared, with a kernel to begin with.
func (k Parsed) onText(s prep.Spec, t *data.Table) error {
	if k.Node.Text == "" {
		return nil
	}
	if _, err := expr.Resolve(k.Node, VectorLanguage(vec.Schema{})); err != nil {
		return err
	}
	columns, err := s.TextAlone(t)
	if len(columns) == 0 || err != nil {
		return nil // whatever is wrong with s, who prepares the rows says it
	}
	name := columns[0]
	c, _ := t.Column(name)
	what, try := beginning(c)
	if strings.Contains(c.Why, decimalFlag) {
		return &data.Error{Source: t.Source, Reason: fmt.Sprintf("has no numbers: column %s is text, %s", data.Cut(name), c.Why), Fix: "name the decimal character"}
	}
	if len(columns) > 1 {
		try += expr.FormatColumns([]string{name})
	}
	return &KernelNeeded{Kernel: try, Err: &data.Error{Source: t.Source, Fix: fmt.Sprintf("try --kernel '%s'", try),
		Reason: fmt.Sprintf("has no numbers to compare by %s: column %s is %s", k, data.Cut(name), what)}}
}

// KernelNeeded is the error of a table that kernels on vectors find nothing in, with one to begin
// with.
type KernelNeeded struct {
	Kernel string
	Err    error
}

func (e *KernelNeeded) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *KernelNeeded) Unwrap() error { return e.Err }

// What a column of text holds.
const (
	inText       = "text"
	inGraphs     = "graphs"
	inBags       = "bags"
	inVectorBags = "bags of numbers"
)

// beginning says what a column of text holds, and names a kernel to begin with.
func beginning(c *data.Column) (what, kernel string) {
	first := ""
	for i, cell := range c.Strings {
		if !c.IsMissing(i) {
			first = cell
			break
		}
	}
	reads := func(l record.Language) bool {
		_, err := l.Read(first)
		return err == nil
	}
	switch {
	case reads(graphs):
		return inGraphs, "normalize(of=wl(h=3))"
	case reads(vectorBags):
		return inVectorBags, "mean(of=rbf(sigma=median))"
	case strings.HasPrefix(first, "["):
		return inBags, "mean(of=spectrum(k=3))"
	}
	return inText, "normalize(of=spectrum(k=3))"
}
