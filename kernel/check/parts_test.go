package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

// counted is x·y that counts how often it is evaluated, in float64 and exactly.
type counted struct{ evaluations, exact *atomic.Int64 }

func (k counted) Eval(x, y []float64) float64 {
	k.evaluations.Add(1)
	return x[0]*y[0] + 1
}

func (k counted) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	k.exact.Add(1)
	product := new(big.Float).SetPrec(prec).SetFloat64(x[0])
	return product.Mul(product, new(big.Float).SetFloat64(y[0])).Add(product, big.NewFloat(1)), nil
}

func (counted) String() string { return "counted" }

func (counted) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "counted", Verdict: kernel.Definite, Reason: "1 + xy"}
}

// algebras make one kernel of many.
var algebras = map[string]func([]kernel.Kernel[[]float64]) kernel.Kernel[[]float64]{
	"sum": func(parts []kernel.Kernel[[]float64]) kernel.Kernel[[]float64] {
		return kernel.Sum[[]float64]{Terms: parts}
	},
	"product": func(parts []kernel.Kernel[[]float64]) kernel.Kernel[[]float64] {
		return kernel.Product[[]float64]{Factors: parts}
	},
}

// TestManyParts: what a check of a kernel of many parts takes is bounded, whatever their number, on
// a domain as on rows, and its progress is that of the budget.
func TestManyParts(t *testing.T) {
	rows := make(data.Slice[[]float64], 300)
	for i := range rows {
		rows[i] = []float64{math.Sin(float64(i)) / 8}
	}
	vectors, err := data.Pack(rows)
	if err != nil {
		t.Fatal(err)
	}
	for name, join := range algebras {
		for _, n := range []int{1000, 30_000} {
			for where, domain := range map[string]Domain{"unit": Unit(), "rows": Rows(vectors)} {
				part := counted{new(atomic.Int64), new(atomic.Int64)}
				var first, last, total int64 = -1, 0, 0
				r, err := Run(t.Context(), join(slices.Repeat([]kernel.Kernel[[]float64]{part}, n)), Options{Domain: domain, Progress: func(_ string, done, of int64) {
					if first < 0 {
						first = done
					}
					if done < last {
						t.Errorf("%s of %d on %s: progress falls from %d to %d", name, n, where, last, done)
					}
					last, total = done, of
				}})
				if err != nil || r.Verdict != NoCounterexample {
					t.Fatalf("%s of %d on %s: %v\n%v", name, n, where, err, r)
				}
				// The evaluations of parts that a simple kernel has by default, times 16, twice.
				if most := int64(2 * 16 * defaultBudget); part.evaluations.Load() > most {
					t.Errorf("%s of %d on %s: %d evaluations of parts, more than %d", name, n, where, part.evaluations.Load(), most)
				}
				if most := int64(3 * 16 * defaultBudget / exactShare); part.exact.Load() > max(most, int64(20*n)) {
					t.Errorf("%s of %d on %s: %d exact evaluations of parts, more than %d", name, n, where, part.exact.Load(), most)
				}
				if first != 0 || last != total {
					t.Errorf("%s of %d on %s: progress from %d to %d of %d", name, n, where, first, last, total)
				}
			}
		}
	}
}

// TestManyPartsCancelled: after the end of its context a check evaluates the kernel a few times
// more.
func TestManyPartsCancelled(t *testing.T) {
	for name, join := range algebras {
		for _, after := range []int64{0, 3, 50, 400} {
			part := counted{new(atomic.Int64), new(atomic.Int64)}
			const n = 1000
			ended := new(atomic.Int64)
			ctx, cancel := context.WithCancel(t.Context())
			watch := &counting{Context: ctx, left: after, at: func() { ended.Store(part.evaluations.Load()); cancel() }}
			_, err := Run(watch, join(slices.Repeat([]kernel.Kernel[[]float64]{part}, n)), Options{Domain: Unit()})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, cancelled at look %d: %v", name, after, err)
			}
			if more := (part.evaluations.Load() - ended.Load()) / n; more > 100 {
				t.Errorf("%s, cancelled at look %d: %d evaluations after that", name, after, more)
			}
		}
	}
}

// counting calls at when it has been asked for its error so often.
type counting struct {
	context.Context
	left int64
	at   func()
}

func (c *counting) Err() error {
	if c.left--; c.left == -1 {
		c.at()
	}
	return c.Context.Err()
}

// TestManyPartsInText: an expression of 30,000 kernels is read, built, printed and derived; what is
// printed for people is short, and an error repeats a line of it at most.
func TestManyPartsInText(t *testing.T) {
	for _, operator := range []string{" + ", "*"} {
		texts := make([]string, 30_000)
		for i := range texts {
			texts[i] = fmt.Sprintf("rbf(sigma=%d)", 1+i%9)
		}
		text := strings.Join(texts, operator)
		k, err := expr.ParseKernel(text, vec.Dictionary(vec.Schema{}))
		if err != nil {
			t.Fatal(data.Concise(err.Error()))
		}
		if k.String() != text {
			t.Errorf("30,000 kernels joined by %q are printed in another way", operator)
		}
		r, err := Run(t.Context(), k, Options{Budget: 60})
		if err != nil || r.Derivation.Verdict != kernel.Definite || len(r.Derivation.From) != len(texts) {
			t.Fatalf("%q: %v, %v of %d parts", operator, err, r.Derivation.Verdict, len(r.Derivation.From))
		}
		if printed := r.String(); len(printed) > 20_000 || !strings.Contains(printed, "and 29976 more") {
			t.Errorf("%q: the report has %d bytes", operator, len(printed))
		}
		if _, err := Run(testkit.Countdown(t.Context(), 2), k, Options{}); err == nil || len(err.Error()) > 200 {
			t.Errorf("%q: cancelled, the error is %v", operator, err)
		}
	}
}
