package kerneltest_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
)

// recorder is a TB that collects what a *testing.T would report.
type recorder struct{ reports []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}

// letters counts common letters of two strings: the toy kernel of these tests on
// points that are not numbers, k(x, y) = weight·Σ_c #c(x)·#c(y).
type letters struct{ weight float64 }

func (k letters) Eval(x, y string) float64 {
	sum := 0
	for c := 'a'; c <= 'z'; c++ {
		sum += strings.Count(x, string(c)) * strings.Count(y, string(c))
	}
	return k.weight * float64(sum)
}

func (k letters) String() string { return fmt.Sprintf("letters(weight=%v)", k.weight) }

func (k letters) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: "the inner product of letter counts"}
}

func (k letters) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "weight", Value: k.weight, Positive: true}}
}

func (k letters) With(v []float64) (kernel.Kernel[string], error) {
	if len(v) != 1 {
		return nil, errors.New("one value is needed")
	}
	return letters{v[0]}, nil
}

func (k letters) EvalGrad(grad []float64, x, y string) float64 {
	grad[0] = k.Eval(x, y)
	return grad[0]
}

func (k letters) EvalBig(x, y string, prec uint) (*big.Float, error) {
	v := new(big.Float).SetPrec(prec).SetFloat64(k.weight)
	return v.Mul(v, new(big.Float).SetFloat64(letters{1}.Eval(x, y))), nil
}

func (k letters) Features(string) (int, bool) { return 26, true }

func (k letters) Map(phi []float64, x string) {
	for i := range phi {
		phi[i] = math.Sqrt(k.weight) * float64(strings.Count(x, string(rune('a'+i))))
	}
}

func (k letters) Reference() kernel.Reference {
	return kernel.Reference{Name: "letters", Title: "common letters", Formula: "w·Σ #c(x)·#c(y)", Domain: "strings"}
}

func parseLetters(text string) (kernel.Kernel[string], error) {
	var k letters
	if _, err := fmt.Sscanf(text, "letters(weight=%g)", &k.weight); err != nil {
		return nil, err
	}
	return k, nil
}

var words = []string{"", "a", "banana", "kernel", "mercer", "anagram", "nag a ram", "banana"}

func TestRunAcceptsAKernelOnStrings(t *testing.T) {
	kerneltest.Run(t, letters{1.5}, words, kerneltest.Options[string]{Parse: parseLetters})
}

// The broken kernels embed the good one and spoil one promise each.

type asymmetric struct{ letters }

func (k asymmetric) Eval(x, y string) float64 { return k.letters.Eval(x, y) + float64(len(x)) }

type infinite struct{ letters }

func (k infinite) Eval(x, y string) float64 { return math.Inf(1) }

type stateful struct {
	letters
	calls *atomic.Int64
}

func (k stateful) Eval(x, y string) float64 { return 1 + float64(k.calls.Add(1)/2%2) }

type outside struct{ letters }

func (outside) Contains(string) error { return errors.New("no point is good enough") }

// bound is a kernel whose tiles are made by a function.
type bound struct {
	letters
	tile func(p kernel.Pairs, dst kernel.Tile, row, col int)
	dims int // added to the number of rows
}

func (k bound) Bind(rows, cols data.Set[string]) kernel.Pairs {
	return pairs{kernel.BindPointwise[string](k.letters, rows, cols), k}
}

type pairs struct {
	kernel.Pairs
	k bound
}

func (p pairs) Dims() (int, int) {
	n, m := p.Pairs.Dims()
	return n + p.k.dims, m
}

func (p pairs) Tile(dst kernel.Tile, row, col int) {
	if p.k.tile == nil {
		p.Pairs.Tile(dst, row, col)
		return
	}
	p.k.tile(p.Pairs, dst, row, col)
}

// wrongDiag has correct tiles and another diagonal.
type wrongDiag struct{ bound }

func (k wrongDiag) Bind(rows, cols data.Set[string]) kernel.Pairs {
	return diagPairs{k.bound.Bind(rows, cols)}
}

type diagPairs struct{ kernel.Pairs }

func (diagPairs) Diag(dst []float64) {}

// negative claims to be positive definite and is not.
type negative struct{ letters }

