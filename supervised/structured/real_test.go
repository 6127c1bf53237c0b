package structured_test

import (
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/structured"
)

// wine reads the standardised measurements: the first eight, and the five after them.
func wine(t *testing.T) (xs data.Vectors, rest *mat.Dense) {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, "csv/wine.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var numbers []float64
	for line := range strings.Lines(string(text)) {
		for _, f := range strings.Split(strings.TrimSpace(line), ",")[:13] {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
	}
	all := mat.NewDense(len(numbers)/13, 13, numbers)
	n, _ := all.Dims()
	xs, rest = data.MakeVectors(n, 8), mat.NewDense(n, 5, nil)
	for j := range 13 {
		col := mat.Col(nil, j, all)
		mean, spread := stat.PopMeanStdDev(col, nil)
		for i, v := range col {
			if j < 8 {
				xs.At(i)[j] = (v - mean) / spread
			} else {
				rest.Set(i, j-8, (v-mean)/spread)
			}
		}
	}
	return xs, rest
}

// compareOn fits on two thirds of the rows and returns the mean loss on the others, and that
// of the answer that is best on the training rows without looking at x (a kernel that
// is constant).
func compareOn[T, Y any](t *testing.T, k, constant kernel.Kernel[T], xs data.Set[T], ys []Y, out structured.Output[Y], lambda float64) (loss, blind float64) {
	t.Helper()
	var train, test []int
	for i := range ys {
		if i%3 == 2 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	known := make([]Y, len(train))
	for at, i := range train {
		known[at] = ys[i]
	}
	mean := func(k kernel.Kernel[T], lambda float64) float64 {
		p, _, err := structured.Fit(t.Context(), k, data.Subset(xs, train), known, out, structured.Options{Lambda: lambda})
		if err != nil {
			t.Fatal(err)
		}
		got, err := structured.Predict(t.Context(), p, out, data.Subset(xs, test), compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for at, i := range test {
			sum += out.Loss(got[at], ys[i])
		}
		return sum / float64(len(test))
	}
	return mean(k, lambda), mean(constant, 1e-6)
}

// Wine: from eight measurements, which of five others are above their mean, and their
// order of size.
func TestLabelSetsAndRankingsOfWine(t *testing.T) {
	xs, rest := wine(t)
	n := xs.Len()
	labels, ranks := make([][]bool, n), make([][]int, n)
	for i := range n {
		labels[i], ranks[i] = make([]bool, 5), make([]int, 5)
		for j, v := range rest.RawRowView(i) {
			labels[i][j] = v > 0
			for _, other := range rest.RawRowView(i) {
				if other < v {
					ranks[i][j]++
				}
			}
		}
	}
	k, constant, points := parse(t, "rbf(sigma=3) + 1"), parse(t, "1"), xs
	check := func(name string, loss, blind, share float64) {
		t.Helper()
		t.Logf("%s: loss %.3f, blind %.3f", name, loss, blind)
		if !(loss < share*blind) {
			t.Errorf("%s: loss %.3f, blind %.3f", name, loss, blind)
		}
	}
	loss, blind := compareOn(t, k, constant, points, labels, structured.Output[[]bool](structured.LabelSet{Labels: 5}), 1e-3)
	check("Hamming", loss, blind, 0.7)
	loss, blind = compareOn(t, k, constant, points, labels, structured.Output[[]bool](structured.LabelSetF1{Labels: 5}), 1e-3)
	check("F1", loss, blind, 0.8)
	loss, blind = compareOn(t, k, constant, points, ranks, structured.Output[[]int](structured.Ranking{Items: 5}), 1e-3)
	check("Spearman", loss, blind, 0.8)
	loss, blind = compareOn(t, k, constant, points, ranks, structured.Output[[]int](structured.Ranking{Items: 5, Distance: structured.Footrule}), 1e-3)
	check("footrule", loss, blind, 0.8)
	loss, blind = compareOn(t, k, constant, points, ranks, structured.Output[[]int](structured.Kendall{Items: 5}), 1e-3)
	check("Kendall", loss, blind, 0.8)

	// The same sets as points of a kernel, chosen among those that were seen.
	sets, seen := make([][]float64, n), [][]float64(nil)
	for i, y := range labels {
		sets[i] = make([]float64, 5)
		for l, in := range y {
			if in {
				sets[i][l] = 1
			}
		}
		if !slices.ContainsFunc(seen, func(s []float64) bool { return slices.Equal(s, sets[i]) }) {
			seen = append(seen, sets[i])
		}
	}
	loss, blind = compareOn(t, k, constant, points, sets, structured.Dependency[[]float64]{Kernel: parse(t, "rbf(sigma=1)"), List: seen}, 1e-3)
	check("dependency", loss, blind, 0.7)
}

// Splice junctions: every position of a stretch of DNA is exon, intron or neither.
func TestSequencesOfSpliceJunctions(t *testing.T) {
	file, err := os.Open(testkit.Shared(t, "sequences/splice.data.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	const length, exon, intron, neither = 60, 0, 1, 2
	var numbers []float64
	var ys [][]int
	at := 0
	for line := range strings.Lines(string(text)) {
		if at++; at%4 != 0 { // every fourth is enough
			continue
		}
		fields := strings.Split(line, ",")
		dna, y := strings.TrimSpace(fields[2]), make([]int, length)
		for p := range length {
			one := make([]float64, 4)
			if base := strings.IndexByte("ACGT", dna[p]); base >= 0 {
				one[base] = 1
			}
			numbers = append(numbers, one...)
			switch first := p < length/2; {
			case fields[0] == "N":
				y[p] = neither
			case fields[0] == "EI" == first:
				y[p] = exon
			default:
				y[p] = intron
			}
		}
		ys = append(ys, y)
	}
	xs, err := data.NewVectors(len(ys), 4*length, numbers)
	if err != nil {
		t.Fatal(err)
	}
	for _, chain := range []float64{0, 1} {
		loss, blind := compareOn(t, parse(t, "rbf(sigma=6) + 1"), parse(t, "1"), xs, ys,
			structured.Output[[]int](structured.Sequence{Length: length, Labels: 3, Chain: chain}), 1e-4)
		t.Logf("chain %g: loss %.2f, blind %.2f", chain, loss, blind)
		if !(loss < 0.5*blind) {
			t.Errorf("chain %g: loss %.2f, blind %.2f", chain, loss, blind)
		}
	}
}
