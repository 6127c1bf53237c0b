package calibrate

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Method is a way to make probabilities of decision values.
type Method string

const (
	// Platt is a sigmoid for every column, see [FitTwoSided].
	Platt Method = "platt"
	// Isotonics is a rising function for every column, see [FitSigned].
	Isotonics Method = "isotonic"
	// Temperature is one factor for all columns: a softmax of values that stand for the
	// classes, see [FitTemperature], or one slope for machines of pairs.
	Temperature Method = "temperature"
)

// Methods are all of them.
var Methods = []Method{Platt, Isotonics, Temperature}

// Columns says what the columns of decision values tell apart: column j speaks for the
// class Positive[j] where it is above 0, and for Negative[j], or for all others where
// that is −1, where it is below.
//
// There are three shapes: one column for two classes; one for each class against the
// rest; one for each pair of some classes.
type Columns struct {
	Classes  int   `json:"classes"`
	Positive []int `json:"positive"`
	Negative []int `json:"negative"`
}

// Two is the single column of two classes, positive for class 1.
func Two() Columns { return Columns{Classes: 2, Positive: []int{1}, Negative: []int{0}} }

// Rest has one column for each of m classes, against the rest.
func Rest(m int) Columns {
	c := Columns{Classes: m}
	for k := range m {
		c.Positive, c.Negative = append(c.Positive, k), append(c.Negative, -1)
	}
	return c
}

// rest reports whether the columns stand for classes against the rest.
func (c Columns) rest() bool { return len(c.Negative) > 0 && c.Negative[0] < 0 }

// check reports columns that are in none of the three shapes.
func (c Columns) check() error {
	if len(c.Positive) == 0 || len(c.Positive) != len(c.Negative) || c.Classes < 2 {
		return fmt.Errorf("calibrate: %d columns for a class and %d against one, of %d classes, are no classifier", len(c.Positive), len(c.Negative), c.Classes)
	}
	seen := map[[2]int]bool{}
	known := map[int]bool{}
	for j, a := range c.Positive {
		b := c.Negative[j]
		if a < 0 || a >= c.Classes || b < -1 || b >= c.Classes || a == b || (b < 0) != c.rest() {
			return fmt.Errorf("calibrate: column %d tells class %d from %d, and there are %d classes", j, a, b, c.Classes)
		}
		if seen[[2]int{a, b}] || seen[[2]int{b, a}] {
			return fmt.Errorf("calibrate: two columns tell class %d from %d", a, b)
		}
		seen[[2]int{a, b}], known[a] = true, true
		if b >= 0 {
			known[b] = true
		}
	}
	if k := len(known); !c.rest() && len(c.Positive) != k*(k-1)/2 {
		return fmt.Errorf("calibrate: there are %d columns for the pairs of %d classes", len(c.Positive), k)
	}
	return nil
}

// Map makes probabilities of the decision values of a classifier. It is plain data.
type Map struct {
	Method  Method     `json:"method"`
	Columns Columns    `json:"columns"`
	Sided   []TwoSided `json:"sigmoids,omitempty"`  // of Platt, one per column
	Rising  []Isotonic `json:"isotonic,omitempty"`  // of Isotonics, one per column
	Beta    float64    `json:"inverse_t,omitempty"` // of Temperature: 1/T
	Rows    int        `json:"rows,omitempty"`      // rows it was fitted to
}

// Fit fits a map of the given kind to decision values f, rows × columns, of rows whose
// classes are known and that the classifier did not learn from. A column for a pair of
// classes is fitted to their rows, another to all. Nil weights are all 1.
func Fit(method Method, f *mat.Dense, columns Columns, class []int, w []float64) (*Map, error) {
	if err := columns.check(); err != nil {
		return nil, err
	}
	n, width := f.Dims()
	if width != len(columns.Positive) {
		return nil, fmt.Errorf("calibrate: there are %d columns of decision values, and %d are described", width, len(columns.Positive))
	}
	if err := checkClasses(f, class, columns.Classes, w); err != nil {
		return nil, err
	}
	m := &Map{Method: method, Columns: columns, Rows: n}
	var err error
	switch method {
	case Platt, Isotonics:
		err = m.fitColumns(f, class, w)
	case Temperature:
		if columns.rest() {
			m.Beta, err = m.fitRest(f, class, w)
		} else {
			m.fitPairs(f, class, w)
		}
	default:
		err = fmt.Errorf("calibrate: method %q is not known; there are %q", method, Methods)
	}
	return m, err
}

// column returns the rows that column j is about: their values, whether they are of its
// positive class, and their weights.
func (m *Map) column(f *mat.Dense, class []int, w []float64, j int) (values []float64, positive []bool, mass []float64) {
	a, b := m.Columns.Positive[j], m.Columns.Negative[j]
	for i, c := range class {
		if c == a || b < 0 || c == b {
			values, positive, mass = append(values, f.At(i, j)), append(positive, c == a), append(mass, weight(w, i))
		}
	}
	return values, positive, mass
}

func (m *Map) fitColumns(f *mat.Dense, class []int, w []float64) error {
	for j := range m.Columns.Positive {
		values, positive, mass := m.column(f, class, w, j)
		if checkWeights(len(mass), mass) != nil {
			return fmt.Errorf("calibrate: none of the rows is of the classes %d and %d that column %d tells apart", m.Columns.Positive[j], m.Columns.Negative[j], j)
		}
		if m.Method == Platt {
			s, err := FitTwoSided(values, positive, mass)
			if err != nil {
				return err
			}
			m.Sided = append(m.Sided, s)
			continue
		}
		s, err := FitSigned(values, positive, mass)
		if err != nil {
			return err
		}
		m.Rising = append(m.Rising, *s)
	}
	return nil
}