func (k negative) Eval(x, y string) float64 {
	if x == y {
		return 1
	}
	return -1
}

type overlarge struct{ letters }

func (k overlarge) Eval(x, y string) float64 {
	if x == y {
		return 1
	}
	return 2
}

type unreasonable struct{ letters }

func (k unreasonable) Derive() kernel.Derivation { return kernel.Derivation{Kernel: "another"} }

type blank struct{ letters }

func (blank) Reference() kernel.Reference { return kernel.Reference{} }

type misprinted struct{ letters }

func (k misprinted) String() string { return "letters(weight=2)" }
func (k misprinted) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Reason: "-"}
}

type unprintable struct{ letters }

func (k unprintable) String() string { return "?" }
func (k unprintable) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Reason: "-"}
}

type stubborn struct{ letters }

func (k stubborn) With(v []float64) (kernel.Kernel[string], error) { return k, nil }

type renamed struct{ letters }

func (k renamed) Parameters() []kernel.Parameter {
	p := k.letters.Parameters()
	return append(p, p...)
}

type steep struct{ letters }

func (k steep) EvalGrad(grad []float64, x, y string) float64 {
	grad[0] = 2 * k.Eval(x, y)
	return k.Eval(x, y)
}

type otherValue struct{ letters }

func (k otherValue) EvalGrad(grad []float64, x, y string) float64 {
	grad[0] = k.Eval(x, y)
	return -grad[0]
}

type inexact struct{ letters }

func (k inexact) EvalBig(x, y string, prec uint) (*big.Float, error) {
	return big.NewFloat(k.Eval(x, y) + 1), nil
}

type imprecise struct{ letters }

func (k imprecise) EvalBig(x, y string, prec uint) (*big.Float, error) {
	v := big.NewFloat(k.Eval(x, y)).SetPrec(prec)
	if prec < 150 {
		v.Mul(v, new(big.Float).SetPrec(prec).Add(big.NewFloat(1), big.NewFloat(1e-24)))
	}
	return v, nil
}

type partial struct{ letters }

func (k partial) Map(phi []float64, x string) { phi[0] = 1 }

type wrongMap struct{ letters }

func (k wrongMap) Map(phi []float64, x string) {
	k.letters.Map(phi, x)
	phi[0]++
}

func TestRunReportsBrokenKernels(t *testing.T) {
	var good letters = letters{1.5}
	var shared atomic.Int64
	spoil := func(tile func(p kernel.Pairs, dst kernel.Tile, row, col int)) bound {
		return bound{letters: good, tile: tile}
	}
	for _, c := range []struct {
		why  string
		k    kernel.Kernel[string]
		says string
	}{
		{"k(x,y) ≠ k(y,x)", asymmetric{good}, "symmetry: "},
		{"infinite values", infinite{good}, "is not finite"},
		{"a kernel with state", stateful{good, new(atomic.Int64)}, "symmetry: "},
		{"points outside the domain", outside{good}, "no point is good enough"},
		{"wrong dimensions", bound{letters: good, dims: 1}, "Dims says"},
		{"a wrong tile", spoil(func(p kernel.Pairs, dst kernel.Tile, row, col int) {
			p.Tile(dst, row, col)
			for i := range dst.Rows {
				scaleRow(dst.Row(i), 1+1e-9)
			}
		}), "Eval says"},
		{"bits that depend on the tile", spoil(func(p kernel.Pairs, dst kernel.Tile, row, col int) {
			p.Tile(dst, row, col)
			for i := range dst.Rows {
				if dst.Cols < 5 {
					scaleRow(dst.Row(i), 1+1e-15)
				}
			}
		}), "the bits must not depend on the tile"},
		{"a tile that writes too far", spoil(func(p kernel.Pairs, dst kernel.Tile, row, col int) {
			p.Tile(dst, row, col)
			if end := dst.Rows * dst.Stride; end > 0 {
				clear(dst.Data[end-(dst.Stride-dst.Cols) : end])
			}
		}), "writes outside"},
		{"a diagonal that is not that of the tiles", wrongDiag{bound{letters: good}}, "of the diagonal"},
		{"a panic without points", spoil(func(p kernel.Pairs, dst kernel.Tile, row, col int) {
			if n, _ := p.Dims(); n == 0 {
				panic("no rows")
			}
			p.Tile(dst, row, col)
		}), "panics: no rows"},
		{"scratch space shared by concurrent calls", spoil(func(p kernel.Pairs, dst kernel.Tile, row, col int) {
			shared.Store(int64(row))
			time.Sleep(20 * time.Microsecond)
			if dst.Rows == 1 {
				row = int(shared.Load())
			}
			p.Tile(dst, row, col)
		}), "concurrency: "},
		{"a false claim, by eigenvalues", negative{good}, "smallest eigenvalue"},
		{"a false claim, by Cauchy–Schwarz", overlarge{good}, "Cauchy–Schwarz"},
		{"no reason", unreasonable{good}, "without a reason"},
		{"an argument about another kernel", unreasonable{good}, `argues about "another"`},
		{"an empty card", blank{good}, "none may be empty"},
		{"a text of another kernel", misprinted{good}, "parsed again"},
		{"a text that does not parse", unprintable{good}, "does not parse"},
		{"With that ignores its values", stubborn{good}, "With(weight = "},
		{"With that accepts any number of values", stubborn{good}, "accepts 2 values for 1"},
		{"names that are not unique", renamed{good}, "names must be unique"},
		{"a wrong gradient", steep{good}, "central differences"},
		{"a wrong value beside the gradient", otherValue{good}, "EvalGrad returns"},
		{"wrong exact values", inexact{good}, "in 200 bits"},
		{"exact values of low precision", imprecise{good}, "in 100 bits, and"},
		{"a map that is not complete", partial{good}, "feature map: "},
		{"a wrong map", wrongMap{good}, "feature map: "},
	} {
		var r recorder
		kerneltest.Run(&r, c.k, words, kerneltest.Options[string]{Parse: parseLetters})
		if all := strings.Join(r.reports, "\n"); !strings.Contains(all, c.says) {
			t.Errorf("%s: the suite reports %q, which does not say %q", c.why, all, c.says)
		}
	}
}

