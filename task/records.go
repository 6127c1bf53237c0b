package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"example.org/mercer/data"
	cells "example.org/mercer/data/bag"
	cellgraph "example.org/mercer/data/graph"
	"example.org/mercer/data/graph/jsonl"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/bag"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/record"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
)

// The kinds of cells that have kernels to begin with.
var (
	sequences  = inventing(record.Of("sequence", seq.Dictionary(), sequence), inventText)
	graphs     = onGraphs()
	vectorBags = bagsOfVectors()
)

// languages are those of cells that are compared as they are.
var languages = []record.Language{
	sequences,
	graphs,
	vectorBags,
	inventing(record.Of("bag of sequences", bag.Dictionary(seq.Dictionary()), elements(letters)), inventBag(inventText)),
	inventing(record.Of("bag of graphs", bag.Dictionary(graph.Dictionary(attributes)), elements(jsonl.Parse)), inventBag(inventGraph)),
	inventing(record.Of("set", bag.Sets(), elements(text)), inventBag(inventText)),
}

// inventing gives a language the way in which its cells are made up.
func inventing(l record.Language, invent func(like []string, r *rand.Rand) (string, error)) record.Language {
	l.Invent = invent
	return l
}

// attributes are the kernels on the attributes of nodes and edges, which have no names there.
var attributes = vec.Dictionary(vec.Schema{})

// onGraphs are graphs, compared with the attributes of their nodes and edges.
func onGraphs() record.Language {
	l := inventing(record.Of("graph", graph.Dictionary(attributes), jsonl.Parse), inventGraph)
	l.Vectors = func(point any, argument string) [][]float64 {
		return graph.Attributes(point.(*cellgraph.Graph), argument)
	}
	l.Remark = &record.Remark{
		Of:   func(point any) bool { return point.(*cellgraph.Graph).Parallel() > 0 },
		Says: "have several edges between the same nodes: those that a kernel cannot tell apart count once, or one by one with parallel=count",
	}
	return l
}

// text reads a cell that is compared as it is written.
func text(cell string) (string, error) { return cell, nil }

// sequence reads a cell that is compared as it is written. A graph is none, though it is kept as
// text.
func sequence(cell string) (string, error) {
	if strings.HasPrefix(cell, "{") {
		if _, err := jsonl.Parse(cell); err == nil {
			return "", errors.New("it holds a graph, and the kernel compares sequences: take one on graphs, such as wl(h=3)")
		}
	}
	return cell, nil
}

// letters reads an element of a bag that is compared as it is written. A list of numbers is a
// vector, whose digits would be compared as letters.
func letters(element string) (string, error) {
	var numbers []float64
	if strings.HasPrefix(element, "[") && json.Unmarshal([]byte(element), &numbers) == nil {
		return "", fmt.Errorf("%s is a vector, and the kernel compares sequences: take one on vectors, such as mean(of=rbf(sigma=median))", data.Cut(element))
	}
	return element, nil
}

// elements reads the elements of a bag one by one.
func elements[T any](read func(cell string) (T, error)) func(cell string) ([]T, error) {
	return func(cell string) ([]T, error) {
		texts, err := cells.Split(cell)
		if err != nil {
			return nil, err
		}
		out := make([]T, len(texts))
		for i, text := range texts {
			if out[i], err = read(text); err != nil {
				return nil, fmt.Errorf("element %d: %w", i+1, err)
			}
		}
		return out, nil
	}
}

// bagsOfVectors are bags whose elements are vectors, of one length in all bags of a column.
func bagsOfVectors() record.Language {
	l := inventing(record.Of("bag of vectors", bag.Dictionary(vec.Dictionary(vec.Schema{})), cells.Vectors), inventVectors)
	l.Vectors = func(point any, _ string) [][]float64 { return point.([][]float64) }
	l.Fits = func() func(point any) error {
		dims := 0
		return func(point any) error {
			x := point.([][]float64)
			if len(x) > 0 && dims == 0 {
				dims = len(x[0])
			}
			if len(x) > 0 && len(x[0]) != dims {
				return fmt.Errorf("a bag of vectors of %d numbers, and those of the rows before it, or of the training rows, have %d", len(x[0]), dims)
			}
			return nil
		}
	}
	return l
}

