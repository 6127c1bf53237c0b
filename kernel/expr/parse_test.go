package expr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.org/mercer/kernel/expr"
)

// positions are for messages and not part of what an expression means.
var positions = cmp.Options{
	cmpopts.IgnoreFields(expr.Node{}, "Text", "Pos", "ColumnsPos"),
	cmpopts.IgnoreFields(expr.Arg{}, "Pos"),
	cmpopts.EquateEmpty(),
}

func TestParsePrintsCanonically(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"rbf(sigma=1)", "rbf(sigma=1)"},
		{"  rbf ( sigma = 1.50 ) ", "rbf(sigma=1.5)"},
		{"rbf()", "rbf"},
		{"2", "2"},
		{"1e-3*k+.5", "0.001*k + 0.5"},
		{"1e+06 + 1E6", "1e+06 + 1e+06"},
		{"-2*k", "-2*k"},
		{"k + -2*k", "k + -2*k"},
		{"k(offset=−1)", "k(offset=-1)"},
		{"a+b*c^2", "a + b*c^2"},
		{"((a))", "a"},
		{"(a + b)*c", "(a + b)*c"},
		{"(a + b) + c", "a + b + c"},
		{"a + (b + c)", "a + (b + c)"},
		{"(a*b)*c", "(a*b)*c"},
		{"a*(b*c)", "a*b*c"},
		{"(a*b)^2", "(a*b)^2"},
		{"(a^2)^3", "(a^2)^3"},
		{"2^3", "2^3"},
		{"rbf(sigma=median)[age, bmi] * min[hist*]", "rbf(sigma=median)[age,bmi]*min[hist*]"},
		{"min[0,12]", "min[0,12]"},
		{`rbf(sigma=1)["Air.Flow",bmi]`, "rbf(sigma=1)[Air.Flow,bmi]"},
		{`min["a,b", "c]" ,größe °C]`, `min["a,b","c]",größe °C]`},
		{"min[color=red]", "min[color=red]"},
		{"(a + b)[age]", "(a + b)[age]"},
		{"(a*b)[age]", "(a*b)[age]"},
		{"(a^2)[age]^3", "(a^2)[age]^3"},
		{"(a)[age]", "a[age]"},
		{"2[age]", "2[age]"},
		{"c*(a + b)[age]", "c*(a + b)[age]"},
		{"(a + b)[age] + c", "(a + b)[age] + c"},
		{"normalize(of=poly(degree=3))^2", "normalize(of=poly(degree=3))^2"},
		{"normalize(poly(3, offset=1))", "normalize(poly(3, offset=1))"},
		{"normalize(of=linear)", "normalize(of=linear)"},
		{"normalize(of=(linear))", "normalize(of=linear)"},
		{"normalize(of=2*linear + 1)", "normalize(of=2*linear + 1)"},
		{"normalize(of=linear[age])", "normalize(of=linear[age])"},
		{"series(of=k, coefficients=[1, 0.5,-0.25])", "series(of=k, coefficients=[1, 0.5, -0.25])"},
		{"f(x=[])", "f(x=[])"},
		{"f(x=[1,])", "f(x=[1])"},
		{`formula("log(1+x*y)")`, `formula("log(1+x*y)")`},
		{`formula("a\"b\\c\n")`, `formula("a\"b\\c\n")`},
		{"rbf(sigma=?)", "rbf(sigma=?)"},
		{"rbf(?)", "rbf(?)"},
		{"rbf(sigma=(1))", "rbf(sigma=1)"},
		{"rbf(type=(word))", "rbf(type=word)"},
	} {
		n, err := expr.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if got := n.String(); got != c.want {
			t.Errorf("Parse(%q) prints %q, want %q", c.text, got, c.want)
		}
		checkFixpoint(t, n)
	}
}

