package vec_test

import (
	"strings"
	"testing"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

func TestCompileSharesStatistics(t *testing.T) {
	plan, err := vec.Compile(parse(t, "0.5*rbf(sigma=1) + poly(degree=2, offset=1)*matern(sigma=2) + cosine() + rbf(sigma=1)[0,2]"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `s0 = squared distance
s1 = inner product
s2 = squared distance of columns [0 2]
push s0
expneg 0.5
affine 0.5 0
push s1
affine 1 1
power 2
push s0
matern 0.75 1.5
multiply
add
push s1
cosine s1
add
push s2
expneg 0.5
add
`
	if got := plan.String(); got != want {
		t.Errorf("plan:\n%swant:\n%s", got, want)
	}
	if plan.Depth != 3 {
		t.Errorf("depth %d, want 3", plan.Depth)
	}
}

func TestCompileKeepsDifferentStatisticsApart(t *testing.T) {
	plan, err := vec.Compile(parse(t, "rbf(sigma=1) + rbf(sigma=[1,1]) + rbf(sigma=[1,1])[1,0] + periodic(period=1,sigma=1) + periodic(period=2,sigma=1) + bilinear(matrix=[1,0,0,2]) + linear()"))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(plan.Statistics); got != 7 {
		t.Errorf("%d statistics, want 7:\n%s", got, plan)
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, text := range []string{"formula(\"x*y\")", "1 + normalize(of=linear())"} {
		if _, err := vec.Compile(parse(t, text)); err == nil || !strings.Contains(err.Error(), "compiled") {
			t.Errorf("Compile(%s): %v", text, err)
		}
	}
	if _, err := vec.Compile(kernel.Power[[]float64]{Of: vec.RBF{}, Degree: -1}); err == nil {
		t.Error("a negative power was compiled")
	}
	if _, err := vec.Compile(vec.Columns{Of: vec.Columns{Of: vec.RBF{}, Index: []int{2}}, Index: []int{0}}); err == nil {
		t.Error("column 2 of 1 was compiled")
	}
	plan, err := vec.Compile(kernel.Sum[[]float64]{})
	if err != nil || plan.String() != "constant 0\n" {
		t.Errorf("the empty sum is %v, %v", plan, err)
	}
}
