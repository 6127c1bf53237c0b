package expr_test

import (
	"errors"
	"reflect"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

type vector = []float64

func TestBuildMakesTheAlgebra(t *testing.T) {
	var d, g kernel.Kernel[vector] = dot{}, gauss{vector{2}}
	age := onColumns{dot{}, []int{0}, []string{"age"}}
	gaussAge := onColumns{g, []int{0}, []string{"age"}}
	hist := onColumns{dot{}, []int{2, 3, 4}, []string{"hist*"}}
	quoted := onColumns{dot{}, []int{5}, []string{"a,b"}}
	for _, c := range []struct {
		text string
		want kernel.Kernel[vector]
	}{
		{"dot", d},
		{"gauss(sigma=2)", g},
		{"gauss(2)", g},
		{"gauss(gamma=0.125)", g},
		{"gauss(sigma=[1, 2])", gauss{vector{1, 2}}},
		{"3", kernel.Constant[vector]{Value: 3}},
		{"0.5*dot", kernel.Scaled[vector]{Factor: 0.5, Of: d}},
		{"2*3*dot", kernel.Scaled[vector]{Factor: 2, Of: kernel.Scaled[vector]{Factor: 3, Of: d}}},
		{"2*3", kernel.Scaled[vector]{Factor: 2, Of: kernel.Constant[vector]{Value: 3}}},
		{"2*dot*dot", kernel.Scaled[vector]{Factor: 2, Of: kernel.Product[vector]{Factors: []kernel.Kernel[vector]{d, d}}}},
		{"dot*2", kernel.Product[vector]{Factors: []kernel.Kernel[vector]{d, kernel.Constant[vector]{Value: 2}}}},
		{"1 + dot", kernel.Sum[vector]{Terms: []kernel.Kernel[vector]{kernel.Constant[vector]{Value: 1}, d}}},
		{"dot^3", kernel.Power[vector]{Of: d, Degree: 3}},
		{"exp(of=dot)", kernel.Exp[vector]{Of: d}},
		{"exp(dot)", kernel.Exp[vector]{Of: d}},
		{"normalize(of=2)", kernel.Normalized[vector]{Of: kernel.Constant[vector]{Value: 2}}},
		{"series(of=dot, coefficients=[0, 1])", kernel.Series[vector]{Of: d, Coefficients: vector{0, 1}}},
		{"series(dot, [0, 1])", kernel.Series[vector]{Of: d, Coefficients: vector{0, 1}}},
		{"dot[age]", age},
		{"(2 + dot)[age]", kernel.Sum[vector]{Terms: []kernel.Kernel[vector]{kernel.Constant[vector]{Value: 2}, age}}},
		{"(0.5*gauss(sigma=2) + dot^2)[age]", kernel.Sum[vector]{Terms: []kernel.Kernel[vector]{
			kernel.Scaled[vector]{Factor: 0.5, Of: gaussAge}, kernel.Power[vector]{Of: age, Degree: 2},
		}}},
		{"normalize(of=dot)[age]", kernel.Normalized[vector]{Of: age}},
		{"normalize(of=dot[hist*])", kernel.Normalized[vector]{Of: hist}},
		{`dot["a,b"]`, quoted},
		{"dot[hist*]*dot[age]", kernel.Product[vector]{Factors: []kernel.Kernel[vector]{hist, age}}},
	} {
		got, err := expr.ParseKernel(c.text, toy())
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q builds %#v, want %#v", c.text, got, c.want)
		}
		again, err := expr.ParseKernel(got.String(), toy())
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%q prints as %q, which builds %#v, %v", c.text, got, again, err)
		}
	}
}

// A selection on conform and compose applies to the whole kernel: the function sees
// the selected columns, too.
func TestSelectionReachesFunctions(t *testing.T) {
	x, y := vector{1, 2, 3, 4, 5, 6}, vector{2, 1, 1, 1, 1, 1}
	for _, c := range []struct {
		text string
		want float64
	}{
		{`conform(of=dot, by="1 + sum(x)")[age,bmi]`, (1 + 3) * (1*2 + 2*1) * (1 + 3)},
		{`conform(of=dot[age], by="1 + sum(x)")`, (1 + 21) * 2 * (1 + 7)},
		{`compose(of=dot, map="2*x")[age]`, 8},
		{`(1 + compose(of=dot, map="2*x"))[age]`, 9},
	} {
		k, err := expr.ParseKernel(c.text, toy())
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := k.Eval(x, y); got != c.want {
			t.Errorf("%q is %v, want %v", c.text, got, c.want)
		}
	}
}

func TestBuildErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int
		says   string
	}{
		{"2*gaus(sigma=1)", 3, `unknown kernel "gaus"; did you mean gauss?`},
		{"1 + GAUSS(sigma=1)", 5, "did you mean gauss?"},
		{"normalise(of=dot)", 1, "did you mean normalize?"},
		{"zzz", 1, "known are broken, compose, conform, dot, exp, gauss, normalize, series"},
		{"1 + sum(dot, dot)", 5, `unknown kernel "sum": write a + b`},
		{"auto", 1, `unknown kernel "auto": write a kernel; mercer auto`},
		{"laplacian(sigma=1)", 1, "laplacian is refused: it is ambiguous; write laplace"},
		{"gauss(gama=1)", 7, `gauss has no argument "gama"; did you mean gamma?`},
		{"gauss(width=1)", 7, `gauss has no argument "width": it takes sigma, gamma`},
		{"dot(x=1)", 5, "no arguments"},
		{"dot(1)", 5, "dot takes no arguments"},
		{"gauss", 1, "gauss needs the argument sigma or gamma"},
		{"gauss(1, sigma=2)", 10, "gets the argument sigma twice"},
		{"gauss(sigma=\"1\")", 7, "sigma must be a number or a list of numbers such as [1, 0.5], not a text"},
		{"gauss(gamma=[1, 2])", 7, "gamma must be a number, not a list"},
		{"gauss(sigma=dot*dot)", 7, "not a kernel"},
		{"gauss(sigma=-1)", 7, "sigma must be positive, not -1"},
		{"broken(text=?)", 8, "text must be a text in quotes, not ?"},
		{"dot + broken(mode=slow)", 7, "broken in mode slow: it is broken"},
		{"gauss(sigma=?)", 7, "sigma=? is a free parameter: give a number, or let tune choose it"},
		{"dot*gauss(median)", 11, "sigma=median is not a number"},
		{"dot + -2*dot", 7, "-2 is negative"},
		{"-2", 1, "-2 is negative"},
		{"dot*-2", 5, "-2 is negative"},
		{"series(of=dot, coefficients=[1, -1])", 16, "coefficient 1 of the series is -1"},
		{"series(of=dot)", 1, "the argument coefficients is missing"},
		{"normalize", 1, "normalize needs the argument of"},
		{"normalize(?)", 11, "of must be a kernel, not ?"},
		{`conform(of=dot, by="y")`, 17, `by="y": "y": it is broken`},
		{`compose(of=dot, map="y")`, 17, "it is broken"},
		{"dot[weight]", 4, `no column is called "weight"`},
		{"größe*dot", 1, "unknown kernel"},
		{`dot*conform(of=dot[age], by="1 + sum(x)")[bmi]`, 42, "columns [age] are already selected inside"},
	} {
		_, err := expr.ParseKernel(c.text, toy())
		checkErr(t, c.text, err, c.column, c.says)
		var s *expr.SyntaxError
		if errors.As(err, &s) && s.Text != c.text {
			t.Errorf("%q: the error names the text %q", c.text, s.Text)
		}
	}
}

func TestBuildErrorsUnwrap(t *testing.T) {
	for _, text := range []string{"broken", `conform(of=dot, by="y")`, `compose(of=dot, map="y")`} {
		if _, err := expr.ParseKernel(text, toy()); !errors.Is(err, errBroken) {
			t.Errorf("%q: %v does not wrap its cause", text, err)
		}
	}
}

func TestBuildWithoutColumnsOrFunctions(t *testing.T) {
	d := expr.Dictionary[vector]{Kernels: toy().Kernels}
	for _, c := range []struct {
		text   string
		column int
		says   string
	}{
		{"dot[age]", 4, "these points have no columns"},
		{`conform(of=dot, by="1")`, 17, "use kernel.Conformal in a program"},
		{`compose(of=dot, map="x")`, 17, "use kernel.Composed in a program"},
	} {
		_, err := expr.ParseKernel(c.text, d)
		checkErr(t, c.text, err, c.column, c.says)
	}
}

func TestBuildAllowsIndefiniteKernelsOnRequest(t *testing.T) {
	d := toy()
	d.Indefinite = true
	k, err := expr.ParseKernel("dot + -2*series(of=dot, coefficients=[-1])", d)
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Eval(vector{3}, vector{1}); got != 5 {
		t.Errorf("3 − 2·(−1) is %v", got)
	}
}

// A tree that was made by hand, or received from elsewhere, has no text and may not
// even be a tree that Parse could make.
func TestBuildOfMalformedTrees(t *testing.T) {
	call := expr.Node{Op: expr.Call, Name: "dot"}
	for _, n := range []expr.Node{
		{Op: expr.Power},
		{Op: expr.Power, Value: 1.5, Terms: []expr.Node{call}},
		{Op: expr.Number, Value: -1},
		{Op: expr.Call, Name: "normalize", Args: []expr.Arg{{Name: "of", Kind: expr.KernelArg}}},
		{Op: expr.Sum, Columns: []string{"age"}, Terms: []expr.Node{{Op: expr.Call, Name: "dot", Columns: []string{"bmi"}}}},
		{Op: expr.Op(99)},
	} {
		k, err := expr.Build(n, toy())
		var s *expr.SyntaxError
		if !errors.As(err, &s) || s.Column() != 0 {
			t.Errorf("%#v builds %v, %v", n, k, err)
		}
	}
	sum := expr.Node{Op: expr.Sum, Terms: []expr.Node{call, {Op: expr.Number, Value: 1}}}
	if k, err := expr.Build(sum, toy()); err != nil || k.String() != "dot + 1" {
		t.Errorf("dot + 1 made by hand builds %v, %v", k, err)
	}
}

func TestResolveNamesArguments(t *testing.T) {
	n, err := expr.Parse("2*gauss(?) + normalize(dot)[age]")
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := expr.Resolve(n, toy())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := resolved.String(), "2*gauss(sigma=?) + normalize(of=dot)[age]"; got != want {
		t.Errorf("resolved %q, want %q", got, want)
	}
	if got, want := n.String(), "2*gauss(?) + normalize(dot)[age]"; got != want {
		t.Errorf("Resolve changed its argument to %q", got)
	}
}

func TestNamesAreSortedAndComplete(t *testing.T) {
	var got []string
	for _, n := range expr.Names(toy()) {
		if n.Summary == "" {
			t.Errorf("%s has no summary", n.Name)
		}
		got = append(got, n.Name)
	}
	want := []string{"broken", "compose", "conform", "dot", "exp", "gauss", "normalize", "series"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
}
