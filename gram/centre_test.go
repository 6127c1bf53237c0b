package gram

import (
	"encoding/json"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// centredByDefinition is K − 1ₙK − K1ₙ + 1ₙK1ₙ with matrices.
func centredByDefinition(k *mat.Dense) *mat.Dense {
	n, _ := k.Dims()
	one := mat.NewDense(n, n, nil)
	one.Apply(func(int, int, float64) float64 { return 1 / float64(n) }, one)
	var left, right, both, out mat.Dense
	left.Mul(one, k)
	right.Mul(k, one)
	both.Product(one, k, one)
	out.Sub(k, &left)
	out.Sub(&out, &right)
	out.Add(&out, &both)
	return &out
}

// shiftedPoints subtracts the mean of the training points from xs.
func shiftedPoints(xs, training data.Vectors) data.Vectors {
	out := data.MakeVectors(xs.Len(), xs.Dim())
	for j := range xs.Dim() {
		mean := 0.0
		for i := range training.Len() {
			mean += training.At(i)[j] / float64(training.Len())
		}
		for i := range xs.Len() {
			out.At(i)[j] = xs.At(i)[j] - mean
		}
	}
	return out
}

// The feature map of the linear kernel is the identity, so centring its Gram matrix is
// the same as centring the points, new points with the mean of the training points.
func TestCentringIsThatOfTheFeatureSpace(t *testing.T) {
	xs, zs := randomPoints(t, 40, 50, 4), randomPoints(t, 41, 20, 4)
	for i := range xs.Len() {
		xs.At(i)[2] += 3 // a mean that matters
	}
	k := symmetricOf(explicit(linear{}, xs, xs))
	c, err := Centre(t.Context(), k, compute.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := explicit(linear{}, shiftedPoints(xs, xs), shiftedPoints(xs, xs))
	testkit.CloseSlice(t, "centred training matrix", mat.DenseCopyOf(k).RawMatrix().Data, want.RawMatrix().Data, 1e-13)
	cross := explicit(linear{}, zs, xs)
	if err := c.Cross(cross); err != nil {
		t.Fatal(err)
	}
	want = explicit(linear{}, shiftedPoints(zs, xs), shiftedPoints(xs, xs))
	testkit.CloseSlice(t, "centred new points", cross.RawMatrix().Data, want.RawMatrix().Data, 1e-13)
}

func TestCentreByDefinition(t *testing.T) {
	xs := randomPoints(t, 42, 140, 2)
	full := explicit(gaussian{}, xs, xs)
	k := symmetricOf(full)
	if _, err := Centre(t.Context(), k, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "K − 1K − K1 + 1K1", mat.DenseCopyOf(k).RawMatrix().Data, centredByDefinition(full).RawMatrix().Data, 1e-14)
	for i := range 140 {
		sum := 0.0
		for j := range 140 {
			sum += k.At(i, j)
		}
		testkit.Close(t, "a row sum of the centred matrix", sum, 0, 1e-13)
	}
}

func TestCentredOperatorOnNewPoints(t *testing.T) {
	xs, zs := randomPoints(t, 43, 60, 2), randomPoints(t, 44, 30, 2)
	c, err := centringOf(t.Context(), Of(bind(gaussian{}, xs, xs), compute.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	cross, x := explicit(gaussian{}, zs, xs), randomDense(t, 45, 60, 2)
	if err := c.Cross(cross); err != nil {
		t.Fatal(err)
	}
	var got, want mat.Dense
	want.Mul(cross, x)
	if err := c.Operator(Cross(bind(gaussian{}, zs, xs), compute.Options{})).Mul(t.Context(), &got, x); err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "centred product at new points", got.RawMatrix().Data, want.RawMatrix().Data, 1e-13)
}

func TestCentringRefusesOtherPoints(t *testing.T) {
	c := Centring{Means: make([]float64, 3)}
	if err := c.Cross(mat.NewDense(2, 4, nil)); err == nil {
		t.Error("columns of 4 points were centred with the means of 3")
	}
	op := c.Operator(FromMatrix(mat.NewSymDense(4, nil)))
	if err := op.Mul(t.Context(), new(mat.Dense), mat.NewDense(4, 1, nil)); err == nil {
		t.Error("an operator of 4 points was centred with the means of 3")
	}
}

// A centring is stored with a model and must come back to the last bit.
func TestCentringSurvivesJSON(t *testing.T) {
	xs := randomPoints(t, 46, 10, 2)
	want, err := centringOf(t.Context(), Of(bind(gaussian{}, xs, xs), compute.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Centring
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "means", got.Means, want.Means, 0)
	testkit.Close(t, "mean", got.Mean, want.Mean, 0)
}

// A weight of 2 is the point written twice, for the stored matrix, for the operator and
// for new points.
func TestWeightedCentringIsRepetition(t *testing.T) {
	xs, zs := randomPoints(t, 46, 30, 2), randomPoints(t, 47, 9, 2)
	weights, index := make([]float64, 30), []int{}
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			index = append(index, i)
		}
	}
	repeated := xs.Gather(index)
	c, err := CentringWith(t.Context(), Of(bind(gaussian{}, xs, xs), compute.Options{}), weights)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := centringOf(t.Context(), Of(bind(gaussian{}, repeated, repeated), compute.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "‖μ‖²", c.Mean, plain.Mean, 1e-14)
	k, twice := symmetricOf(explicit(gaussian{}, xs, xs)), symmetricOf(explicit(gaussian{}, repeated, repeated))
	if err := c.Apply(t.Context(), k, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := plain.Apply(t.Context(), twice, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	cross, crossTwice := explicit(gaussian{}, zs, xs), explicit(gaussian{}, zs, repeated)
	if err := c.Cross(cross); err != nil {
		t.Fatal(err)
	}
	if err := plain.Cross(crossTwice); err != nil {
		t.Fatal(err)
	}
	for a, i := range index {
		for b, j := range index {
			testkit.Close(t, "centred element", k.At(i, j), twice.At(a, b), 1e-14)
		}
		for z := range zs.Len() {
			testkit.Close(t, "centred new element", cross.At(z, i), crossTwice.At(z, a), 1e-14)
		}
	}
	x := randomDense(t, 48, 30, 2)
	var got, want mat.Dense
	if err := c.Operator(Of(bind(gaussian{}, xs, xs), compute.Options{})).Mul(t.Context(), &got, x); err != nil {
		t.Fatal(err)
	}
	want.Mul(k, x)
	testkit.CloseSlice(t, "product", got.RawMatrix().Data, want.RawMatrix().Data, 1e-13)
}

func TestWeightsThatMakeNoMean(t *testing.T) {
	k := FromMatrix(mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	for _, weights := range [][]float64{{1}, {0, 0}, {1, -1}, {}} {
		if _, err := CentringWith(t.Context(), k, weights); err == nil {
			t.Errorf("weights %v were taken", weights)
		}
	}
}
