package mercer_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/unsupervised/kpca"
)

// stay is a point of a type that mercer does not know: an interval of time.
type stay struct{ from, to float64 }

// overlap is the kernel |x ∩ y| of intervals.
type overlap struct{}

func (overlap) Eval(x, y stay) float64 { return max(0, min(x.to, y.to)-max(x.from, y.from)) }
func (overlap) String() string         { return "overlap()" }

func (overlap) Contains(x stay) error {
	if !(x.from < x.to) {
		return fmt.Errorf("the stay from %v to %v has no length: give the earlier time first", x.from, x.to)
	}
	return nil
}

func (overlap) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: "overlap()", Verdict: kernel.Definite, Reason: "∫ 1[t ∈ x]·1[t ∈ y] dt, an inner product of indicators"}
}

// readStays reads lines "from to class".
func readStays(name string, r io.Reader) (xs data.Slice[stay], classes []int, err error) {
	lines := bufio.NewScanner(r)
	for at := 1; lines.Scan(); at++ {
		var x stay
		var class int
		if _, err := fmt.Sscan(lines.Text(), &x.from, &x.to, &class); err != nil {
			return nil, nil, &data.Error{Source: name, Line: at, Value: lines.Text(), Reason: "is no stay", Err: err, Fix: "write from, to and class"}
		}
		xs, classes = append(xs, x), append(classes, class)
	}
	return xs, classes, lines.Err()
}

func TestOwnType(t *testing.T) {
	kerneltest.Run(t, overlap{}, []stay{{0, 1}, {0, 1}, {0.5, 2}, {1, 2}, {-3, 7}, {6, 6.5}}, kerneltest.Options[stay]{})
	if _, _, err := readStays("hotel.txt", strings.NewReader("8 12 0\n9 noon 0\n")); err == nil || !strings.Contains(err.Error(), "hotel.txt: line 2") {
		t.Error(err)
	}
}

func Example_ownType() {
	ctx := context.Background()
	xs, classes, err := readStays("hotel.txt", strings.NewReader("7 9 0\n8 12 0\n9 11 0\n13 18 1\n15 17 1\n14 22 1\n"))
	if err != nil {
		panic(err)
	}
	k := kernel.Normalized[stay]{Of: overlap{}} // the algebra works on any type
	f, report, err := svm.Fit[stay](ctx, k, xs, classes, svm.Options{C: 10})
	if err != nil {
		panic(err)
	}
	unseen := data.Slice[stay]{{8, 10}, {16, 20}}
	values, err := f.Predict(ctx, unseen, compute.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println("classes", report.Decision.Classes(values))

	e, _, err := kpca.Fit[stay](ctx, k, xs, kpca.Options{Components: 1})
	if err != nil {
		panic(err)
	}
	z, err := e.Predict(ctx, unseen, compute.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println("first component on opposite sides:", z.At(0, 0)*z.At(1, 0) < 0)
	// Output:
	// classes [0 1]
	// first component on opposite sides: true
}
