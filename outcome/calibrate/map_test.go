package calibrate_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"example.org/mercer/outcome/calibrate"
)

// allPairs is one column for each pair of m classes.
func allPairs(m int) calibrate.Columns {
	c := calibrate.Columns{Classes: m}
	for i := range m {
		for j := i + 1; j < m; j++ {
			c.Positive, c.Negative = append(c.Positive, i), append(c.Negative, j)
		}
	}
	return c
}

// labelOf is the rule of each shape: the sign (0 for the positive class), the largest
// value, votes with 0 for the negative class; the first of equals.
func labelOf(c calibrate.Columns, values []float64) int {
	if len(values) == 1 {
		if values[0] >= 0 {
			return c.Positive[0]
		}
		return c.Negative[0]
	}
	score := make([]float64, c.Classes)
	for j, v := range values {
		switch {
		case c.Negative[j] < 0:
			score[c.Positive[j]] = v
		case v > 0:
			score[c.Positive[j]]++
		default:
			score[c.Negative[j]]++
		}
	}
	best := 0
	for k, v := range score {
		if v > score[best] {
			best = k
		}
	}
	return best
}

// someValue draws decision values with many ties, zeros, and extreme sizes.
func someValue() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 0, 1, -1, 0.5, -0.5, 1e-300, -1e-300, 1e9, -1e9}),
		rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) }))
}

type sample struct {
	columns calibrate.Columns
	f       *mat.Dense
	class   []int
	w       []float64
}

func drawSample(t *rapid.T) sample {
	m := rapid.IntRange(2, 5).Draw(t, "classes")
	s := sample{columns: calibrate.Two()}
	if m > 2 {
		s.columns = rapid.SampledFrom([]calibrate.Columns{calibrate.Rest(m), allPairs(m)}).Draw(t, "columns")
	}
	n, width := rapid.IntRange(m, 30).Draw(t, "rows"), len(s.columns.Positive)
	s.f = mat.NewDense(n, width, rapid.SliceOfN(someValue(), n*width, n*width).Draw(t, "values"))
	for i := range n {
		if i < m {
			s.class = append(s.class, i) // every class is there
		} else {
			s.class = append(s.class, rapid.IntRange(0, m-1).Draw(t, "class"))
		}
		s.w = append(s.w, float64(rapid.IntRange(1, 3).Draw(t, "weight")))
	}
	return s
}

// TestLabelIsLargest is the promise: whatever was fitted to whatever rows, the class
// that the rule names has the largest probability.
func TestLabelIsLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t)
		method := rapid.SampledFrom(calibrate.Methods).Draw(t, "method")
		m, err := calibrate.Fit(method, s.f, s.columns, s.class, s.w)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Check(s.columns); err != nil {
			t.Fatalf("a fitted map is refused: %v", err)
		}
		values := rapid.SliceOfN(someValue(), len(s.columns.Positive), len(s.columns.Positive)).Draw(t, "new values")
		label, p := labelOf(s.columns, values), make([]float64, s.columns.Classes)
		m.Probabilities(p, values, label)
		sum := 0.0
		for c, v := range p {
			if !(v >= 0 && v <= 1) || v > p[label] {
				t.Fatalf("%s: class %d has %v, and the label %d has %v", method, c, v, label, p[label])
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%s: the probabilities add up to %v", method, sum)
		}
	})
}

// TestMapAlone: of two classes the map itself agrees with the sign, with p = ½ at 0 and
// p > ½ only above, and rises.
func TestMapAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t)
		if s.columns.Classes != 2 {
			return
		}
		m, err := calibrate.Fit(rapid.SampledFrom(calibrate.Methods).Draw(t, "method"), s.f, s.columns, s.class, s.w)
		if err != nil {
			t.Fatal(err)
		}
		a, b := someValue().Draw(t, "a"), someValue().Draw(t, "b")
		at := func(f float64) float64 {
			var p [2]float64
			// A wrong label would let Favour change p, were the map not right by itself.
			label := 0
			if f >= 0 {
				label = 1
			}
			m.Probabilities(p[:], []float64{f}, label)
			var q [2]float64
			m.Probabilities(q[:], []float64{f}, 1-label)
			// Favour shares the sum of the two, 1 up to the rounding of each, by half.
			if p[label] < 0.5 || q[label] > 0.5+0x1p-52 {
				t.Fatalf("f = %v: %v for its own label, %v once the other is favoured", f, p, q)
			}
			return p[1]
		}
		if at(0) != 0.5 {
			t.Fatalf("p = %v at 0", at(0))
		}
		if a > b {
			a, b = b, a
		}
		if at(a) > at(b) {
			t.Fatalf("p falls from %v at %v to %v at %v", at(a), a, at(b), b)
		}
	})
}

