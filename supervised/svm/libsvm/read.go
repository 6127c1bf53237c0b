package libsvm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/supervised/svm"
)

// longestLine is the length in bytes beyond which a line is refused: 256 MiB.
const longestLine = 256 << 20

// Read reads a model file; name stands for it in errors, which are [*data.Error] and name
// the line. Everything is checked: an unknown key, a number that is not finite, counts
// that do not agree, indices that do not rise.
func Read(name string, r io.Reader) (*Model, error) {
	p := &parser{name: name, scan: bufio.NewScanner(r), m: &Model{}}
	p.scan.Buffer(nil, longestLine)
	if err := p.header(); err != nil {
		return nil, err
	}
	if err := p.agree(); err != nil {
		return nil, err
	}
	if err := p.vectors(); err != nil {
		return nil, err
	}
	return p.m, nil
}

// parser is the state of reading.
type parser struct {
	name           string
	scan           *bufio.Scanner
	line           int
	m              *Model
	classes, total int
}

func (p *parser) fail(value, reason, fix string) error {
	return &data.Error{Source: p.name, Line: p.line, Value: value, Reason: reason, Fix: fix}
}

// next returns the words of the next line, nil at the end.
func (p *parser) next() ([]string, error) {
	if !p.scan.Scan() {
		if err := p.scan.Err(); err != nil {
			return nil, &data.Error{Source: p.name, Line: p.line + 1, Reason: "cannot be read", Err: err}
		}
		return nil, nil
	}
	p.line++
	return strings.Fields(p.scan.Text()), nil
}

// header reads the lines up to SV.
func (p *parser) header() error {
	for {
		words, err := p.next()
		if err != nil {
			return err
		}
		if words == nil {
			return p.fail("", "ends before its support vectors", "give a whole model file of LIBSVM")
		}
		if len(words) == 0 {
			continue
		}
		if words[0] == "SV" {
			return nil
		}
		if err := p.entry(words[0], words[1:]); err != nil {
			return err
		}
	}
}

// entry takes one line of the header over.
func (p *parser) entry(key string, words []string) (err error) {
	one := func() string {
		if len(words) == 1 {
			return words[0]
		}
		return ""
	}
	m := p.m
	switch key {
	case "svm_type":
		for t, name := range typeNames {
			if name == one() {
				m.Type = t
				return nil
			}
		}
		return p.fail(one(), "is not a type of LIBSVM", "one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr is")
	case "kernel_type":
		switch m.Kernel.Type = one(); m.Kernel.Type {
		case "linear", "polynomial", "rbf", "sigmoid", "precomputed":
			return nil
		}
		return p.fail(one(), "is not a kernel of LIBSVM", "one of linear, polynomial, rbf, sigmoid, precomputed is")
	case "degree":
		m.Kernel.Degree, err = p.integer(one(), 1)
	case "nr_class":
		p.classes, err = p.integer(one(), 2)
	case "total_sv":
		p.total, err = p.integer(one(), 0)
	case "gamma":
		m.Kernel.Gamma, err = p.number(one())
	case "coef0":
		m.Kernel.Coef0, err = p.number(one())
	case "rho":
		m.Rho, err = p.numbers(words)
	case "probA":
		m.ProbA, err = p.numbers(words)
	case "probB":
		m.ProbB, err = p.numbers(words)
	case "prob_density_marks":
		m.Density, err = p.numbers(words)
	case "label":
		m.Labels, err = p.integers(words, math.MinInt)
	case "nr_sv":
		m.Count, err = p.integers(words, 0)
	default:
		return p.fail(key, "is not a key of a model file of LIBSVM", "")
	}
	return err
}

func (p *parser) number(word string) (float64, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, p.fail(word, "is not a finite number", "")
	}
	return v, nil
}

func (p *parser) integer(word string, least int) (int, error) {
	v, err := strconv.Atoi(word)
	if err != nil || v < least {
		return 0, p.fail(word, fmt.Sprintf("is not a whole number of at least %d", least), "")
	}
	return v, nil
}

