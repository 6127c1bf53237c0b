package transform_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.org/mercer/data/prep/transform"
)

// TestYeoJohnson compares with scikit-learn 1.9.1, PowerTransformer().fit, whose search ends at a λ
// that is known to some 1e-8 of the likelihood, and λ to its root.
func TestYeoJohnson(t *testing.T) {
	for _, c := range []struct {
		y      []float64
		lambda float64
		z      []float64
	}{
		{[]float64{0.1, 0.3, -2, 5, 12.5, 0, 40, 1.5, 2.5, -0.5}, 0.15653604,
			[]float64{-0.36091253494682446, -0.2826140566831123, -2.0309232468670184, 0.5379355879017464, 1.059579785644696, -0.4046757323286786, 1.890653455072786, 0.04435647248685455, 0.22609815476785486, -0.6794978850483049}},
		{[]float64{0.1, 0.3, 2, 5, 12.5, 0, 40, 1.5, 2.5, 300}, -0.35974156154368947,
			[]float64{-1.2257070540897332, -1.0253888233505368, -0.1851655218994936, 0.34316002235211374, 0.8152014806312846, -1.3455061848091998, 1.2742788916917958, -0.34744228991408677, -0.05602652360289804, 1.7525960029907537}},
	} {
		m, err := transform.Fit("yeo-johnson", c.y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(m.Parameters[0]-c.lambda) > 1e-6 {
			t.Errorf("λ is %v, want %v", m.Parameters[0], c.lambda)
		}
		for i, y := range c.y {
			if z := m.Forward(y); math.Abs(z-c.z[i]) > 1e-6 {
				t.Errorf("g(%v) = %v, want %v", y, z, c.z[i])
			}
		}
	}
}

// TestRanks: normal scores of the shares that are below, and half of those that are equal.
func TestRanks(t *testing.T) {
	m, err := transform.Fit("rank", []float64{5, 1, 1, 100}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for y, share := range map[float64]float64{1: 0.25, 5: 0.625, 100: 0.875} {
		if z := m.Forward(y); math.Abs(0.5*math.Erfc(-z/math.Sqrt2)-share) > 1e-15 {
			t.Errorf("g(%v) = %v, which is not the quantile of %v", y, z, share)
		}
	}
	if z, want := m.Forward(3), (m.Forward(1)+m.Forward(5))/2; math.Abs(z-want) > 1e-15 {
		t.Errorf("g(3) = %v is not on the line between 1 and 5, %v", z, want)
	}
	weighted, err := transform.Fit("rank", []float64{5, 1, 100, -3}, []float64{1, 2, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m.Parameters, weighted.Parameters); d != "" {
		t.Errorf("a weight of 2 is not that of two rows, or one of 0 not that of none (-written +weighted):\n%s", d)
	}
}

// TestIncreasingAndBack: every function rises, comes back to y within rounding, and is read again
// from its JSON as it was.
func TestIncreasingAndBack(t *testing.T) {
	for _, name := range transform.Names() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				y := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e3), 3, 40).Draw(r, "targets")
				m, err := transform.Fit(name, y, nil)
				if err != nil {
					r.Fatal(err)
				}
				slices.Sort(y)
				for i, v := range y {
					z := m.Forward(v)
					// The slope of g⁻¹ may be steep: rounding of z moves y by as much as that of y
					// moves z.
					if back := m.Inverse(z); math.Abs(back-v) > 1e-6*(1+v) {
						r.Fatalf("%v becomes %v and comes back as %v", v, z, back)
					}
					if i > 0 && v > y[i-1]*(1+1e-9) && !(z > m.Forward(y[i-1])) {
						r.Fatalf("g(%v) = %v is not above g(%v) = %v", v, z, y[i-1], m.Forward(y[i-1]))
					}
				}
				text, err := json.Marshal(m)
				if err != nil {
					r.Fatal(err)
				}
				var again transform.Map
				if err := json.Unmarshal(text, &again); err != nil || again.Check() != nil || !cmp.Equal(*m, again) {
					r.Fatalf("%s is read as %+v, %v", text, again, errors.Join(err, again.Check()))
				}
			})
		})
	}
}

// TestBounds: what is taken back ends as far from the training targets as they are wide.
func TestBounds(t *testing.T) {
	for _, name := range transform.Names() {
		m, err := transform.Fit(name, []float64{1, 2, 4, 9}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if y := m.Inverse(1e6); y != 17 {
			t.Errorf("%s: g⁻¹(1e6) = %v, want 17", name, y)
		}
		if y := m.Inverse(-1e6); y < -7 || y > 1 {
			t.Errorf("%s: g⁻¹(−1e6) = %v, want between −7 and 1", name, y)
		}
	}
}

func TestRefused(t *testing.T) {
	_, err := transform.Fit("log", []float64{1, 0, 2}, nil)
	var u *transform.Undefined
	if !errors.As(err, &u) || u.Row != 1 || !strings.Contains(err.Error(), "number 2 is 0") {
		t.Errorf("log of 0: %v", err)
	}
	if _, err := transform.Fit("sqrt", []float64{1}, nil); err == nil || !strings.Contains(err.Error(), "take log, rank, yeo-johnson") {
		t.Errorf("an unknown function: %v", err)
	}
	for _, m := range []transform.Map{
		{Name: "sqrt"}, {Name: "log", Parameters: []float64{1}}, {Name: "log", Low: 2, High: 1}, {Name: "log", High: math.Inf(1)},
		{Name: "yeo-johnson", Parameters: []float64{9, 0, 1}}, {Name: "yeo-johnson", Parameters: []float64{1, 0, 0}},
		{Name: "rank", Parameters: []float64{0, 0}}, {Name: "rank", Parameters: []float64{0, 0, 1, 0}},
	} {
		if m.Check() == nil {
			t.Errorf("%+v passes", m)
		}
	}
	for _, y := range [][]float64{{3}, {2, 2, 2}} { // what is constant is not worth a function, and does no harm
		for _, name := range transform.Names() {
			m, err := transform.Fit(name, y, nil)
			if err != nil || m.Inverse(m.Forward(y[0])) != y[0] {
				t.Errorf("%s of %v: %v, %v", name, y, m, err)
			}
		}
	}
}
