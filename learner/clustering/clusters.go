package clustering

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"strconv"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

// columnsOf gathers columns of a matrix.
func columnsOf(a *mat.Dense, columns []int) *mat.Dense {
	n, m := a.Dims()
	if len(columns) == m {
		return a
	}
	out := mat.NewDense(n, len(columns), nil)
	for to, from := range columns {
		out.SetCol(to, mat.Col(nil, from, a))
	}
	return out
}

// repeated returns the operator of a Gram matrix for many products, stored where it and the
// bytes beside fit.
func repeated(ctx context.Context, k gram.Operator, beside int64, o compute.Options) (gram.Symmetric, string, error) {
	switch k := k.(type) {
	case *gram.Stream:
		return gram.CachedOperator(ctx, k.Pairs(), beside, o)
	case gram.Symmetric:
		return k, "", nil
	}
	return nil, "", fmt.Errorf("learner: the elements of %T cannot be read", k)
}

// clusterSettings are the settings of the methods of package kmeans.
type clusterSettings struct {
	o         kmeans.Options
	clusters  string
	precision string
	judges    int
}

// declareClusters declares the number of clusters; by is what chooses it from a range.
func declareClusters(fs learner.Flags, to *string, by string) {
	fs.StringVar(to, "clusters", "2..10", "how many clusters, or a range to choose from by "+by)
}

// declareStarts declares number and length of the starts.
func (s *clusterSettings) declareStarts(fs learner.Flags) {
	fs.IntVar(&s.o.Restarts, "restarts", 0, "starts, of which the best result is kept; default 10")
	fs.IntVar(&s.o.MaxIterations, "iterations", 0, "limit of the iterations of a start; default 300")
}

// declareSilhouettes declares the rows by which numbers of clusters are compared.
func (s *clusterSettings) declareSilhouettes(fs learner.Flags) {
	fs.IntVar(&s.judges, "silhouette-rows", 0, "compare a range of --clusters by the silhouettes of so many rows, drawn at random; default all, and 4096 of a table that is read in passes")
}

// declarePrecision declares that of a matrix.
func (s *clusterSettings) declarePrecision(fs learner.Flags) {
	fs.StringVar(&s.precision, "precision", compute.Double.String(), "double, or single: a matrix of 4-byte numbers")
}

// options returns the options, and the numbers of clusters to choose from.
func (s *clusterSettings) options(t *task.Task, g *learner.Given) (o kmeans.Options, k kmeans.Range, err error) {
	if k, err = clusterRange(s.clusters, t, g); err != nil {
		return o, k, err
	}
	if s.judges < 0 || s.judges == 1 {
		return o, k, settings.Errorf("--silhouette-rows is %d: a silhouette needs two rows at least", s.judges)
	}
	o = s.o
	if o.Seed, o.Compute = g.Seed, g.Compute; s.precision != "" {
		o.Compute, err = settings.InPrecision(g.Compute, s.precision)
	}
	return o, k, err
}

// clusterRange reads "3" or "2..10"; the default ends at the number of rows.
func clusterRange(text string, t *task.Task, g *learner.Given) (kmeans.Range, error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		high = low
	}
	least, err1 := strconv.Atoi(low)
	most, err2 := strconv.Atoi(high)
	if err1 != nil || err2 != nil || least < 1 || most < least {
		return kmeans.Range{}, settings.Errorf("--clusters is %q: give a number such as 3, or a range such as 2..10", text)
	}
	if n, _, _ := t.Dims(); !g.Has("clusters") {
		most = max(least, min(most, n-1))
	}
	return kmeans.Range{Least: least, Most: most}, nil
}
