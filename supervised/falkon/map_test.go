package falkon

import (
	"context"
	"math"
	"slices"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// curved is the map zⱼ = θⱼ·tanh(xⱼ), with as many numbers as coordinates.
type curved struct{ start []float64 }

func (m curved) Start() []float64 { return m.start }

func (m curved) Images(_ context.Context, theta []float64, xs data.Vectors) (data.Vectors, error) {
	z := data.MakeVectors(xs.Len(), xs.Dim())
	for i := range xs.Len() {
		for j, v := range xs.At(i) {
			z.At(i)[j] = theta[j] * math.Tanh(v)
		}
	}
	return z, nil
}

func (m curved) Pull(_ context.Context, theta []float64, xs, slopes data.Vectors) ([]float64, data.Vectors, error) {
	ofTheta, points := make([]float64, len(theta)), data.MakeVectors(xs.Len(), xs.Dim())
	for i := range xs.Len() {
		for j, v := range xs.At(i) {
			t := math.Tanh(v)
			ofTheta[j] += slopes.At(i)[j] * t
			points.At(i)[j] = slopes.At(i)[j] * theta[j] * (1 - t*t)
		}
	}
	return ofTheta, points, nil
}

// A map of somebody else's is moved by its reverse pass, along the gradient of differences; see
// [TestGradientOfTheProjectionIsThatOfDifferences] for the tolerance.
func TestGradientThroughAnotherMapIsThatOfDifferences(t *testing.T) {
	const h = 1e-5
	p, theta, _, _ := movable(t, Options{Lambda: 1e-3}, LandmarkOptions{Before: curved{[]float64{1.2, 0.7, -2}}})
	q, err := p.at(t.Context(), theta)
	if err != nil {
		t.Fatal(err)
	}
	if len(q.grad) != 3+6*3 {
		t.Fatalf("%d derivatives", len(q.grad))
	}
	size := 0.0
	for _, g := range q.grad {
		size = math.Max(size, math.Abs(g))
	}
	for i := range theta {
		moved := slices.Clone(theta)
		value := func(at float64) float64 {
			moved[i] = at
			q, err := p.at(t.Context(), moved)
			if err != nil {
				t.Fatal(err)
			}
			return q.value
		}
		testkit.Close(t, "derivative", q.grad[i], (value(theta[i]+h)-value(theta[i]-h))/(2*h), 1e-6*size)
	}
}
