package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"

	"mercer/data"
	"mercer/data/graph/jsonl"
	"mercer/kernel"
	"mercer/kernel/expr"
	"mercer/kernel/graph"
	"mercer/kernel/record"
	"mercer/kernel/seq"
	"mercer/model"
	"mercer/prep"
)

// languages are those of cells that are compared as they are.
var languages = []record.Language{
	record.Of("sequence", seq.Dictionary(), func(cell string) (string, error) { return cell, nil }),
	record.Of("graph", graph.Dictionary(), jsonl.Parse),
}

// onRecords is the kind of points with cells, as the model file names it.
const onRecords = "records"

// suited completes s by what the kernel of an expression compares: one on row ids needs
// no features, and one on cells names their columns. "" is no kernel yet.
func suited(s prep.Spec, t *data.Table, text string) (prep.Spec, error) {
	if text == "" {
		return s, nil
	}
	n, err := expr.Parse(text)
	if err != nil {
		return s, err
	}
	switch kindOf(n) {
	case onRowIDs:
		s.NoFeatures = true
		return s, nil
	case onVectors:
		return s, nil
	}
	free, err := s.Free(t)
	if err != nil {
		return s, err
	}
	slots, err := record.Slots(n, free, languages...)
	if err != nil {
		return s, err
	}
	s.Cells = slices.Clone(s.Cells)
	for _, slot := range slots {
		if !slices.Contains(s.Cells, slot.Column) {
			s.Cells = append(s.Cells, slot.Column)
		}
	}
	return s, nil
}

// recordSchema returns the parts of the records that an expression compares, on
// prepared rows.
func recordSchema(n expr.Node, steps *prep.Pipeline) (record.Schema, error) {
	slots, err := record.Slots(n, steps.Cells(), languages...)
	return record.Schema{Numbers: schemaOf(steps), Slots: slots}, err
}

// recordKernel builds the kernel of a model file.
func recordKernel(text string, steps *prep.Pipeline) (kernel.Kernel[record.Record], record.Schema, error) {
	n, err := expr.Parse(text)
	if err != nil {
		return nil, record.Schema{}, err
	}
	schema, err := recordSchema(n, steps)
	if err != nil {
		return nil, schema, err
	}
	d, err := record.Dictionary(schema, languages...)
	if err != nil {
		return nil, schema, err
	}
	k, err := expr.Build(n, d)
	return k, schema, err
}

// RecordKernel builds the kernel of an expression on records of which nothing is known but
// what it says: a cell without a name is called text. It also makes records of cells, if
// the kernel compares one column.
func RecordKernel(text string, cells ...string) (kernel.Kernel[record.Record], *record.Records, error) {
	n, err := expr.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	slots, err := record.Slots(n, []string{"text"}, languages...)
	if err != nil {
		return nil, nil, err
	}
	d, err := record.Dictionary(record.Schema{Slots: slots}, languages...)
	if err != nil {
		return nil, nil, err
	}
	k, err := expr.Build(n, d)
	if err != nil || len(cells) == 0 {
		return k, nil, err
	}
	if len(slots) != 1 {
		return nil, nil, fmt.Errorf("pipeline: %s compares %d columns: give a table with them", text, len(slots))
	}
	column := make([]*string, len(cells))
	for i := range cells {
		column[i] = &cells[i]
	}
	xs := &record.Records{Rows: len(cells)}
	return k, xs, appendCells(xs, slots[0], column, func(i int) string { return fmt.Sprintf("cell %d", i+1) })
}

// RecordNames returns the kernels on cells.
func RecordNames() []expr.Name {
	var names []expr.Name
	for _, l := range languages {
		names = append(names, l.Words()...)
	}
	return names
}

// recordSpace makes records of prepared rows.
func recordSpace(s record.Schema) space[record.Record] {
	return space[record.Record]{name: onRecords, of: func(r *prep.Prepared) (data.Set[record.Record], error) {
		out := &record.Records{Numbers: r.X, Rows: len(r.Rows)}
		for _, slot := range s.Slots {
			at := slices.IndexFunc(r.Cells, func(c prep.Cells) bool { return c.Name == slot.Column })
			if at < 0 {
				return nil, fmt.Errorf("pipeline: the table has no column %q, which the kernel compares", slot.Column)
			}
			text := make([]*string, len(r.Rows))
			for i := range text {
				if c := r.Cells[at]; c.Missing == nil || !c.Missing[i] {
					text[i] = &c.Text[i]
				}
			}
			if err := appendCells(out, slot, text, func(i int) string { return fmt.Sprintf("row %d", r.Rows[i]+1) }); err != nil {
				return nil, err
			}
		}
		return out, nil
	}}
}

// appendCells reads the cells of a slot; nil is a missing one.
func appendCells(out *record.Records, slot record.Slot, text []*string, where func(i int) string) error {
	at := slices.IndexFunc(languages, func(l record.Language) bool { return l.Name == slot.Language })
	if at < 0 {
		return fmt.Errorf("cells that hold a %s are not known to this version (%s)", slot.Language, model.Version)
	}
	values := make([]any, len(text))
	for i, cell := range text {
		if cell == nil {
			continue
		}
		v, err := languages[at].Read(*cell)
		if err != nil {
			return fmt.Errorf("%s, column %s: %w", where(i), slot.Column, err)
		}
		values[i] = v
	}
	out.Text, out.Cells = append(out.Text, text), append(out.Cells, values)
	return nil
}

// tensorCells holds the cells of training records: for each slot a list of texts, null
// where one is missing.
const tensorCells = "cells"

// storeRecords puts training records among the tensors of a file.
func storeRecords(xs *record.Records, tensors map[string]model.Tensor) error {
	if xs.Numbers.Dim() > 0 {
		tensors[tensorPoints] = model.Vectors(xs.Numbers)
	}
	text, err := json.Marshal(xs.Text)
	if err != nil {
		return err
	}
	tensors[tensorCells] = model.Bytes(text)
	return nil
}

// decodeRecords reads what storeRecords wrote.
func decodeRecords(file *model.File, s record.Schema) (*record.Records, error) {
	t, err := file.Tensor(tensorCells)
	if err != nil {
		return nil, err
	}
	raw, err := t.Bytes()
	if err != nil {
		return nil, fmt.Errorf("tensor %q: %w", tensorCells, err)
	}
	var text [][]*string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, fmt.Errorf("tensor %q is not a list of columns of text: %w", tensorCells, err)
	}
	if len(text) != len(s.Slots) || len(text) == 0 {
		return nil, fmt.Errorf("tensor %q has %d columns, and the kernel compares %d", tensorCells, len(text), len(s.Slots))
	}
	out := &record.Records{Rows: len(text[0])}
	for i, slot := range s.Slots {
		if len(text[i]) != out.Rows {
			return nil, fmt.Errorf("tensor %q: column %s has %d cells, another %d", tensorCells, slot.Column, len(text[i]), out.Rows)
		}
		if err := appendCells(out, slot, text[i], func(i int) string { return fmt.Sprintf("training row %d", i+1) }); err != nil {
			return nil, err
		}
	}
	if d := len(s.Numbers.Names); d > 0 {
		if out.Numbers, err = file.Vectors(tensorPoints, out.Rows, d); err != nil {
			return nil, err
		}
	}
	return out, nil
}
