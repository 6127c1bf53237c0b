package formula

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// TestValues checks every operator and function at hand-computed points.
func TestValues(t *testing.T) {
	one := [][2][]float64{{{2}, {3}}}
	for _, c := range []struct {
		formula string
		x, y    []float64
		want    float64
	}{
		{"x + y", one[0][0], one[0][1], 5},
		{"x - y", []float64{2}, []float64{3}, -1},
		{"x*y", []float64{2}, []float64{3}, 6},
		{"x/y", []float64{3}, []float64{2}, 1.5},
		{"1/2", []float64{0}, []float64{0}, 0.5},                         // no integer division
		{"9223372036854775807 + 1", []float64{0}, []float64{0}, 1 << 63}, // no wrapping
		{"-x^2", []float64{3}, []float64{0}, -9},                         // −(x²)
		{"2^3^2", []float64{0}, []float64{0}, 512},                       // right-associative
		{"x**y", []float64{2}, []float64{10}, 1024},
		{"2^-1", []float64{0}, []float64{0}, 0.5},
		{"+x - -y", []float64{1}, []float64{2}, 3},
		{"x - y - 1", []float64{10}, []float64{2}, 7}, // left-associative
		{"x < y ? 1 : 2", []float64{1}, []float64{2}, 1},
		{"x > y ? 1 : 2", []float64{1}, []float64{2}, 2},
		{"x <= y and y >= x ? 1 : 2", []float64{2}, []float64{2}, 1},
		{"x == y or x != 1 ? 1 : 2", []float64{1}, []float64{2}, 2},
		{"not (x == y) && x < 5 ? 1 : 2", []float64{1}, []float64{2}, 1},
		{"x < 0 ? 1 : x < 5 ? 2 : 3", []float64{7}, []float64{0}, 3},
		{"x < 0 || y < 0 ? log(-1) : 4", []float64{7}, []float64{0}, 4}, // the other side is not evaluated
		{"log(exp(x))", []float64{1.25}, []float64{0}, 1.25},
		{"log1p(x) + log2(y)", []float64{0}, []float64{8}, 3},
		{"sqrt(x)*abs(y)", []float64{16}, []float64{-3}, 12},
		{"sin(pi/2) + cos(x)", []float64{0}, []float64{0}, 2},
		{"tan(x) + tanh(y)", []float64{0}, []float64{0}, 0},
		{"log(e)", []float64{0}, []float64{0}, 1},
		{"floor(x) + sign(y)", []float64{-1.5}, []float64{-7}, -3},
		{"pow(x, y)", []float64{2}, []float64{0.5}, math.Sqrt2},
		{"min(x, y, 1)", []float64{2}, []float64{3}, 1},
		{"max(x, y, 1, 9)", []float64{2}, []float64{3}, 9},
		{"gcd(x, y)", []float64{12}, []float64{-18}, 6},
		{"lcm(x, y)", []float64{4}, []float64{6}, 12},
		{"lcm(x, y)", []float64{0}, []float64{6}, 0},
		{"gcd(x, y)", []float64{0}, []float64{0}, 0},
		{"dot(x, y)", []float64{1, 2}, []float64{3, 4}, 11},
		{"sqdist(x, y)", []float64{1, 2}, []float64{3, 5}, 13},
		{"l1(x, y)", []float64{1, 2}, []float64{3, -5}, 9},
		{"norm(x) + norm(y)", []float64{3, 4}, []float64{0, 2}, 7},
		{"len(x)", []float64{3, 4, 5}, []float64{0, 2, 0}, 3},
		{"x[0]*y[1] - x[1]*y[0]", []float64{1, 2}, []float64{3, 4}, -2},
		{"x[0] + y", []float64{1}, []float64{3}, 4},
		{"dot(y, y) - dot(x, x)", []float64{1, 2}, []float64{2, 3}, 8},
		{"1e-3 + 0x10 + .5", []float64{0}, []float64{0}, 16.501},
		{"(x < y ? x : y) * 2 + 1", []float64{1}, []float64{3}, 3}, // a conditional inside
		{"1 + (x == y ? 2 : x == 5 ? 3 : 4)", []float64{5}, []float64{3}, 4},
	} {
		k, err := New(c.formula)
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		testkit.Close(t, c.formula, k.Eval(c.x, c.y), c.want, 1e-15)
		v, err := k.EvalBig(c.x, c.y, 100)
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		exact, _ := v.Float64()
		testkit.Close(t, c.formula+" (big)", exact, c.want, 1e-15)
	}
}