// checkFixpoint requires that printing and parsing again gives the same node.
func checkFixpoint(t *testing.T, n expr.Node) {
	t.Helper()
	text := n.String()
	again, err := expr.Parse(text)
	if err != nil {
		t.Errorf("%q was printed and does not parse: %v", text, err)
		return
	}
	if diff := cmp.Diff(n, again, positions); diff != "" {
		t.Errorf("%q parses to another node than it was printed from:\n%s", text, diff)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int
		says   string
	}{
		{"", 1, "is empty"},
		{"   ", 1, "is empty"},
		{"a -b", 3, `"-" leaves the positive definite kernels: the difference`},
		{"a - 2", 3, "leaves the positive definite"},
		{"-a", 1, "leaves the positive definite"},
		{"a − b", 3, "leaves the positive definite"},
		{"a / b", 3, "the quotient of two kernels"},
		{"a**2", 3, "a power is written k^2"},
		{"a^0.5", 3, "whole number"},
		{"a^-1", 3, "whole number"},
		{"a^b", 3, "whole number"},
		{"a^2^3", 4, "(k^2)^3"},
		{"a^2[age]", 4, "before the power"},
		{"(a + b", 1, `"(" is never closed`},
		{"rbf(sigma=1", 4, `"(" is never closed`},
		{"f(x=[1, 2", 5, `"[" is never closed`},
		{"f(x=[1 2])", 8, `unexpected "2"`},
		{"f(x=[1, a])", 9, "expected a number in the list"},
		{"min[age", 4, `"[" is never closed`},
		{`min["age`, 5, "the quote is never closed"},
		{`min["age" bmi]`, 11, "expected a comma or ]"},
		{"min[]", 5, "expected the name of a column"},
		{"min[age,]", 9, "expected the name of a column"},
		{"(min[age] + a)[bmi]", 15, "columns [age] are already selected inside"},
		{"min[age][bmi]", 9, `unexpected "["`},
		{"a)", 2, "no such bracket is open"},
		{"()", 2, "something is missing before it"},
		{"a +", 4, "the expression ends"},
		{"a b", 3, "write * between factors"},
		{"2rbf", 2, "write * between factors"},
		{"2(a)", 2, "write * between factors"},
		{"a × b", 3, "write * for a product"},
		{"k²", 2, "write ^2"},
		{"f('x')", 3, `quote with "`},
		{"größe(x=1) $", 12, "unexpected character"},
		{`f("a\q")`, 3, "unknown escape"},
		{"f(a=1, a=2)", 8, "gets the argument a twice"},
		{"f(a=1, 2)", 8, "name it too"},
		{"f(a=)", 5, "a value is missing"},
		{"f(a=1,)", 7, "an argument is missing after the comma"},
		{"f(,)", 3, "a value is missing"},
		{"?", 1, "a free parameter"},
		{"1e999", 1, "fits in 64 bits"},
		{".", 1, "is not a number"},
		{"\xff", 0, "UTF-8"},
		{strings.Repeat("(", 100000), 129, "nested more than 128 deep"},
		{strings.Repeat("f(of=", 100000), 641, "nested more than 128 deep"},
		{"a" + strings.Repeat("+a", 1<<17), 131073, "more than 65536 parts"},
		{strings.Repeat("a", 1<<20+1), 0, "longer than 1 MiB"},
	} {
		_, err := expr.Parse(c.text)
		checkErr(t, c.text, err, c.column, c.says)
	}
}

// checkErr requires a SyntaxError at a column, counted from 1; 0 means none.
func checkErr(t *testing.T, text string, err error, column int, says string) {
	t.Helper()
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	var s *expr.SyntaxError
	switch {
	case err == nil:
		t.Errorf("%q was accepted, want an error that says %q", text, says)
	case !errors.As(err, &s):
		t.Errorf("%q: %v is not a SyntaxError", text, err)
	case s.Column() != column:
		t.Errorf("%q: error at column %d, want %d: %v", text, s.Column(), column, err)
	case !strings.Contains(s.Msg, says):
		t.Errorf("%q: error says %q, want %q", text, s.Msg, says)
	case s.Text == "" && text != "":
		t.Errorf("%q: the error does not name the text", text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"0.5*rbf(sigma=1) + poly(degree=2, offset=1)",
		`rbf(sigma=median)[age,"Air.Flow"] * min[hist*]^2`,
		`conform(of=series(of=(a + b)[x], coefficients=[1,-2e-3]), by="1 + x\"")`,
		"((((((((", "f(of=2[a])", "2*3*4^5",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := expr.Parse(text)
		if err != nil {
			var s *expr.SyntaxError
			if !errors.As(err, &s) || s.Error() == "" {
				t.Errorf("%v is not a SyntaxError", err)
			}
			return
		}
		checkFixpoint(t, n)
		k, err := expr.Build(n, toy())
		if err != nil {
			return
		}
		again, err := expr.ParseKernel(k.String(), toy())
		if err != nil {
			t.Fatalf("the kernel %q does not parse: %v", k, err)
		}
		if again.String() != k.String() {
			t.Errorf("the kernel %q parses to %q", k, again)
		}
	})
}
