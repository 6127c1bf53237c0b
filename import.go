package mercer

import (
	"context"
	"fmt"
	"io"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/svm"
)

// foreign is a model file of another program, and the table that it is meant for.
type foreign struct {
	name   string
	file   *io.SectionReader
	table  *data.Table
	spec   prep.Spec
	kernel string
	budget *data.Budget
}

// importer reads the model files of another program.
type importer func(context.Context, foreign) (*Model, *prep.Prepared, error)

// importers read files that begin in a way of their own.
var importers = map[string]importer{
	"PK\x03\x04": importSklearn, // a zip archive
}

// magic is the number of bytes by which an importer is found.
const magic = 4

// importerOf returns what reads a file. One that begins like no other is read as a model of LIBSVM,
// which is text with lines in any order: its reader says what is wrong.
func importerOf(begin []byte) importer {
	if read := importers[string(begin)]; read != nil {
		return read
	}
	return importLIBSVM
}

// Import makes a model of a model file of another program: one of LIBSVM, or of scikit-learn as
// skops writes it, see package sklearn. The table, one that the model is meant for, names the
// columns and the target; nothing is learned from it but what rows of the self-test are to
// resemble. A model of LIBSVM over a precomputed kernel has numbers of rows: the table is the one
// that it was trained with, and kernel the expression of its kernel. Other files have a kernel of
// their own, and it is "". Memory for the file comes from the budget, nil for any.
func Import(ctx context.Context, name string, file *io.SectionReader, t *data.Table, s prep.Spec, kernel string, budget *data.Budget, o compute.Options) (*Model, error) {
	start := make([]byte, magic)
	n, err := file.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m, rows, err := importerOf(start[:n])(ctx, foreign{name, file, t, s, kernel, budget})
	if err != nil {
		return nil, err
	}
	m.Source, m.Version = name, model.Version
	return m, m.inventSelfTest(ctx, rows, o)
}

// checkOutputs refuses a table whose targets are others than a model has outputs.
func (f foreign) checkOutputs(outputs int, d outcome.Decision) error {
	if outputs != len(d.Outputs) {
		return fmt.Errorf("%s: the model has %d outputs, and the targets of %s want %d", f.name, outputs, f.table.Source, len(d.Outputs))
	}
	return nil
}

// supportVectors is the report of a support vector machine that was not fitted here, and the name
// of its method.
func supportVectors(t svm.Type, points int) (*svm.Report, string) {
	method := methods.SVC{}.Name()
	switch t {
	case svm.OneClass:
		method = methods.OneClass{}.Name()
	case svm.EpsilonSVR, svm.NuSVR:
		method = methods.SVR{}.Name()
	}
	return &svm.Report{Type: t, SupportVectors: points, Converged: true}, method
}

// ownKernel refuses a kernel beside that of a file.
func (f foreign) ownKernel() error {
	if f.kernel != "" {
		return fmt.Errorf("%s: the model has a kernel of its own: leave the kernel %s out", f.name, data.Quote(f.kernel))
	}
	return nil
}

// numbered names points that are rows of no table here.
func numbered(prefix string, count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, i+1)
	}
	return names
}