// fitRest fits one temperature to the values of the classes that have a column. Rows of
// other classes say nothing of it.
func (m *Map) fitRest(f *mat.Dense, class []int, w []float64) (float64, error) {
	at := make([]int, m.Columns.Classes)
	for j, c := range m.Columns.Positive {
		at[c] = j + 1
	}
	var rows []float64
	var own []int
	var mass []float64
	for i, c := range class {
		if at[c] > 0 {
			rows, own, mass = append(rows, f.RawRowView(i)...), append(own, at[c]-1), append(mass, weight(w, i))
		}
	}
	if own == nil {
		return 0, errors.New("calibrate: no row is of a class that has a column")
	}
	return FitTemperature(mat.NewDense(len(own), len(m.Columns.Positive), rows), own, mass)
}

// fitPairs fits one slope to the rows of all machines.
func (m *Map) fitPairs(f *mat.Dense, class []int, w []float64) {
	var all, t, mass []float64
	for j := range m.Columns.Positive {
		values, positive, weights := m.column(f, class, w, j)
		all, t, mass = append(all, values...), append(t, binaryTargets(positive, weights)...), append(mass, weights...)
	}
	m.Beta = fitSlope(all, t, mass)
}

// Check returns why a map, read from a file, cannot belong to a classifier with the
// given columns. A map that passes keeps the promise of [Map.Probabilities].
func (m *Map) Check(columns Columns) error {
	if err := m.Columns.check(); err != nil {
		return err
	}
	if fmt.Sprint(m.Columns) != fmt.Sprint(columns) {
		return fmt.Errorf("calibrate: the map is for columns %v, and the classifier has %v", m.Columns, columns)
	}
	sided, rising := 0, 0
	switch width := len(columns.Positive); m.Method {
	case Platt:
		sided = width
	case Isotonics:
		rising = width
	case Temperature:
		if err := (TwoSided{m.Beta, m.Beta}).check(); err != nil {
			return err
		}
	default:
		return fmt.Errorf("calibrate: method %q is not known; there are %q", m.Method, Methods)
	}
	if len(m.Sided) != sided || len(m.Rising) != rising {
		return fmt.Errorf("calibrate: the map %q has %d sigmoids and %d isotonic functions for %d columns", m.Method, len(m.Sided), len(m.Rising), len(columns.Positive))
	}
	for _, s := range m.Sided {
		if err := s.check(); err != nil {
			return err
		}
	}
	for _, s := range m.Rising {
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

// at returns the probabilities of the negative and the positive side of column j.
func (m *Map) at(j int, f float64) (no, yes float64) {
	switch m.Method {
	case Platt:
		return m.Sided[j].At(f)
	case Isotonics:
		p := m.Rising[j].At(f)
		return 1 - p, p
	}
	return TwoSided{m.Beta, m.Beta}.At(f)
}

// Probabilities stores those of all classes in dst for one row of finite decision
// values, of which the rule of the classifier says that they speak for label.
//
// Promise: dst[label] ≥ dst[c] for every class c, exactly; every element is in [0, 1];
// they add up to 1 to rounding. Of two classes, and with a temperature on columns of
// classes, this is so by the map alone if the rule is the sign or the largest value.
// Else [Favour] sees to it: after [Couple], because votes need not agree with it, and
// after columns against the rest have been divided by their sum. A class without a
// column has probability 0.
func (m *Map) Probabilities(dst, values []float64, label int) {
	clear(dst)
	c := m.Columns
	switch {
	case len(c.Positive) == 1 && !c.rest():
		dst[c.Negative[0]], dst[c.Positive[0]] = m.at(0, values[0])
	case c.rest():
		m.against(dst, values)
	default:
		m.pairs(dst, values)
	}
	Favour(dst, label)
}

// against fills in the classes of columns against the rest.
func (m *Map) against(dst, values []float64) {
	c := m.Columns
	p := make([]float64, len(values))
	if m.Method == Temperature {
		Softmax(p, values, m.Beta)
	} else {
		sum := 0.0
		for j, v := range values {
			_, p[j] = m.at(j, v)
			sum += p[j]
		}
		for j := range p {
			if p[j] /= sum; sum == 0 {
				p[j] = 1 / float64(len(p))
			}
		}
	}
	for j, class := range c.Positive {
		dst[class] = p[j]
	}
}

// pairs fills in the classes of machines for pairs.
func (m *Map) pairs(dst, values []float64) {
	c := m.Columns
	index, classes := map[int]int{}, []int{}
	place := func(class int) int {
		k, ok := index[class]
		if !ok {
			k = len(classes)
			index[class], classes = k, append(classes, class)
		}
		return k
	}
	for j := range c.Positive {
		place(c.Positive[j])
		place(c.Negative[j])
	}
	r := mat.NewDense(len(classes), len(classes), nil)
	for j, v := range values {
		a, b := place(c.Positive[j]), place(c.Negative[j])
		no, yes := m.at(j, v)
		r.Set(a, b, yes)
		r.Set(b, a, no)
	}
	for k, p := range Couple(r) {
		dst[classes[k]] = p
	}
}
