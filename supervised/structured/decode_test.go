package structured_test

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/structured"
)

// exhaust wants the decoder to find the smallest expected loss of all answers, for
// weights of either sign.
func exhaust[Y any](t *testing.T, out structured.Output[Y], all []Y, rounds int) {
	t.Helper()
	rng := testkit.Rand(t, 1)
	for range rounds {
		n := 1 + rng.IntN(8)
		alpha, ys := make([]float64, n), make([]Y, n)
		theta, phi := make([]float64, out.Dim()), make([]float64, out.Dim())
		for i := range ys {
			alpha[i], ys[i] = rng.NormFloat64()+0.3, all[rng.IntN(len(all))]
			if err := out.Embed(phi, ys[i]); err != nil {
				t.Fatal(err)
			}
			for j, v := range phi {
				theta[j] += alpha[i] * v
			}
		}
		expected := func(y Y) float64 {
			sum := 0.0
			for i, z := range ys {
				sum += alpha[i] * out.Loss(y, z)
			}
			return sum
		}
		best := math.Inf(1)
		for _, y := range all {
			best = min(best, expected(y))
		}
		y := out.Decode(theta)
		if got := expected(y); got > best+1e-9 {
			t.Fatalf("%T: %v has the expected loss %v, and there is one with %v (α %v, answers %v)", out, y, got, best, alpha, ys)
		}
	}
}

func sets(labels int) [][]bool {
	var all [][]bool
	for set := range 1 << labels {
		y := make([]bool, labels)
		for l := range y {
			y[l] = set>>l&1 == 1
		}
		all = append(all, y)
	}
	return all
}

func orders(items int) [][]int {
	all := [][]int{{}}
	for j := range items {
		var longer [][]int
		for _, y := range all {
			for at := range j + 1 {
				longer = append(longer, slices.Insert(slices.Clone(y), at, j))
			}
		}
		all = longer
	}
	return all
}

func lines(length, labels int) [][]int {
	all := [][]int{{}}
	for range length {
		var longer [][]int
		for _, y := range all {
			for label := range labels {
				longer = append(longer, append(slices.Clone(y), label))
			}
		}
		all = longer
	}
	return all
}

func TestDecodersAgainstAllAnswers(t *testing.T) {
	exhaust(t, structured.LabelSet{Labels: 5}, sets(5), 200)
	exhaust(t, structured.LabelSetF1{Labels: 5}, sets(5), 200)
	exhaust(t, structured.Ranking{Items: 5}, orders(5), 200)
	exhaust(t, structured.Ranking{Items: 5, Distance: structured.Footrule}, orders(5), 200)
	exhaust(t, structured.Kendall{Items: 5}, orders(5), 200)
	exhaust(t, structured.Sequence{Length: 5, Labels: 3}, lines(5, 3), 100)
	exhaust(t, structured.Sequence{Length: 5, Labels: 3, Chain: 2}, lines(5, 3), 100)
	exhaust(t, structured.Sequence{Length: 1, Labels: 3, Chain: 2}, lines(1, 3), 50)
	exhaust(t, structured.Candidates[int]{List: []int{0, 1, 2, 3}, Delta: func(y, z int) float64 { return math.Sqrt(math.Abs(float64(y - z))) }}, []int{0, 1, 2, 3}, 100)
}

// Losses by their values.
func TestLosses(t *testing.T) {
	testkit.Close(t, "Hamming", structured.LabelSet{Labels: 3}.Loss([]bool{true, false, true}, []bool{false, false, false}), 2, 0)
	testkit.Close(t, "F1", structured.LabelSetF1{Labels: 3}.Loss([]bool{true, true, true}, []bool{true, false, false}), 0.5, 1e-15)
	testkit.Close(t, "F1 of nothing", structured.LabelSetF1{Labels: 2}.Loss([]bool{false, false}, []bool{false, false}), 0, 0)
	testkit.Close(t, "Spearman", structured.Ranking{Items: 3}.Loss([]int{0, 1, 2}, []int{2, 1, 0}), 8, 0)
	testkit.Close(t, "footrule", structured.Ranking{Items: 3, Distance: structured.Footrule}.Loss([]int{0, 1, 2}, []int{2, 1, 0}), 4, 0)
	testkit.Close(t, "Kendall", structured.Kendall{Items: 3}.Loss([]int{0, 1, 2}, []int{2, 1, 0}), 3, 0)
	testkit.Close(t, "chain", structured.Sequence{Length: 3, Labels: 2, Chain: 0.5}.Loss([]int{0, 1, 0}, []int{0, 0, 0}), 2, 0)
}

