package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/search"
	"example.org/mercer/supervised/mahalanobis"
)

// metricFlags ask a search for a metric.
type metricFlags struct {
	shape  string
	rounds int
	plot   string
}

func (f *metricFlags) register(cmd *cobra.Command) {
	defer verb.SearchGroup.Claim(cmd.Flags())()
	var shapes []string
	for _, s := range mahalanobis.Shapes {
		shapes = append(shapes, string(s))
	}
	set := cmd.Flags()
	set.StringVar(&f.shape, "metric", "", "learn the distance of the kernel, too, from the gradients of what is learned: diagonal (a relevance of each column) or full; every round is a search on four fifths of the rows, judged by the others")
	set.IntVar(&f.rounds, "metric-rounds", 0, "most rounds of --metric; default 5, and it ends when two are no better")
	set.StringVar(&f.plot, "metric-plot", "", "write a picture of the metric: a .png or .svg file")
	verb.Choices(cmd, "metric", shapes)
}

// metric returns what the flags ask for.
func (f *metricFlags) metric() (search.Metric, error) {
	m := search.Metric{Shape: mahalanobis.Shape(f.shape), Rounds: f.rounds}
	switch {
	case f.shape == "" && (f.rounds != 0 || f.plot != ""):
		return m, verb.Usagef("--metric-rounds and --metric-plot belong to --metric: give --metric diagonal, or full")
	case f.shape != "" && !slices.Contains(mahalanobis.Shapes, m.Shape):
		return m, verb.Usagef("--metric %q is not known; there are %q", f.shape, mahalanobis.Shapes)
	case f.rounds < 0:
		return m, verb.Usagef("--metric-rounds is %d: it must not be negative", f.rounds)
	}
	return m, verb.CanDraw(f.plot)
}

// draw draws a metric, where that is wanted.
func (f *metricFlags) draw(cmd *cobra.Command, m *search.LearnedMetric) error {
	if f.plot == "" || m == nil {
		return nil
	}
	return verb.WritePicture(cmd, f.plot, metricPicture(m))
}

// describeMetric says what a metric gains, and which columns are relevant in it.
func describeMetric(m *search.LearnedMetric) [][]string {
	if m == nil {
		return nil
	}
	const shown = 8
	var relevances []string
	for _, j := range byRelevance(m)[:min(shown, len(m.Columns))] {
		relevances = append(relevances, fmt.Sprintf("%s %s", m.Columns[j], verb.Num(m.Rounds[m.Best].Relevance[j])))
	}
	if len(m.Columns) > shown {
		relevances = append(relevances, fmt.Sprintf("%d others", len(m.Columns)-shown))
	}
	return [][]string{
		{"metric", fmt.Sprintf("%s, round %d of %d: %s %s on %d rows left out, %s without", m.Shape, m.Best, len(m.Rounds)-1, m.Judge, verb.Num(m.Of(m.Best)), m.Judged, verb.Num(m.Of(0)))},
		{"relevance", strings.Join(relevances, ", ")},
	}
}

// byRelevance returns the columns from the most relevant on.
func byRelevance(m *search.LearnedMetric) []int {
	at := make([]int, len(m.Columns))
	for j := range at {
		at[j] = j
	}
	slices.SortStableFunc(at, func(a, b int) int {
		return cmp.Compare(m.Rounds[m.Best].Relevance[b], m.Rounds[m.Best].Relevance[a])
	})
	return at
}

// drawnColumns is the largest number of columns that a picture of a metric has room for.
const drawnColumns = 16

// metricPicture draws the relevance of the columns, and beside it the matrix of a full metric, of
// the most relevant columns where there are many.
func metricPicture(m *search.LearnedMetric) figure.Picture {
	at := byRelevance(m)
	at = at[:min(len(at), drawnColumns)]
	slices.Sort(at)
	bars := figure.Bars{Title: "relevance of the columns", YLabel: "share", Series: make([]figure.Series, 1), Lines: []float64{1 / float64(len(m.Columns))}}
	values := make([][]float64, len(at))
	for i, column := range at {
		bars.Names = append(bars.Names, m.Columns[column])
		bars.Series[0].Values = append(bars.Series[0].Values, m.Rounds[m.Best].Relevance[column])
		for _, other := range at {
			values[i] = append(values[i], m.M[column][other])
		}
	}
	if m.Shape == mahalanobis.Diagonal {
		return figure.BarPanels{bars}
	}
	return figure.Metric{Relevance: bars, M: values}
}
