package mercer

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/supervised/svm/libsvm"
	"example.org/mercer/task"
)

// WriteLIBSVM writes a support vector machine as a model file of LIBSVM, which svm-predict
// accepts. LIBSVM prepares nothing and has no names of labels: the features must be
// numbers as they stand in the table, and labels must be whole numbers.
func (m *Model) WriteLIBSVM(w io.Writer) error {
	if m.Compression != nil {
		return errCompressed
	}
	report, ok := m.Report.(interface{ SVMType() svm.Type })
	if !ok {
		return fmt.Errorf("mercer: LIBSVM has support vector machines, and this model was made by method %q", m.Method)
	}
	f, ok := task.VectorEncoding.FunctionOf(m.Function)
	if !ok {
		return errors.New("mercer: the model stands on row ids; LIBSVM wants vectors, or a matrix of its own (-t 4)")
	}
	e, ok := f.Predictor.(*model.Expansion[[]float64])
	if !ok {
		return task.ErrPrimal
	}
	if !m.Prep.Plain() {
		return fmt.Errorf("mercer: the model prepares its table (%s) and LIBSVM does not: fit it again with columns as they are (--no-standardize) and without categories", m.Prep)
	}
	var labels []int
	if m.Decision.Rule == outcome.Votes {
		for _, label := range m.Prep.Targets()[0].Labels {
			v, err := strconv.Atoi(label)
			if err != nil {
				return fmt.Errorf("mercer: LIBSVM numbers its labels, and this model has the label %q: number the labels of the table", label)
			}
			labels = append(labels, v)
		}
	}
	out, err := libsvm.FromExpansion(e, report.SVMType(), m.Decision.Votes, labels)
	if err != nil {
		return err
	}
	return out.Write(w)
}