// TestWeightTwice: a row of weight 2 is the row written twice.
func TestWeightTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t)
		method := rapid.SampledFrom(calibrate.Methods).Draw(t, "method")
		var rows []float64
		var class []int
		for i, c := range s.class {
			for range int(s.w[i]) {
				rows, class = append(rows, s.f.RawRowView(i)...), append(class, c)
			}
		}
		weighted, err := calibrate.Fit(method, s.f, s.columns, s.class, s.w)
		if err != nil {
			t.Fatal(err)
		}
		repeated, err := calibrate.Fit(method, mat.NewDense(len(class), len(s.columns.Positive), rows), s.columns, class, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, q := make([]float64, s.columns.Classes), make([]float64, s.columns.Classes)
		for i := range s.class {
			values := s.f.RawRowView(i)
			weighted.Probabilities(p, values, labelOf(s.columns, values))
			repeated.Probabilities(q, values, labelOf(s.columns, values))
			for c := range p {
				// Slopes agree to rounding of sums, of which the logits are multiples; and
				// coupling magnifies them.
				if math.Abs(p[c]-q[c]) > 1e-6 {
					t.Fatalf("%s, row %d: %v with weights, %v with repeated rows", method, i, p, q)
				}
			}
		}
	})
}

func TestMapTravelsAsJSON(t *testing.T) {
	f := mat.NewDense(6, 3, []float64{1, 2, 0.1, -1, 0.4, 2, 0.3, -2, -1, 1, -1, 0.2, -0.5, 1, 0.7, 0, 0.3, -0.1})
	for _, method := range calibrate.Methods {
		m, err := calibrate.Fit(method, f, allPairs(3), []int{0, 1, 2, 0, 1, 2}, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back calibrate.Map
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(*m, back) {
			t.Errorf("%s: %+v came back as %+v", method, *m, back)
		}
	}
}

func TestRefusals(t *testing.T) {
	f := mat.NewDense(2, 1, []float64{1, math.NaN()})
	good := mat.NewDense(2, 1, []float64{1, -1})
	for _, c := range []struct {
		f       *mat.Dense
		columns calibrate.Columns
		class   []int
		w       []float64
		want    string
	}{
		{f, calibrate.Two(), []int{0, 1}, nil, "NaN"},
		{good, calibrate.Two(), []int{0, 2}, nil, "class 2"},
		{good, calibrate.Two(), []int{0}, nil, "classes of 1"},
		{good, calibrate.Two(), []int{0, 1}, []float64{0, 0}, "no row has a weight"},
		{good, calibrate.Two(), []int{0, 1}, []float64{1, -1}, "weight 1 is -1"},
		{good, calibrate.Rest(3), []int{0, 1}, nil, "3 are described"},
		{good, calibrate.Columns{Classes: 2, Positive: []int{1}, Negative: []int{1}}, []int{0, 1}, nil, "class 1 from 1"},
	} {
		if _, err := calibrate.Fit(calibrate.Platt, c.f, c.columns, c.class, c.w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	if _, err := calibrate.Fit("beta", good, calibrate.Two(), []int{0, 1}, nil); err == nil {
		t.Error("an unknown method is accepted")
	}
	two := calibrate.Two()
	for _, m := range []calibrate.Map{
		{Method: calibrate.Platt, Columns: two},
		{Method: calibrate.Platt, Columns: two, Sided: []calibrate.TwoSided{{Below: -1}}},
		{Method: calibrate.Isotonics, Columns: two, Rising: []calibrate.Isotonic{{X: []float64{-1, 1}, P: []float64{0.6, 0.7}}}},
		{Method: calibrate.Isotonics, Columns: two, Rising: []calibrate.Isotonic{{X: []float64{0, 0}, P: []float64{0.5, 0.7}}}},
		{Method: calibrate.Temperature, Columns: two, Beta: math.NaN()},
		{Method: calibrate.Temperature, Columns: calibrate.Rest(3), Beta: 1},
	} {
		if m.Check(two) == nil {
			t.Errorf("%+v passes", m)
		}
	}
}
