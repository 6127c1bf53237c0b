package verb

import (
	"fmt"
	"slices"

	"example.org/mercer/task"
)

// ApproximationLines lays out what a model has in place of the kernel, and the command that
// would not approximate.
func ApproximationLines(a *task.LandmarkMap, m *task.FeatureMap, exact string) [][]string {
	if a == nil && m == nil && exact != "" { // the method approximates by itself
		return [][]string{{"exact", exact}}
	}
	return slices.Concat(LandmarkLines(a, exact), FeatureMapLines(m, exact))
}

// LandmarkLines lays out how a model approximates; nil where it is exact.
func LandmarkLines(a *task.LandmarkMap, exact string) [][]string {
	if a == nil {
		return nil
	}
	landmarks := fmt.Sprintf("%d of %d rows, %s", a.Landmarks, a.Rows, a.Scheme)
	if a.Candidates < a.Rows {
		landmarks += fmt.Sprintf(" among %d", a.Candidates)
	}
	landmarks += fmt.Sprintf(" (seed %d)", a.Seed)
	if a.Dropped > 0 {
		landmarks += fmt.Sprintf("; %d more were explained by others", a.Dropped)
	}
	lines := [][]string{
		{"landmarks", landmarks},
		{"approximation", fmt.Sprintf("leaves %s of the trace; relative error %s on a block of %d kernel values, spectral norm %s per row", Num(a.TraceError), Num(a.Block), a.Compared(), Num(a.Spectral))},
	}
	if exact != "" {
		lines = append(lines, []string{"exact", exact})
	}
	return lines
}

// FeatureMapLines lays out by which features a model was found; nil: by none.
func FeatureMapLines(m *task.FeatureMap, exact string) [][]string {
	if m == nil {
		return nil
	}
	expected := "nothing in them is drawn"
	if m.Expected > 0 {
		expected = Num(m.Expected) + " expected"
	}
	made := fmt.Sprintf("%d features (seed %d, %s frequencies)", m.Features, m.Seed, m.Frequencies)
	if m.Filters != nil {
		made = fmt.Sprintf("%d features of filters %v (seed %d), learned from the training images", m.Features, m.Filters, m.Seed)
	}
	of := "error"
	if m.Trained != nil {
		of = "before the targets moved the filters: error"
	}
	lines := [][]string{
		{"feature map", made},
		{"approximation", fmt.Sprintf("%s %s of kernel values (root of the mean square; %s), largest %s, relative %s, on a block of %d", of, Num(m.RMS), expected, Num(m.Max), Num(m.Block), m.Compared())},
	}
	if m.Trained != nil {
		for _, l := range m.Trained.Lines() {
			lines = append(lines, []string{l.Name, l.Text})
		}
	}
	if exact != "" {
		lines = append(lines, []string{"exact", exact})
	}
	return lines
}
