package libsvm

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"example.org/mercer/supervised/svm"
)

// typeNames are LIBSVM's names of the types.
var typeNames = map[svm.Type]string{
	svm.CSVC: "c_svc", svm.NuSVC: "nu_svc", svm.OneClass: "one_class", svm.EpsilonSVR: "epsilon_svr", svm.NuSVR: "nu_svr",
}

// Write writes the model as LIBSVM does, numbers with as many digits as are needed to
// read the same bits back.
func (m *Model) Write(w io.Writer) error {
	out := &writer{b: bufio.NewWriter(w)}
	out.line("svm_type", typeNames[m.Type])
	out.line("kernel_type", m.Kernel.Type)
	if m.Kernel.Type == "polynomial" {
		out.line("degree", m.Kernel.Degree)
	}
	switch m.Kernel.Type {
	case "polynomial", "sigmoid":
		out.numbers("gamma", []float64{m.Kernel.Gamma})
		out.numbers("coef0", []float64{m.Kernel.Coef0})
	case "rbf":
		out.numbers("gamma", []float64{m.Kernel.Gamma})
	}
	total, _ := m.Coef.Dims()
	out.line("nr_class", m.classes())
	out.line("total_sv", total)
	out.numbers("rho", m.Rho)
	out.integers("label", m.Labels)
	out.numbers("probA", m.ProbA)
	out.numbers("probB", m.ProbB)
	out.numbers("prob_density_marks", m.Density)
	out.integers("nr_sv", m.Count)
	fmt.Fprintln(out.b, "SV")
	for i := range total {
		for j, c := range m.Coef.RawRowView(i) {
			if j > 0 {
				out.b.WriteByte(' ')
			}
			out.b.WriteString(number(c))
		}
		if m.Points == nil {
			fmt.Fprintf(out.b, " 0:%d", m.Rows[i])
		} else {
			p := m.Points.At(i)
			for a, j := range p.Index {
				fmt.Fprintf(out.b, " %d:%s", j+1, number(p.Value[a]))
			}
		}
		out.b.WriteByte('\n')
	}
	if err := out.b.Flush(); err != nil {
		return fmt.Errorf("libsvm: writing a model: %w", err)
	}
	return nil
}

// number returns the shortest text that is read as the same number.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// writer writes header lines; those without content are left out.
type writer struct{ b *bufio.Writer }

func (w *writer) line(key string, value any) { fmt.Fprintln(w.b, key, value) }

func (w *writer) numbers(key string, values []float64) {
	if len(values) == 0 {
		return
	}
	fmt.Fprint(w.b, key)
	for _, v := range values {
		fmt.Fprint(w.b, " ", number(v))
	}
	fmt.Fprintln(w.b)
}

func (w *writer) integers(key string, values []int) {
	if len(values) == 0 {
		return
	}
	fmt.Fprint(w.b, key)
	for _, v := range values {
		fmt.Fprint(w.b, " ", v)
	}
	fmt.Fprintln(w.b)
}