func TestNotFinite(t *testing.T) {
	for _, c := range []struct {
		formula string
		x       []float64
		why     string
	}{
		{"log(x*y)", []float64{0}, "outside its domain"},
		{"1/(x - y)", []float64{3}, "outside its domain"},
		{"sqrt(-1 - x*y)", []float64{3}, "outside its domain"},
		{"gcd(x, y)", []float64{0.5}, "outside its domain"},
		{"exp(x)", []float64{1e4}, "outside its domain"},
		{"x*y", []float64{1, 2}, "points have 2 coordinates"},
		{"x[2]*y[2]", []float64{1, 2}, "uses coordinate 2"},
	} {
		k, err := New(c.formula)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Contains(c.x); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s contains %v: %v, want …%s…", c.formula, c.x, err, c.why)
		}
		if v := k.Eval(c.x, c.x); !math.IsNaN(v) && !math.IsInf(v, 0) {
			t.Errorf("%s at %v = %v, want NaN or Inf", c.formula, c.x, v)
		}
		if _, err := k.EvalBig(c.x, c.x, 100); err == nil && c.formula != "exp(x)" { // e^10000 is a big.Float
			t.Errorf("%s at %v: no error in arbitrary precision", c.formula, c.x)
		}
	}
	k, _ := New("x*y")
	if v := k.Eval([]float64{1}, []float64{1, 2}); !math.IsNaN(v) {
		t.Errorf("points of different length: %v, want NaN", v)
	}
	if _, err := k.EvalBig([]float64{math.NaN()}, []float64{1}, 100); err == nil {
		t.Error("a NaN coordinate is accepted")
	}
}

// TestEvalBigCancellation: the relative error is 2^−prec also where float64 keeps no
// digit.
func TestEvalBigCancellation(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		// Taylor series by hand: e^t − 1 − t = t²/2 + t³/6 + …, t = 2^−40.
		{"exp(x) - 1 - x", "4.135903062766e-25"},
		{"1 - cos(x)", "4.135903062765e-25"},            // t²/2 − t⁴/24
		{"(1 + x)^2 - 1 - 2*x", "8.271806125530e-25"},   // t²
		{"exp(log(1 + x*x)) - 1", "8.271806125530e-25"}, // t²
	} {
		k, err := New(c.formula)
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{0x1p-40}
		v, err := k.EvalBig(x, x, 200)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Text('e', 12); got != c.want {
			t.Errorf("%s = %s, want %s", c.formula, got, c.want)
		}
	}
}

// TestEvalBigUndecided: a value that may be zero for all that 2048 bits tell
// is an error and not zero; one that is tiny is found, and an exact zero is zero.
func TestEvalBigUndecided(t *testing.T) {
	testkit.SkipUnderRace(t)
	for _, c := range []struct {
		formula string
		want    string // "": an error
	}{
		{"exp(x)*exp(-x) - 1", ""},
		{"1 + cos(pi)", ""},
		{"1/(exp(log(x)) - x)", ""},
		{"x*x/7 - x/7*x", ""},  // rounded differently
		{"x*x/7 - y*y/7", "0"}, // the same operations on the same numbers
		{"sqrt(abs(log(x) - log(y)))", "0"},
		{"exp(-(x/3 - x*(1/3))^2)", "1"}, // close to zero is enough here
		{"2 + sqrt(abs(log(x)/3 - log(y)*(1/3)))^1.5", "2"},
		{"1/(exp(log(x)) - x)^0", ""},
		{"x*x - y*y", "0"},
		{"(1 + exp(-1000)) - 1", "5.075958897549e-435"}, // these four: mpmath 1.4.1 at 8000 bits
		{"1 - tanh(500)", "1.01519177951e-434"},
		{"exp(-100000*sqrt(2))", "3.057474632663e-61419"},
		{"log(1 + exp(-600)) - exp(-600)", "-3.512300944089e-522"},
	} {
		k, err := New(c.formula)
		if err != nil {
			t.Fatal(err)
		}
		v, err := k.EvalBig([]float64{1.1}, []float64{1.1}, 200)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s = %v, want an error", c.formula, v)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		if got := v.Text('g', 13); got != c.want {
			t.Errorf("%s = %s, want %s", c.formula, got, c.want)
		}
	}
}

