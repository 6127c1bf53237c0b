package gram_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
)

// The distances of the feature space are those of the matrix: a triangle of sides 3, 4 and 5.
func TestFromDistances(t *testing.T) {
	d := mat.NewDense(3, 3, []float64{0, 3, 4, 3, 0, 5, 4, 5, 0})
	plain, err := gram.NewPrecomputed("d.npy", d, []string{"a", "b", "c"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := plain.FromDistances()
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range []string{"a", "b", "c"} {
		for j, z := range []string{"a", "b", "c"} {
			testkit.Close(t, "distance", math.Sqrt(k.Eval(x, x)+k.Eval(z, z)-2*k.Eval(x, z)), d.At(i, j), 1e-15)
		}
	}
	if got := k.String(); got != `gram(file="d.npy", holds=distances)` {
		t.Errorf("it prints itself as %s", got)
	}
	if got := plain.Eval("a", "b"); got != 3 || !strings.Contains(k.Derive().Reason, "Euclidean") {
		t.Errorf("the matrix that was given is changed, %v, or nothing is said of distances", got)
	}
	for want, values := range map[string][]float64{"not negative": {0, -1, -1, 0}, "to itself": {1, 1, 1, 0}} {
		p, err := gram.NewPrecomputed("d.npy", mat.NewDense(2, 2, values), []string{"a", "b"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.FromDistances(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %v: %v, want %q in it", values, err, want)
		}
	}
}
