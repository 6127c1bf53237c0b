package gp_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
)

// parse returns a kernel on vectors.
func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// spaced are options that ask for a space.
type spaced interface{ Space() space.Options }

// rowsOf returns the space of the rows with a Gram matrix that options ask for.
func rowsOf(t testing.TB, k gram.Operator, o spaced) *space.Dual {
	t.Helper()
	s, err := space.DualOf(t.Context(), k, o.Space())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// features returns the space of the features of points.
func features(t testing.TB, phi design.Matrix, o compute.Options) *space.Primal {
	t.Helper()
	s, err := space.NewPrimal(t.Context(), phi, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// matrix evaluates the Gram matrix pair by pair.
func matrix(k kernel.Kernel[[]float64], xs data.Set[[]float64]) *mat.SymDense {
	a := mat.NewSymDense(xs.Len(), nil)
	for i := range xs.Len() {
		for j := i; j < xs.Len(); j++ {
			a.SetSym(i, j, k.Eval(xs.At(i), xs.At(j)))
		}
	}
	return a
}

// wave is a noisy function of random points.
func wave(rng *rand.Rand, n, d int) (data.Vectors, []float64) {
	xs, y := data.MakeVectors(n, d), make([]float64, n)
	for i := range y {
		for j := range d {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y[i] = 3 + math.Sin(2*xs.At(i)[0]) + 0.3*xs.At(i)[d-1] + 0.2*rng.NormFloat64()
	}
	return xs, y
}

// positive are n numbers between 0.2 and 1.2.
func positive(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 0.2 + rng.Float64()
	}
	return out
}

// reference is testdata/sklearn.json, whose field origin says how it was made.
type reference struct {
	Regression []struct {
		File       string
		Step, Rows int
		Columns    []int
		Target     int
		Kernel     string
		Noise      []float64
		Value      float64
		Gradient   []float64
		Mean, Std  []float64
		Covariance []float64
	}
	Tuned []struct {
		File       string
		Step, Rows int
		Columns    []int
		Target     int
		Kernel     string
		Value      float64
	}
	Classification []struct {
		File                          string
		Pair                          []string
		Kernel                        string
		Value                         float64
		Gradient, Mode                []float64
		Probability, Latent, Variance []float64
	}
}

func readReference(t testing.TB) *reference {
	t.Helper()
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	r := new(reference)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatal(err)
	}
	if len(r.Regression) != 7 || len(r.Classification) != 3 || len(r.Tuned) != 2 {
		t.Fatalf("%d, %d and %d cases", len(r.Regression), len(r.Classification), len(r.Tuned))
	}
	return r
}

// fields reads a file of blank- or comma-separated fields without its header.
func fields(t testing.TB, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, "csv/"+name))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(text)) {
		row := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == '\t' || r == ' ' || r == '\n' || r == '\r' })
		if len(row) < 2 {
			continue
		}
		if _, err := strconv.ParseFloat(row[0], 64); err != nil {
			continue // the header
		}
		out = append(out, row)
	}
	return out
}

// every returns rows start, start+step, …, at most count of them.
func every[E any](rows []E, start, step, count int) []E {
	var out []E
	for i := start; i < len(rows) && len(out) < count; i += step {
		out = append(out, rows[i])
	}
	return out
}

// column reads one number of every row.
func column(t testing.TB, rows [][]string, j int) []float64 {
	t.Helper()
	out := make([]float64, len(rows))
	for i, row := range rows {
		v, err := strconv.ParseFloat(row[j], 64)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = v
	}
	return out
}

// standardise shifts and scales both by mean and standard deviation of the first.
func standardise(train, fresh []float64) {
	mean, square := 0.0, 0.0
	for _, v := range train {
		mean += v / float64(len(train))
	}
	for _, v := range train {
		square += (v - mean) * (v - mean) / float64(len(train))
	}
	for _, values := range [][]float64{train, fresh} {
		for i := range values {
			values[i] = (values[i] - mean) / math.Sqrt(square)
		}
	}
}

// vectors standardises columns and makes them points.
func vectors(t testing.TB, train, fresh [][]string, columns []int) (xs, news data.Vectors) {
	t.Helper()
	xs, news = data.MakeVectors(len(train), len(columns)), data.MakeVectors(len(fresh), len(columns))
	for c, j := range columns {
		a, b := column(t, train, j), column(t, fresh, j)
		standardise(a, b)
		for i, v := range a {
			xs.At(i)[c] = v
		}
		for i, v := range b {
			news.At(i)[c] = v
		}
	}
	return xs, news
}

// flat is the upper triangle of a symmetric matrix.
func flat(a *mat.SymDense) []float64 {
	var out []float64
	for i := range a.SymmetricDim() {
		for j := i; j < a.SymmetricDim(); j++ {
			out = append(out, a.At(i, j))
		}
	}
	return out
}