// TestEvalBigJumps: a value at a jump is used if it is exact and refused if it was
// rounded, because then nobody knows on which side of the jump it lies.
func TestEvalBigJumps(t *testing.T) {
	for _, c := range []struct {
		formula string
		x, y    []float64
		want    float64 // NaN: an error
	}{
		{"floor(x*y/2)", []float64{3}, []float64{2}, 3},
		{"floor(exp(log(x)))", []float64{3}, []float64{3}, math.NaN()},
		{"floor(exp(log(x)) + 0.25)", []float64{3}, []float64{3}, 3},
		{"sqrt(sqdist(x, y)) < 5 ? 1 : 2", []float64{1, 1}, []float64{4, 5}, 2}, // √25 is exact
		{"norm(x) == 5 ? 1 : 2", []float64{3, 4}, []float64{0, 0}, 1},
		{"norm(x) == 5 ? 1 : 2", []float64{3, 5}, []float64{0, 0}, 2},
		{"sqrt(x)^2 == x ? 1 : 2", []float64{2}, []float64{2}, math.NaN()},
		{"sqrt(x)^2 == x ? 1 : 2", []float64{9}, []float64{2}, 1},
		{"x^2 == y^2 ? 1 : 2", []float64{0.1}, []float64{-0.1}, 1},
		{"dot(x, y) > 0 ? 1 : 2", []float64{0.1, 0.3}, []float64{0.3, -0.1}, 2},
		{"l1(x, y) <= 0.5 ? 1 : 2", []float64{0.25, 1}, []float64{0, 1.25}, 1},
		{"sign(sin(x - y))", []float64{2}, []float64{2}, 0},
		{"sign(sin(x)^2 + cos(x)^2 - 1)", []float64{2}, []float64{2}, math.NaN()},
		{"gcd(x*y, 12)", []float64{4}, []float64{2}, 4},
		{"gcd(exp(log(x)), 12)", []float64{8}, []float64{2}, math.NaN()},
		{"lcm(log2(x), y)", []float64{8}, []float64{2}, 6}, // a power of two
		{"log(x) == 0 and cos(y) == 1 ? 1 : 2", []float64{1}, []float64{0}, 1},
		{"1/x < 1/y ? 1 : 2", []float64{3}, []float64{2}, 1},
		{"1/x*3 == 1 ? 1 : 2", []float64{3}, []float64{2}, math.NaN()},
		{"min(1/x, 1/3)*3", []float64{3}, []float64{2}, 1}, // continuous
	} {
		k, err := New(c.formula)
		if err != nil {
			t.Fatal(err)
		}
		v, err := k.EvalBig(c.x, c.y, 200)
		if math.IsNaN(c.want) {
			if err == nil {
				t.Errorf("%s at %v, %v = %v, want an error", c.formula, c.x, c.y, v)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s at %v, %v: %v", c.formula, c.x, c.y, err)
			continue
		}
		got, _ := v.Float64()
		testkit.Close(t, c.formula, got, c.want, 0)
	}
}

// TestEvalBigExact: polynomials of dyadic numbers have no rounding at all.
func TestEvalBigExact(t *testing.T) {
	k, _ := New("(x*y - 1)^3 + min(x, y)/4")
	v, err := k.EvalBig([]float64{1 + 0x1p-52}, []float64{1 - 0x1p-52}, 400)
	if err != nil {
		t.Fatal(err)
	}
	// (1−2^−104 − 1)³ + (1−2^−52)/4 as a rational number.
	d := new(big.Rat).SetFrac(big.NewInt(-1), new(big.Int).Lsh(big.NewInt(1), 312))
	want := d.Add(d, new(big.Rat).SetFloat64((1-0x1p-52)/4))
	if got, _ := v.Rat(nil); got.Cmp(want) != 0 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestString(t *testing.T) {
	k, err := New("x*y +\n1 // a \"comment\"")
	if err != nil {
		t.Fatal(err)
	}
	if want := `formula("x*y +\n1 // a \"comment\"")`; k.String() != want {
		t.Errorf("String() = %s, want %s", k, want)
	}
	if k.Text() != "x*y +\n1 // a \"comment\"" {
		t.Errorf("Text() = %q", k.Text())
	}
	if c := k.Reference(); c.Formula != k.Text() || c.Name != "formula" {
		t.Errorf("card %+v", c)
	}
}

func TestValidate(t *testing.T) {
	k, _ := New("log(x*y)")
	err := kernel.Validate(k, points{{1}, {2}, {0}})
	if err == nil || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("Validate: %v, want row 2", err)
	}
}

type points [][]float64

func (p points) Len() int           { return len(p) }
func (p points) At(i int) []float64 { return p[i] }

func BenchmarkEval(b *testing.B) {
	for _, text := range []string{"x*y", "log(1+x*y)", "exp(-abs(x-y)^3)", "exp(-sqdist(x,y)/2)"} {
		b.Run(text, func(b *testing.B) {
			k, err := New(text)
			if err != nil {
				b.Fatal(err)
			}
			x, y := []float64{1.5}, []float64{2.25}
			b.ReportAllocs()
			for b.Loop() {
				sink = k.Eval(x, y)
			}
		})
	}
}

func BenchmarkEvalBig(b *testing.B) {
	for _, text := range []string{"x*y", "log(1+x*y)"} {
		b.Run(text, func(b *testing.B) {
			k, err := New(text)
			if err != nil {
				b.Fatal(err)
			}
			x, y := []float64{1.5}, []float64{2.25}
			for b.Loop() {
				if _, err := k.EvalBig(x, y, 200); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var sink float64
