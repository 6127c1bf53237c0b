package task

import (
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel/expr"
)

// Family is a kind of kernel with its free parameters.
type Family struct {
	Name   string
	Kernel string // an expression in which ? stands for a free parameter
}

// Families returns the kinds of kernels that suit the points of a table: those on vectors where it
// has features, and else those on what its first column of text holds.
func Families(t *data.Table, s prep.Spec) ([]Family, error) {
	columns, err := s.TextAlone(t)
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return vectorFamilies, nil
	}
	c, _ := t.Column(columns[0])
	what, _ := beginning(c)
	families := make([]Family, len(cellFamilies[what]))
	for i, f := range cellFamilies[what] {
		if families[i] = f; len(columns) > 1 {
			families[i].Kernel += expr.FormatColumns(columns[:1])
		}
	}
	return families, nil
}

// vectorFamilies differ in smoothness and in the norm of differences: kernels of ‖x − y‖₂ are the
// same in all directions, those of ‖x − y‖₁ and below are products or mixtures over the columns,
// as trees are. The linear kernel is what the others have to beat.
var vectorFamilies = []Family{
	{"linear", "linear()"},
	{"rbf", "rbf(sigma=?)"},
	{"matern 5/2", "matern(nu=2.5, sigma=?)"},
	{"laplace", "laplace(sigma=?)"},
	{"laplace1", "laplace1(sigma=?)"},
	{"laplacepq p = 1.25, q = 1", "laplacepq(sigma=?, p=1.25, q=1)"},
	{"laplacepq p = q = 0.75", "laplacepq(sigma=?, p=0.75, q=0.75)"},
	{"linear + laplace1", "linear() + laplace1(sigma=?)"},
}

// cellFamilies are those on what [beginning] finds in a column of text.
var cellFamilies = map[string][]Family{
	inText: {
		{"spectrum k = 2", "normalize(of=spectrum(k=2))"},
		{"spectrum k = 3", "normalize(of=spectrum(k=3))"},
		{"spectrum k = 5", "normalize(of=spectrum(k=5))"},
		{"bounded k = 5", "normalize(of=bounded(k=5))"},
		{"mismatch k = 4, m = 1", "normalize(of=mismatch(k=4, m=1))"},
	},
	inGraphs: {
		{"vertices", "normalize(of=vertices())"},
		{"wl h = 1", "normalize(of=wl(h=1))"},
		{"wl h = 3", "normalize(of=wl(h=3))"},
		{"wl h = 5", "normalize(of=wl(h=5))"},
		{"sp", "normalize(of=sp())"},
		{"wl + sp", "normalize(of=wl(h=3)) + normalize(of=sp())"},
	},
	inVectorBags: {
		{"mean of rbf", "mean(of=rbf(sigma=?))"},
		{"mean of laplace1", "mean(of=laplace1(sigma=?))"},
		{"mean of linear", "mean(of=linear())"},
		{"match of rbf", "normalize(of=match(of=rbf(sigma=?)))"},
	},
	inBags: {
		{"mean of spectrum k = 2", "mean(of=spectrum(k=2))"},
		{"mean of spectrum k = 3", "mean(of=spectrum(k=3))"},
		{"mean of normalised spectrum k = 3", "mean(of=normalize(of=spectrum(k=3)))"},
		{"match of normalised spectrum k = 3", "normalize(of=match(of=normalize(of=spectrum(k=3))))"},
	},
}