func (p *parser) numbers(words []string) ([]float64, error) {
	out := make([]float64, len(words))
	for i, word := range words {
		var err error
		if out[i], err = p.number(word); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *parser) integers(words []string, least int) ([]int, error) {
	out := make([]int, len(words))
	for i, word := range words {
		var err error
		if out[i], err = p.integer(word, least); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// agree checks that the header is complete and its counts fit one another.
func (p *parser) agree() error {
	m := p.m
	classifier := m.Type == svm.CSVC || m.Type == svm.NuSVC
	sum := 0
	for _, count := range m.Count {
		sum += count
	}
	switch {
	case m.Type == "" || m.Kernel.Type == "" || p.classes == 0:
		return p.fail("", "has a header without svm_type, kernel_type or nr_class", "give a whole model file of LIBSVM")
	case m.Kernel.Type == "rbf" && !(m.Kernel.Gamma > 0):
		return p.fail("", fmt.Sprintf("has gamma %v for an rbf kernel, which wants a number above 0", m.Kernel.Gamma), "")
	case len(m.Rho) != p.classes*(p.classes-1)/2:
		return p.fail("", fmt.Sprintf("has %d numbers rho for %d classes, which have %d problems", len(m.Rho), p.classes, p.classes*(p.classes-1)/2), "")
	case classifier && (len(m.Labels) != p.classes || len(m.Count) != p.classes || sum != p.total):
		return p.fail("", fmt.Sprintf("has %d labels and %d support vectors in %d counts for %d classes and total_sv %d", len(m.Labels), sum, len(m.Count), p.classes, p.total), "")
	case !classifier && (p.classes != 2 || m.Labels != nil):
		return p.fail("", fmt.Sprintf("has classes, and %s has none", m.Type), "")
	}
	return nil
}

// vectors reads the coefficients and support vectors.
func (p *parser) vectors() error {
	m, cols := p.m, p.classes-1
	var coef []float64
	if m.Kernel.Type != "precomputed" {
		m.Points = &data.Sparse{}
	}
	rows := 0
	for {
		words, err := p.next()
		if err != nil {
			return err
		}
		if words == nil {
			break
		}
		if len(words) == 0 {
			continue
		}
		if len(words) < cols {
			return p.fail("", fmt.Sprintf("has %d words, fewer than the %d coefficients of a support vector", len(words), cols), "")
		}
		row, err := p.numbers(words[:cols])
		if err != nil {
			return err
		}
		if err := p.vector(words[cols:]); err != nil {
			return err
		}
		coef = append(coef, row...)
		rows++
	}
	if rows != p.total {
		return p.fail("", fmt.Sprintf("has %d support vectors and says total_sv %d", rows, p.total), "give the whole file")
	}
	if rows == 0 {
		return p.fail("", "has no support vectors", "")
	}
	m.Coef = mat.NewDense(rows, cols, coef)
	return nil
}

// vector reads the entries of one support vector.
func (p *parser) vector(words []string) error {
	var v data.SparseVector
	for _, word := range words {
		index, value, ok := strings.Cut(word, ":")
		if !ok {
			return p.fail(word, "is not of the form index:value", "")
		}
		if p.m.Points == nil {
			row, err := p.integer(value, 1)
			if index != "0" || len(words) != 1 || err != nil {
				return p.fail(word, "is not 0:row, the only entry of a support vector of a precomputed kernel", "")
			}
			p.m.Rows = append(p.m.Rows, row)
			return nil
		}
		j, err := strconv.ParseInt(index, 10, 32)
		if err != nil || j < 1 || len(v.Index) > 0 && int32(j-1) <= v.Index[len(v.Index)-1] {
			return p.fail(word, "has an index that is not a whole number above the one before", "indices count from 1 and rise")
		}
		x, err := p.number(value)
		if err != nil {
			return err
		}
		v.Index, v.Value = append(v.Index, int32(j-1)), append(v.Value, x)
	}
	if p.m.Points == nil {
		return p.fail("", "has a support vector without its row, 0:row", "")
	}
	return p.m.Points.Append(v)
}
