package record

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

// Numbers is a kernel on the numbers of a record.
type Numbers struct {
	kernel.Composed[Record, []float64]
}

func onNumbers(k kernel.Kernel[[]float64]) Numbers {
	return Numbers{kernel.Composed[Record, []float64]{Of: k, By: func(x Record) []float64 { return x.Numbers }, Text: "numbers", Lossless: true}}
}

// String returns the kernel with its selection of columns.
func (k Numbers) String() string { return k.Of.String() }

// Contains asks the kernel about the numbers of x.
func (k Numbers) Contains(x Record) error { return kernel.Contains(k.Of, x.Numbers) }

// Derive returns what is known of the kernel on the numbers.
func (k Numbers) Derive() kernel.Derivation { return kernel.Derive(k.Of) }

// Reference describes the kernel on the numbers.
func (k Numbers) Reference() kernel.Reference { return cardOf(k.Of) }

// With returns the kernel with other parameters.
func (k Numbers) With(values []float64) (kernel.Kernel[Record], error) {
	of, err := with(k.Of, values)
	return onNumbers(of), err
}

// Bind binds the kernel to the numbers.
func (k Numbers) Bind(rows, cols data.Set[Record]) kernel.Pairs {
	return kernel.Bind(k.Of, k.numbers(rows), k.numbers(cols))
}

// BindColumns binds the kernel to the numbers of the columns.
func (k Numbers) BindColumns(cols data.Set[Record]) kernel.BoundColumns[Record] {
	return kernel.BindImages(k.Of, k.numbers, cols)
}

// numbers returns the numbers of records, which [Records] hold together.
func (k Numbers) numbers(xs data.Set[Record]) data.Set[[]float64] {
	if r, ok := xs.(*Records); ok {
		return r.Numbers
	}
	return k.Images(xs)
}

func (k Numbers) restrict(s Schema, patterns []string) (kernel.Kernel[Record], error) {
	of, err := vec.Dictionary(s.Numbers).Select(k.Of, patterns)
	if err != nil {
		return nil, err
	}
	return onNumbers(of), nil
}

// Part is a kernel on one cell of a record.
type Part[T any] struct {
	kernel.Composed[Record, T]
	Slot   int    // of the schema
	Column string // its name, with which the part prints; quoted where it must be; "": it has none
}

func onCell[T any](k kernel.Kernel[T], slot int, column string) Part[T] {
	cell := func(x Record) T {
		v, _ := x.Cells[slot].(T)
		return v
	}
	return Part[T]{kernel.Composed[Record, T]{Of: k, By: cell, Text: column, Lossless: true}, slot, column}
}

// String returns the kernel followed by the column: spectrum(k=3)[dna].
func (k Part[T]) String() string { return k.Of.String() + k.selection() }

// selection writes the column in brackets, where it has a name.
func (k Part[T]) selection() string {
	if k.Column == "" {
		return ""
	}
	return expr.FormatColumns([]string{k.Column})
}

// place says which cell the part compares.
func (k Part[T]) place() string {
	if k.Column == "" {
		return "the cell"
	}
	return "column " + k.Column
}

// Contains refuses a record whose cell is missing, or outside the domain of the kernel.
func (k Part[T]) Contains(x Record) error {
	if err := k.present(x); err != nil {
		return err
	}
	return k.within(kernel.Contains(k.Of, k.By(x)))
}

// Outside is Contains for a set of records.
func (k Part[T]) Outside(xs data.Set[Record]) (row int, err error) {
	row = -1
	for i := 0; i < xs.Len() && err == nil; i++ {
		if err = k.present(xs.At(i)); err != nil {
			row = i
		}
	}
	before := xs
	if row >= 0 {
		before = data.Run(xs, 0, row)
	}
	if i, e := kernel.Outside(k.Of, k.cells(before)); e != nil {
		return i, k.within(e)
	}
	return row, err
}

// CompatibleWith asks the kernel on the cells.
func (k Part[T]) CompatibleWith(xs data.Set[Record], like Record) (row int, err error) {
	row, err = kernel.CheckCompatible(k.Of, k.cells(xs), k.By(like))
	return row, k.within(err)
}

// present objects to a record without a cell for the kernel.
func (k Part[T]) present(x Record) error {
	if k.Slot < 0 || k.Slot >= len(x.Cells) {
		return fmt.Errorf("%s compares a cell that the record does not have; select its column in brackets", k.Of)
	}
	if x.Cells[k.Slot] == nil {
		return fmt.Errorf("%s has no value: complete the cell, or leave out such rows", k.place())
	}
	if v, ok := x.Cells[k.Slot].(T); !ok {
		return fmt.Errorf("%s holds a %T, and %s compares values of type %T", k.place(), x.Cells[k.Slot], k.Of, v)
	}
	return nil
}

// within says where an objection of the kernel comes from.
func (k Part[T]) within(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", k.place(), err)
}

// Derive returns what is known of the kernel on the cell.
func (k Part[T]) Derive() kernel.Derivation {
	d := kernel.Derive(k.Of)
	d.Kernel = k.String()
	return d
}

// Reference describes the kernel on the cell.
func (k Part[T]) Reference() kernel.Reference { return cardOf(k.Of) }

// With returns the part with other parameters.
func (k Part[T]) With(values []float64) (kernel.Kernel[Record], error) {
	of, err := with(k.Of, values)
	return onCell(of, k.Slot, k.Column), err
}

// Bind binds the kernel to the cells, once where rows and columns are the same records.
func (k Part[T]) Bind(rows, cols data.Set[Record]) kernel.Pairs {
	right := k.cells(cols)
	if a, ok := rows.(*Records); ok && data.Set[Record](a) == cols {
		return kernel.Bind(k.Of, right, right)
	}
	return kernel.Bind(k.Of, k.cells(rows), right)
}

// BindColumns binds the kernel to the cells of the columns.
func (k Part[T]) BindColumns(cols data.Set[Record]) kernel.BoundColumns[Record] {
	return kernel.BindImages(k.Of, k.cells, cols)
}

// cells returns the column of the part. It is a pointer, so that a family can tell that rows
// and columns are the same set.
func (k Part[T]) cells(xs data.Set[Record]) data.Set[T] {
	out := make(data.Slice[T], xs.Len())
	for i := range out {
		out[i] = k.By(xs.At(i))
	}
	return &out
}

func cardOf[T any](k kernel.Kernel[T]) kernel.Reference {
	if d, ok := k.(kernel.Describer); ok {
		return d.Reference()
	}
	return kernel.Reference{Name: k.String(), Formula: k.String()}
}

// with gives a kernel other parameters; one without any has none to change.
func with[T any](k kernel.Kernel[T], values []float64) (kernel.Kernel[T], error) {
	tunable, ok := k.(kernel.Tunable[T])
	if ok {
		return tunable.With(values)
	}
	if len(values) > 0 {
		return k, fmt.Errorf("%s has no parameters, and %d are given", k, len(values))
	}
	return k, nil
}
