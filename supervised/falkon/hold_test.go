package falkon_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/supervised/falkon"
)

// Kernel values that fill less than half of the memory are held where the factors and a pass have
// room beside them in what the process leaves of it, with the same bits as those that are not.
func TestKernelValuesAreHeldWhereAllHasRoom(t *testing.T) {
	const n, m, targets = 500, 200, 2
	p := newProblem(t, n)
	l := p.uniform(t, m)
	values := gram.TallBytes(n, m, compute.Double)
	all := values + 2*gram.PackedBytes(m, compute.Double) + gram.FoldBytes(n, m, 2*targets+1, 1)
	const quarters = 4 // of a small limit, which leaves one of them beside the process
	if room := compute.Room(quarters * all); room != all || quarters*all <= 2*values {
		t.Fatalf("%d bytes in all, %d of values, %d of room: something else decides", all, values, room)
	}
	var fits []*mat.Dense
	for limit, held := range map[int64]bool{quarters * all: true, quarters*all - 1: false} {
		f, r := p.fit(t, l, falkon.Options{Lambda: 1e-4, Compute: compute.Options{Workers: 1, MaxMemory: limit}})
		if r.Held != held {
			t.Errorf("at %d bytes of %d: held is %v", limit, all, r.Held)
		}
		fits = append(fits, f)
	}
	if !mat.Equal(fits[0], fits[1]) {
		t.Error("what is held changes bits")
	}
}
