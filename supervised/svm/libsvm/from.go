package libsvm

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
)

// FromExpansion returns what package svm has learned as a model of LIBSVM. For a
// classifier rule is that of its report, and labels[c] is the label of class c; without
// classes both are nil. It is an error if LIBSVM lacks the kernel or the scheme
// (one-vs-rest), or if a point belongs to two classes.
func FromExpansion(f *model.Expansion[[]float64], t svm.Type, rule *svm.Decision, labels []int) (*Model, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	k, err := kernelOf(f.Kernel)
	if err != nil {
		return nil, err
	}
	m, order, err := group(f.Coef, f.Bias, t, rule, labels)
	if err != nil {
		return nil, err
	}
	m.Kernel, m.Points = k, &data.Sparse{}
	for _, i := range order {
		if err := m.Points.Append(sparse(f.Points.At(i))); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// FromRows returns the model of a precomputed kernel: coefficient i belongs to row s.Rows[i] of
// the training matrix; those of 0 are left out. The rest is as in
// [FromExpansion].
func FromRows(s *svm.Solution, t svm.Type, rule *svm.Decision, labels []int) (*Model, error) {
	m, order, err := group(s.Coef, s.Bias, t, rule, labels)
	if err != nil {
		return nil, err
	}
	m.Kernel = Kernel{Type: "precomputed"}
	for _, i := range order {
		m.Rows = append(m.Rows, s.Rows[i]+1)
	}
	return m, nil
}

// group orders the rows that have a coefficient by their class and lays out the
// coefficients as LIBSVM does. It returns the original rows in the new order.
func group(coef *mat.Dense, bias []float64, t svm.Type, rule *svm.Decision, labels []int) (*Model, []int, error) {
	m := &Model{Type: t}
	for _, b := range bias {
		m.Rho = append(m.Rho, -b)
	}
	rows, _ := coef.Dims()
	if rule == nil {
		var order []int
		for i := range rows {
			if coef.At(i, 0) != 0 {
				order = append(order, i)
			}
		}
		m.Coef = gather(order, 1, func(row []float64, i int) { row[0] = coef.At(i, 0) })
		return m, order, nil
	}
	place, err := m.order(rule, labels)
	if err != nil {
		return nil, nil, err
	}
	members := make([][]int, len(m.Labels))
	for i := range rows {
		class, err := classOf(coef.RawRowView(i), rule, i)
		if err != nil {
			return nil, nil, err
		}
		if class >= 0 {
			members[place[class]] = append(members[place[class]], i)
		}
	}
	var order, class []int
	for c, of := range members {
		m.Count = append(m.Count, len(of))
		for _, i := range of {
			order, class = append(order, i), append(class, c)
		}
	}
	at := 0
	m.Coef = gather(order, len(m.Labels)-1, func(row []float64, i int) {
		problem, own := 0, class[at]
		for a, b := range problems(len(m.Labels)) {
			switch own {
			case a:
				row[b-1] = coef.At(i, problem)
			case b:
				row[a] = coef.At(i, problem)
			}
			problem++
		}
		at++
	})
	return m, order, nil
}

// order finds LIBSVM's order of the classes, in which problem (i, j) prefers class i where
// its value is above 0, and notes their labels. It returns the place of each class.
func (m *Model) order(rule *svm.Decision, labels []int) (map[int]int, error) {
	if rule.Scheme != svm.OneVsOne {
		return nil, fmt.Errorf("libsvm: LIBSVM decides one-vs-one, not %s: train with the scheme %q", rule.Scheme, svm.OneVsOne)
	}
	classes := rule.Order
	if len(classes) == 2 {
		classes = []int{rule.Positive[0], rule.Negative[0]}
	}
	place := map[int]int{}
	for at, c := range classes {
		if c >= len(labels) {
			return nil, fmt.Errorf("libsvm: class %d has no label: %d labels were given", c, len(labels))
		}
		place[c] = at
		m.Labels = append(m.Labels, labels[c])
	}
	at := 0
	for i, j := range problems(len(classes)) {
		if at >= len(rule.Positive) || place[rule.Positive[at]] != i || place[rule.Negative[at]] != j {
			return nil, fmt.Errorf("libsvm: problem %d is not the one of classes %d and %d: LIBSVM wants one problem for each pair, in order", at, classes[i], classes[j])
		}
		at++
	}
	return place, nil
}

// classOf returns the class of a row, which its coefficients show: those of the positive
// class of a problem are above 0, those of the negative below. −1 is a row without any.
func classOf(coef []float64, rule *svm.Decision, row int) (int, error) {
	class := -1
	for j, v := range coef {
		c := rule.Positive[j]
		switch {
		case v == 0:
			continue
		case v < 0:
			c = rule.Negative[j]
		}
		if class >= 0 && c != class {
			return 0, fmt.Errorf("libsvm: row %d has coefficients of the classes %d and %d: no classifier has that", row, class, c)
		}
		class = c
	}
	return class, nil
}

// gather returns a matrix with one row for each of order, filled by fill.
func gather(order []int, cols int, fill func(row []float64, i int)) *mat.Dense {
	if len(order) == 0 {
		return &mat.Dense{}
	}
	out := mat.NewDense(len(order), cols, nil)
	for to, i := range order {
		fill(out.RawRowView(to), i)
	}
	return out
}

// sparse returns the entries of a vector that are not 0.
func sparse(x []float64) data.SparseVector {
	var v data.SparseVector
	for j, value := range x {
		if value != 0 {
			v.Index, v.Value = append(v.Index, int32(j)), append(v.Value, value)
		}
	}
	return v
}