func scaleRow(row []float64, c float64) {
	for j := range row {
		row[j] *= c
	}
}

// normTrick is the Gaussian kernel with |x|² + y² − 2xy in its tiles, which cancels.
type normTrick struct{ centred bool }

func (normTrick) Eval(x, y float64) float64 { return math.Exp(-(x - y) * (x - y)) }
func (normTrick) String() string            { return "trick" }
func (k normTrick) Bind(rows, cols data.Set[float64]) kernel.Pairs {
	mean := 0.0
	if k.centred {
		for i := range rows.Len() {
			mean += rows.At(i) / float64(rows.Len())
		}
	}
	return trickPairs{rows, cols, mean}
}

type trickPairs struct {
	rows, cols data.Set[float64]
	mean       float64
}

func (p trickPairs) Dims() (int, int) { return p.rows.Len(), p.cols.Len() }
func (p trickPairs) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		for j := range dst.Row(i) {
			x, y := p.rows.At(row+i)-p.mean, p.cols.At(col+j)-p.mean
			dst.Row(i)[j] = math.Exp(-(x*x + y*y - 2*x*y))
		}
	}
}

func TestRunFindsCancellation(t *testing.T) {
	points := []float64{0, 0.1, 0.45, 0.8, 1.3, 1.55, 1.7, 2}
	for _, c := range []struct {
		k       normTrick
		says    string
		reports bool
	}{
		{normTrick{centred: false}, "points far from the origin", true},
		{normTrick{centred: true}, "points far from the origin", false},
		{normTrick{centred: true}, "two far clusters", true},
	} {
		var r recorder
		kerneltest.Run(&r, c.k, points, kerneltest.Options[float64]{Translate: kerneltest.Number})
		if got := strings.Contains(strings.Join(r.reports, "\n"), c.says); got != c.reports {
			t.Errorf("centred %v: %q reported: %v, want %v\n%s", c.k.centred, c.says, got, c.reports, r.reports)
		}
	}
}

func TestRunWantsPoints(t *testing.T) {
	var r recorder
	kerneltest.Run(&r, letters{1}, words[:1], kerneltest.Options[string]{})
	if len(r.reports) != 1 || !strings.Contains(r.reports[0], "at least 2") {
		t.Errorf("one point: %q", r.reports)
	}
}
