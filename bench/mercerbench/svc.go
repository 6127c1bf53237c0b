package main

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
)

// svc trains a classifier from the points on; predictSVC labels new points with it.
type svc struct {
	k      kernel.Kernel[[]float64]
	x      data.Vectors
	y      []int
	o      svm.Options
	f      *model.Expansion[[]float64]
	report *svm.Report
}

func newSVC(dir string, p params) (work, error) { return loadSVC(dir, p) }

func loadSVC(dir string, p params) (*svc, error) {
	k, err := vec.Parse(p.Kernel)
	if err != nil {
		return nil, err
	}
	x, err := readVectors(dir, "x")
	if err != nil {
		return nil, err
	}
	y, err := readClasses(dir)
	return &svc{k: k, x: x, y: y, o: svm.Options{C: p.C}}, err
}

// readClasses reads the labels y, of which −1 is the class 0.
func readClasses(dir string) ([]int, error) {
	labels, err := readMatrix(dir, "y")
	if err != nil {
		return nil, err
	}
	n, _ := labels.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = max(0, int(labels.At(i, 0)+0.5))
	}
	return y, nil
}

func (s *svc) forget() { s.f, s.report = nil, nil }

func (s *svc) run(ctx context.Context) (float64, error) {
	var err error
	s.f, s.report, err = svm.Fit(ctx, s.k, s.x, s.y, s.o)
	return 0, err
}

// save writes the coefficients over all rows, which the judge needs: the points of the
// expansion are rows in their order, and of equal rows of one class it does not matter
// which has the coefficient.
func (s *svc) save(_ context.Context, dir string) error {
	machines := s.f.Outputs()
	coef, at := mat.NewDense(s.x.Len(), machines, nil), 0
	for i, class := range s.y {
		if at < s.f.Points.Len() && slices.Equal(s.x.At(i), s.f.Points.At(at)) && s.belongs(at, class) {
			copy(coef.RawRowView(i), s.f.Coef.RawRowView(at))
			at++
		}
	}
	if at < s.f.Points.Len() {
		return fmt.Errorf("support vector %d of %d is no row", at, s.f.Points.Len())
	}
	if err := writeMatrix(dir, "bias", mat.NewDense(machines, 1, s.f.Bias)); err != nil {
		return err
	}
	return writeMatrix(dir, "result", coef)
}

// belongs reports whether a support vector is of a class.
func (s *svc) belongs(at, class int) bool {
	for j, v := range s.f.Coef.RawRowView(at) {
		if v > 0 && s.report.Decision.Positive[j] != class || v < 0 && s.report.Decision.Negative[j] != class {
			return false
		}
	}
	return true
}

// svcLabels labels the rows of "z", with kernel values of the given precision.
type svcLabels struct {
	*svc
	z         data.Vectors
	precision compute.Precision
	out       []int
}

func newSVCLabels(precision compute.Precision) func(string, params) (work, error) {
	return func(dir string, p params) (work, error) { return loadSVCLabels(dir, p, precision) }
}

func loadSVCLabels(dir string, p params, precision compute.Precision) (work, error) {
	s, err := loadSVC(dir, p)
	if err != nil {
		return nil, err
	}
	z, err := readVectors(dir, "z")
	if err != nil {
		return nil, err
	}
	_, err = s.run(context.Background())
	return &svcLabels{svc: s, z: z, precision: precision}, err
}

func (l *svcLabels) forget() { l.out = nil }

func (l *svcLabels) run(ctx context.Context) (float64, error) {
	values, err := l.f.Predict(ctx, l.z, compute.Options{Precision: l.precision})
	if err != nil {
		return 0, err
	}
	l.out = l.report.Decision.Classes(values)
	return 0, nil
}

func (l *svcLabels) save(_ context.Context, dir string) error {
	labels := mat.NewDense(len(l.out), 1, nil)
	for i, c := range l.out {
		labels.Set(i, 0, float64(c))
	}
	return writeMatrix(dir, "result", labels)
}