// The answer of kernel dependency estimation has the nearest features; with α that sums
// to one it has the smallest expected loss, too.
func TestDependency(t *testing.T) {
	list := [][]float64{{0, 0}, {1, 0}, {0, 2}, {3, 3}, {-1, 1}}
	k, err := vec.Parse("rbf(sigma=1) + 0.2*linear()")
	if err != nil {
		t.Fatal(err)
	}
	out := structured.Dependency[[]float64]{Kernel: k, List: list}
	rng := testkit.Rand(t, 2)
	for range 100 {
		theta, phi, alpha, sum := make([]float64, 5), make([]float64, 5), make([]float64, 5), 0.0
		for i := range alpha {
			alpha[i] = rng.Float64()
			sum += alpha[i]
		}
		for i, z := range list {
			alpha[i] /= sum
			if err := out.Embed(phi, z); err != nil {
				t.Fatal(err)
			}
			for j, v := range phi {
				theta[j] += alpha[i] * v
			}
		}
		expected := func(y []float64) float64 {
			total := 0.0
			for i, z := range list {
				total += alpha[i] * out.Loss(y, z)
			}
			return total
		}
		got := expected(out.Decode(theta))
		for _, y := range list {
			if expected(y) < got-1e-12 {
				t.Fatalf("%v is nearer", y)
			}
		}
	}
}

// Above the size of exact decoding no move of one item improves the order, and an order
// that all agree on is found.
func TestKendallOfManyItems(t *testing.T) {
	const q = 20
	out := structured.Kendall{Items: q}
	rng := testkit.Rand(t, 3)
	want := rng.Perm(q)
	theta := make([]float64, out.Dim())
	if err := out.Embed(theta, want); err != nil {
		t.Fatal(err)
	}
	if got := out.Decode(slices.Clone(theta)); !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	for i := range theta {
		theta[i] += 2 * rng.NormFloat64()
	}
	gain := func(ranks []int) float64 {
		sum, at := 0.0, 0
		for a := range q {
			for b := a + 1; b < q; b++ {
				if ranks[a] < ranks[b] {
					sum += theta[at]
				} else {
					sum -= theta[at]
				}
				at++
			}
		}
		return sum
	}
	got := out.Decode(slices.Clone(theta))
	reached, order := gain(got), make([]int, q)
	for item, rank := range got {
		order[rank] = item
	}
	for from := range q {
		for to := range q {
			moved := slices.Delete(slices.Clone(order), from, from+1)
			moved = slices.Insert(moved, to, order[from])
			ranks := make([]int, q)
			for rank, item := range moved {
				ranks[item] = rank
			}
			if gain(ranks) > reached+1e-9 {
				t.Fatalf("moving one item gains %v", gain(ranks)-reached)
			}
		}
	}
}

// refused says whether an output refuses an answer.
func refused[Y any](out structured.Output[Y], z Y) bool {
	return out.Embed(make([]float64, out.Dim()), z) != nil
}

func TestOutputsRefuseWrongAnswers(t *testing.T) {
	for name, is := range map[string]bool{
		"labels":      refused(structured.LabelSet{Labels: 2}, []bool{true}),
		"F1 labels":   refused(structured.LabelSetF1{Labels: 2}, []bool{true}),
		"equal ranks": refused(structured.Ranking{Items: 3}, []int{0, 0, 1}),
		"large rank":  refused(structured.Kendall{Items: 3}, []int{0, 1, 3}),
		"few ranks":   refused(structured.Kendall{Items: 3}, []int{0, 1}),
		"short line":  refused(structured.Sequence{Length: 2, Labels: 2}, []int{0}),
		"large label": refused(structured.Sequence{Length: 2, Labels: 2}, []int{0, 2}),
		"chain":       refused(structured.Sequence{Length: 2, Labels: 2, Chain: -1}, []int{0, 1}),
		"infinite":    refused(structured.Candidates[int]{List: []int{1}, Delta: func(_, _ int) float64 { return math.NaN() }}, 1),
	} {
		if !is {
			t.Errorf("%s: a wrong answer passes", name)
		}
	}
}