// suited completes s by what a kernel compares: one on row ids needs no features, and one on
// cells names their columns.
func (k Parsed) suited(s prep.Spec, t *data.Table) (prep.Spec, error) {
	if s.Missing == prep.Refuse && letsMissing(k.Node) {
		s.Missing = prep.Keep
	}
	s.AsWritten = k.asWritten()
	switch k.Kind {
	case OnRowIDs:
		s.NoFeatures = true
		return s, nil
	case OnRecords:
	default:
		return s, k.onText(s, t)
	}
	free, err := s.UnnamedText(t)
	if err != nil {
		return s, err
	}
	slots, err := record.Slots(k.Node, free, languages...)
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

// asWritten finds the features that a kernel compares as the table writes them; nil: none does.
func (k Parsed) asWritten() func(names, groups []string) []prep.AsWritten {
	unscaled := expr.AsWritten(k.Node, attributes)
	if k.Kind == OnRowIDs || len(unscaled) == 0 {
		return nil
	}
	return func(names, groups []string) []prep.AsWritten {
		var found []prep.AsWritten
		for _, u := range unscaled {
			if u.Columns == nil {
				u.Columns = []string{"*"}
			}
			index, err := vec.Schema{Names: names, Groups: groups}.Indices(u.Columns)
			if err != nil {
				continue // columns that are no numbers, or an error that the kernel will report where it stands
			}
			found = append(found, prep.AsWritten{Features: index, Reason: u.Kernel + " compares " + u.Why})
		}
		return found
	}
}

// letsMissing reports whether a kernel of an expression says what missing cells mean.
func letsMissing(n expr.Node) bool {
	for _, a := range n.Args {
		if a.Name == "nan" && a.Text != "refuse" || a.Kernel != nil && letsMissing(*a.Kernel) {
			return true
		}
	}
	return slices.ContainsFunc(n.Terms, letsMissing)
}

// recordSchema returns the parts of the records that an expression compares, on
// prepared rows.
func recordSchema(n expr.Node, steps *prep.Pipeline) (record.Schema, error) {
	slots, err := record.Slots(n, steps.Cells(), languages...)
	return record.Schema{Numbers: SchemaOf(steps), Slots: slots}, err
}

// recordKernel builds the kernel of a model file.
func recordKernel(parsed Parsed, steps *prep.Pipeline) (kernel.Kernel[record.Record], record.Schema, error) {
	schema, err := recordSchema(parsed.Node, steps)
	if err != nil {
		return nil, schema, err
	}
	d, err := record.Dictionary(schema, languages...)
	if err != nil {
		return nil, schema, err
	}
	k, err := expr.Build(parsed.Node, d)
	return k, schema, err
}

// RecordKernel builds the kernel of an expression on records of which nothing is known but
// what it says: a cell that no column is selected for has no name. It also makes records of
// cells, if the kernel compares one column.
func RecordKernel(parsed Parsed, cells ...string) (kernel.Kernel[record.Record], *record.Records, error) {
	slots, err := record.Slots(parsed.Node, []string{""}, languages...)
	if err != nil {
		return nil, nil, err
	}
	d, err := record.Dictionary(record.Schema{Slots: slots}, languages...)
	if err != nil {
		return nil, nil, err
	}
	k, err := expr.Build(parsed.Node, d)
	if err != nil || len(cells) == 0 {
		return k, nil, err
	}
	if len(slots) != 1 {
		return nil, nil, fmt.Errorf("task: %s compares %d columns: give a table with them", parsed, len(slots))
	}
	column := make([]*string, len(cells))
	for i := range cells {
		column[i] = &cells[i]
	}
	xs := &record.Records{Rows: len(cells)}
	return k, xs, appendCells(xs, slots[0], column, nil, func(i int, err error) error { return fmt.Errorf("cell %d, %w", i+1, err) })
}

// recordNames returns the kernels on cells.
func recordNames() []expr.Name {
	var names []expr.Name
	for _, l := range languages {
		names = append(names, l.Words()...)
	}
	return names
}

// VectorLanguage is the dictionary of kernels on vectors, which knows the names of the kernels on
// points of other types.
func VectorLanguage(s vec.Schema) expr.Dictionary[[]float64] {
	d := vec.Dictionary(s)
	d.Elsewhere = namesElsewhere()
	return d
}

// namesElsewhere are the names of kernels on points of other types that are not names of kernels
// on vectors, too.
var namesElsewhere = sync.OnceValue(func() []expr.Family {
	var families []expr.Family
	told := map[string]bool{} // names that were listed, all of them
	add := func(points string, names []expr.Name) {
		f := expr.Family{Points: points}
		listed := ""
		for _, n := range names {
			if _, onVectors := attributes.Kernels[n.Name]; !onVectors {
				f.Names = append(f.Names, n.Name)
				listed += n.Name + " "
			}
		}
		if !told[listed] { // bags have the same kernels, whatever is in them
			families = append(families, f)
		}
		told[listed] = true
	}
	for _, l := range languages {
		points, _, _ := strings.Cut(l.Name, " of ")
		add("cells that hold a "+points, l.Words())
	}
	add("row ids", idNames())
	return families
})

// KernelNames returns the kernels on points of all types, each once: a name with other arguments is
// another kernel.
func KernelNames() []expr.Name {
	names := slices.Concat(expr.Names(attributes), recordNames(), idNames())
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(n expr.Name) bool {
		key := n.Name
		for _, a := range n.Arguments {
			key += " " + a.Name
		}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// recordEncoding makes records of prepared rows. beside are records that they are compared with, or
// nil.
func recordEncoding(s record.Schema, beside *record.Records) Encoding[record.Record] {
	of := func(r *prep.Prepared) (data.Set[record.Record], error) {
		out := &record.Records{Numbers: r.X, Rows: len(r.Rows)}
		for _, slot := range s.Slots {
			at := slices.IndexFunc(r.Cells, func(c prep.Cells) bool { return c.Name == slot.Column })
			if at < 0 {
				return nil, fmt.Errorf("task: the table has no column %q, which the kernel compares", slot.Column)
			}
			text := make([]*string, len(r.Rows))
			for i := range text {
				if c := r.Cells[at]; c.Missing == nil || !c.Missing[i] {
					text[i] = &c.Text[i]
				}
			}
			if err := appendCells(out, slot, text, beside, func(i int, err error) error { return &outsideDomain{at: i, objection: err} }); err != nil {
				return nil, err
			}
			if note := remark(slot, out.Cells[len(out.Cells)-1], r); note != "" && !slices.Contains(r.Notes, note) {
				r.Notes = append(r.Notes, note)
			}
		}
		return out, nil
	}
	return Encoding[record.Record]{name: OnRecords, Of: of, beside: func(xs data.Set[record.Record]) Encoding[record.Record] {
		known, _ := xs.(*record.Records)
		return recordEncoding(s, known)
	}}
}

// remark returns what the language of a column has to say of its points, or "".
func remark(slot record.Slot, points []any, r *prep.Prepared) string {
	at := slices.IndexFunc(languages, func(l record.Language) bool { return l.Name == slot.Language && l.Remark != nil })
	if at < 0 {
		return ""
	}
	first, count := 0, 0
	for i, v := range points {
		if v == nil || !languages[at].Remark.Of(v) {
			continue
		}
		if count++; count == 1 {
			first = i
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("column %s: %d of %d rows, the first %s, %s", slot.Column, count, len(points), RowName(r, first), languages[at].Remark.Says)
}

// appendCells reads the cells of the next slot; nil is a missing one. fail says of which cell
// an error is.
func appendCells(out *record.Records, slot record.Slot, text []*string, beside *record.Records, fail func(i int, err error) error) error {
	at := slices.IndexFunc(languages, func(l record.Language) bool { return l.Name == slot.Language })
	if at < 0 {
		return fmt.Errorf("cells that hold a %s are not known to this version (%s)", slot.Language, model.Version)
	}
	fits := func(any) error { return nil }
	if languages[at].Fits != nil {
		fits = languages[at].Fits()
		if beside != nil {
			for _, v := range beside.Cells[len(out.Cells)] {
				if v != nil {
					_ = fits(v) // they fit one another
				}
			}
		}
	}
	values := make([]any, len(text))
	for i, cell := range text {
		if cell == nil {
			continue
		}
		v, err := languages[at].Read(*cell)
		if err == nil {
			err = fits(v)
		}
		if err != nil {
			return fail(i, fmt.Errorf("column %s: %w", slot.Column, err))
		}
		values[i] = v
	}
	out.Text, out.Cells = append(out.Text, text), append(out.Cells, values)
	return nil
}

// vectorsOf finds the vectors that a kernel inside of an expression compares: the features of
// the rows, or what the cells of the column in force are made of.
func (in PreparedTable) vectorsOf(s record.Schema, of Encoding[record.Record]) func(p expr.Placeholder) (data.Set[[]float64], vec.Schema, error) {
	return func(p expr.Placeholder) (data.Set[[]float64], vec.Schema, error) {
		if p.Apart == "" {
			return in.Rows.X, s.Numbers, nil
		}
		for i, slot := range s.Slots {
			at := slices.IndexFunc(languages, func(l record.Language) bool { return l.Name == slot.Language && l.Vectors != nil })
			if at < 0 || len(p.Within) > 0 && p.Within[0] != slot.Column {
				continue
			}
			points, err := of.Of(in.Rows)
			if err != nil {
				return nil, vec.Schema{}, err
			}
			var all [][]float64
			for _, v := range points.(*record.Records).Cells[i] {
				if v != nil {
					all = append(all, languages[at].Vectors(v, p.Apart)...)
				}
			}
			xs, err := data.Pack(all)
			return xs, vec.Schema{}, err
		}
		return nil, vec.Schema{}, fmt.Errorf("%s compares no vectors of which %s could be computed", p.Kernel, p.Word)
	}
}

// tensorCells holds the cells of training records: for each slot a list of texts, null
// where one is missing.
const tensorCells = "cells"

// storeRecords puts training records among the tensors of a file.
func storeRecords(xs *record.Records, tensors map[string]model.Tensor) error {
	if xs.Numbers.Dim() > 0 {
		if err := storePoints(xs.Numbers, tensors); err != nil {
			return err
		}
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
		if err := appendCells(out, slot, text[i], nil, func(i int, err error) error { return fmt.Errorf("training row %d, %w", i+1, err) }); err != nil {
			return nil, err
		}
	}
	if d := len(s.Numbers.Names); d > 0 {
		if out.Numbers, err = readPoints(file, out.Rows, d); err != nil {
			return nil, err
		}
	}
	return out, nil
}
