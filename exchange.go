package mercer

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
	"example.org/mercer/task"
)

// WriteLIBSVM writes a support vector machine as a model file of LIBSVM, which svm-predict
// accepts. LIBSVM prepares nothing and has no names of labels: the features must be
// numbers as they stand in the table, and labels must be whole numbers.
//
// With precomputed the file has the numbers of its training rows in place of vectors, for
// svm-predict of rows that hold their kernel values (-t 4): then any kernel and any preparation
// will do, and rows must be named by their numbers in the table, from 1.
func (m *Model) WriteLIBSVM(w io.Writer, precomputed bool) error {
	if m.Compression != nil {
		return errCompressed
	}
	report, ok := m.Report.(interface{ SVMType() svm.Type })
	if !ok {
		return fmt.Errorf("mercer: LIBSVM has support vector machines, and this model was made by method %q", m.Method)
	}
	write := m.forLIBSVM
	if precomputed {
		write = m.forPrecomputed
	}
	out, err := write(report.SVMType())
	if err != nil {
		return err
	}
	return out.Write(w)
}

// numberedLabels are the labels as LIBSVM has them; nil: there are none.
func (m *Model) numberedLabels() (labels []int, err error) {
	if m.Decision.Rule != outcome.Votes {
		return nil, nil
	}
	for _, label := range m.Prep.Targets()[0].Labels {
		v, err := strconv.Atoi(label)
		if err != nil {
			return nil, fmt.Errorf("mercer: LIBSVM numbers its labels, and this model has the label %q: number the labels of the table", label)
		}
		labels = append(labels, v)
	}
	return labels, nil
}

// forLIBSVM is the model with its vectors.
func (m *Model) forLIBSVM(t svm.Type) (*libsvm.Model, error) {
	f, ok := task.VectorEncoding.FunctionOf(m.Function)
	if !ok {
		return nil, errors.New("mercer: the points of the model are no vectors; LIBSVM wants vectors, or the numbers of rows (--precomputed)")
	}
	e, ok := f.Predictor.(*model.Expansion[[]float64])
	if !ok {
		return nil, task.ErrPrimal
	}
	if !m.Prep.Plain() {
		return nil, fmt.Errorf("mercer: the model prepares its table (%s) and LIBSVM does not: fit it again with columns as they are (--no-standardize) and without categories, or write the numbers of rows (--precomputed)", m.Prep)
	}
	labels, err := m.numberedLabels()
	if err != nil {
		return nil, err
	}
	return libsvm.FromExpansion(e, t, m.Decision.Votes, labels)
}

// forPrecomputed is the model with the numbers of its rows.
func (m *Model) forPrecomputed(t svm.Type) (*libsvm.Model, error) {
	if !m.Function.StandsOnRows() || m.Approximation != nil {
		return nil, errors.New("mercer: the function does not stand on training rows alone: fit it without landmarks and features, with --solver cholesky where there is one")
	}
	if id := m.Prep.ID(); id != "" && m.Function.Kind() != task.OnRowIDs {
		return nil, fmt.Errorf("mercer: LIBSVM numbers training rows from 1, and those of the model are named by column %s: fit it without --id", data.Quote(id))
	}
	s := &svm.Solution{Coef: m.Function.Coef(), Bias: m.Bias()}
	for _, name := range m.Trained {
		number, err := strconv.Atoi(name)
		if err != nil || number < 1 {
			return nil, fmt.Errorf("mercer: LIBSVM numbers training rows from 1, and the model has the row %q: number the rows of its matrix", name)
		}
		s.Rows = append(s.Rows, number-1)
	}
	labels, err := m.numberedLabels()
	if err != nil {
		return nil, err
	}
	return libsvm.FromRows(s, t, m.Decision.Votes, labels)
}
