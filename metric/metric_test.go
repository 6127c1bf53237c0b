package metric_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/metric"
)

// reference is computed by scikit-learn, see its origin.
type reference struct {
	Truth, Predicted                                        []int
	P                                                       [][]float64
	W, Y, F, Score                                          []float64
	Confusion                                               [][]float64
	Accuracy, Balanced, Macro, AUC, LogLoss, Brier, Pinball float64
	F1, Precision                                           []float64
}

func load(t *testing.T) (r reference, p *mat.Dense) {
	t.Helper()
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	p = mat.NewDense(len(r.P), len(r.P[0]), nil)
	for i, row := range r.P {
		p.SetRow(i, row)
	}
	return r, p
}

func is(class []int, c int) []bool {
	out := make([]bool, len(class))
	for i, v := range class {
		out[i] = v == c
	}
	return out
}

// TestReferences: sums of 60 rows agree to a few roundings.
func TestReferences(t *testing.T) {
	r, p := load(t)
	c := metric.Confusion(r.Truth, r.Predicted, 3, r.W)
	for a := range c {
		testkit.CloseSlice(t, "confusion", c[a], r.Confusion[a], 1e-13)
	}
	const eps = 1e-13
	testkit.Close(t, "accuracy", metric.Accuracy(c), r.Accuracy, eps)
	testkit.Close(t, "balanced", metric.Balanced(c), r.Balanced, eps)
	testkit.CloseSlice(t, "F1", metric.F1(c), r.F1, eps)
	testkit.Close(t, "macro F1", metric.MacroF1(c), r.Macro, eps)
	testkit.CloseSlice(t, "precision", metric.Precisions(c), r.Precision, eps)
	testkit.Close(t, "AUC", metric.AUC(is(r.Truth, 1), r.Score, r.W), r.AUC, eps)
	testkit.Close(t, "log loss", metric.LogLoss(r.Truth, p, r.W), r.LogLoss, eps)
	testkit.Close(t, "Brier", metric.Brier(r.Truth, p, r.W), r.Brier, eps)
	testkit.Close(t, "pinball", metric.Pinball(r.Y, r.F, 0.3, r.W), r.Pinball, eps)
}

// TestWeightsAreCopies: whole weights are rows written so many times.
func TestWeightsAreCopies(t *testing.T) {
	r, p := load(t)
	var truth, predicted []int
	var y, f, score []float64
	var rows []float64
	for i, w := range r.W {
		for range int(w) {
			truth, predicted = append(truth, r.Truth[i]), append(predicted, r.Predicted[i])
			y, f, score = append(y, r.Y[i]), append(f, r.F[i]), append(score, r.Score[i])
			rows = append(rows, p.RawRowView(i)...)
		}
	}
	q := mat.NewDense(len(truth), 3, rows)
	const eps = 1e-12
	once, twice := metric.Confusion(r.Truth, r.Predicted, 3, r.W), metric.Confusion(truth, predicted, 3, nil)
	testkit.Close(t, "accuracy", metric.Accuracy(once), metric.Accuracy(twice), eps)
	testkit.Close(t, "AUC", metric.AUC(is(r.Truth, 2), r.Score, r.W), metric.AUC(is(truth, 2), score, nil), eps)
	testkit.Close(t, "log loss", metric.LogLoss(r.Truth, p, r.W), metric.LogLoss(truth, q, nil), eps)
	testkit.Close(t, "Brier", metric.Brier(r.Truth, p, r.W), metric.Brier(truth, q, nil), eps)
	testkit.Close(t, "pinball", metric.Pinball(r.Y, r.F, 0.7, r.W), metric.Pinball(y, f, 0.7, nil), eps)
	lo, hi := make([]float64, len(f)), make([]float64, len(f))
	for i, v := range f {
		lo[i], hi[i] = v-0.3, v+0.5
	}
	l, h := make([]float64, len(r.F)), make([]float64, len(r.F))
	for i, v := range r.F {
		l[i], h[i] = v-0.3, v+0.5
	}
	testkit.Close(t, "coverage", metric.Coverage(r.Y, l, h, r.W), metric.Coverage(y, lo, hi, nil), eps)
	testkit.Close(t, "width", metric.Width(l, h, r.W), 0.8, eps)
}

// TestAUCByPairs counts the pairs.
func TestAUCByPairs(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		n := 2 + g.IntN(30)
		positive, score, w := make([]bool, n), make([]float64, n), make([]float64, n)
		for i := range n {
			positive[i], score[i], w[i] = g.IntN(2) == 0, float64(g.IntN(6)), g.Float64()
		}
		positive[0], positive[1] = true, false
		won, pairs := 0.0, 0.0
		for i := range n {
			for j := range n {
				if !positive[i] || positive[j] {
					continue
				}
				v := w[i] * w[j]
				pairs += v
				switch {
				case score[i] > score[j]:
					won += v
				case score[i] == score[j]:
					won += v / 2
				}
			}
		}
		testkit.Close(t, "AUC", metric.AUC(positive, score, w), won/pairs, 1e-12)
	}
}

// TestReliability: a forecaster that is right by construction, and one that is not.
func TestReliability(t *testing.T) {
	var happened []bool
	var p []float64
	for i := range 100 {
		p, happened = append(p, 0.25), append(happened, i%4 == 0)
		p, happened = append(p, 0.75), append(happened, i%4 != 0)
	}
	p, happened = append(p, 1), append(happened, true)
	bins := metric.Reliability(happened, p, nil, 10)
	if len(bins) != 3 || bins[0].Lower != 0.2 || bins[2].Upper != 1 || bins[0].Weight != 100 {
		t.Fatalf("bins %+v", bins)
	}
	testkit.Close(t, "error of a calibrated forecaster", metric.CalibrationError(bins), 0, 1e-15)
	for i := range p {
		happened[i] = !happened[i]
	}
	testkit.Close(t, "error of its opposite", metric.CalibrationError(metric.Reliability(happened, p, nil, 10)), (200*0.5+1)/201, 1e-12)
}

// TestNothingToSay: without rows of both classes there is no number.
func TestNothingToSay(t *testing.T) {
	for name, v := range map[string]float64{
		"AUC of one class":            metric.AUC([]bool{true, true}, []float64{1, 2}, nil),
		"accuracy of none":            metric.Accuracy(metric.Confusion(nil, nil, 2, nil)),
		"AUC of weightless negatives": metric.AUC([]bool{true, false}, []float64{1, 2}, []float64{1, 0}),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v, want NaN", name, v)
		}
	}
	c := metric.Confusion([]int{0, 0, 1}, []int{0, 1, 1}, 3, nil)
	if r := metric.Recalls(c); r[0] != 0.5 || r[1] != 1 || !math.IsNaN(r[2]) {
		t.Errorf("recalls %v", r)
	}
	testkit.Close(t, "balanced accuracy over two classes", metric.Balanced(c), 0.75, 1e-15)
}
