package formula

import (
	"errors"
	"strings"
	"testing"

	"example.org/mercer/kernel/expr"
)

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		formula string
		column  int // counted from 1
		message string
	}{
		{"", 1, "an empty formula"},
		{"  ", 1, "an empty formula"},
		{"x*", 2, "unexpected end of the formula"},
		{"x*y)", 4, `unexpected (")")`},
		{"x*z", 3, `unknown name "z"`},
		{"α*x + z", 1, `unknown name "α"`},
		{"x + ex(y)", 5, `unknown function "ex"; did you mean exp?`},
		{"x + sqr(y)", 5, `; did you mean sqrt?`},
		{"ln(1 + x*y)", 1, `unknown function "ln"; the natural logarithm is log`},
		{"sum(map(1..1000000000, # * 2))", 1, `unknown function "sum"`},
		{"repeat(\"a\", 1000000000)", 1, `unknown function "repeat"`},
		{"exp(x, y)", 1, "exp takes 1 argument, not 2"},
		{"min(x)", 1, "min takes 2 or more arguments, not 1"},
		{"gcd(x)", 1, "gcd takes 2 arguments, not 1"},
		{"exp + 1", 1, "the function exp needs arguments"},
		{"x < y", 3, "true or false, not a number"},
		{"x ? 1 : 2", 1, "needs a comparison"},
		{"(x < y) * 2", 4, "needs a number"},
		{"x and y ? 1 : 2", 1, "needs a comparison"},
		{"x % y", 3, `the operator "%" is not part of the language`},
		{"x ?? y", 3, `the operator "??"`},
		{`"a" + x`, 1, "text is not part of the language"},
		{"[x, y]", 1, "lists are not part of the language"},
		{"{a: x}", 1, "maps are not part of the language"},
		{"true ? x : y", 1, "true and false are not part of the language"},
		{"let a = x; a*y", 5, "variables and sequences are not part of the language"},
		{"x[y]", 2, "a coordinate is written x[0]"},
		{"x[-1]", 2, "a coordinate is written x[0]"},
		{"(x + y)[0]", 8, "only the points x, y have coordinates"},
		{"x.foo", 3, "a coordinate is written"},
		{"x.foo()", 3, "methods are not part of the language"},
		{"x?.foo", 0, "not part of the language"},
		{"dot(x, 2*y)", 9, "dot takes the points x, y themselves"},
		{"dot(x)", 1, "dot takes 2 arguments, not 1"},
		{"1e999", 0, "float literal"},
		{"99999999999999999999", 0, "integer literal"},
		{"x ; y", 1, "sequences are not part"},
		{"x + $env", 5, "unknown name"},
		{"x & y", 3, ""},
		{strings.Repeat("x+", 3000) + "x", 0, "at most 4096"},
		{strings.Repeat("1+(", 100) + "x" + strings.Repeat(")", 100), 0, "nested too deeply"},
	} {
		_, err := New(c.formula)
		var at *expr.SyntaxError
		if !errors.As(err, &at) {
			t.Errorf("%.40q: error %v, want a SyntaxError", c.formula, err)
			continue
		}
		if !strings.Contains(at.Msg, c.message) {
			t.Errorf("%.40q: message %q, want …%s…", c.formula, at.Msg, c.message)
		}
		if column := len([]rune(at.Text[:min(at.Offset, len(at.Text))])) + 1; c.column > 0 && column != c.column {
			t.Errorf("%.40q: column %d, want %d (%v)", c.formula, column, c.column, err)
		}
	}
}

func FuzzNew(f *testing.F) {
	for _, s := range []string{
		"x*y", "log(1+x*y)", "x[0] == y[0] ? 1 : gcd(x, y)", "dot(x,y)/norm(x)/norm(y)", "x.a?.b[1:2]",
		"2^-x**y", "min(x,y,1)", "let a=1;a", "{", "x[", "/*", "-(-(-x))", "not x", "1..2", "exp(exp(exp(x)))",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 { // keep each run fast
			return
		}
		k, err := New(text)
		if err != nil {
			var at *expr.SyntaxError
			if !errors.As(err, &at) || at.Offset > len(text) {
				t.Fatalf("%q: error %v is not a placed SyntaxError", text, err)
			}
			return
		}
		x, y := []float64{2.5}, []float64{3}
		k.Eval(x, y)
		k.Eval(x, []float64{1, 2})
		_ = k.Contains(x)
		_, _ = k.EvalBig(x, y, 60)
		_ = k.Derive()
		if again, err := New(k.Text()); err != nil || again.String() != k.String() {
			t.Fatalf("%q does not compile twice: %v", text, err)
		}
	})
}
