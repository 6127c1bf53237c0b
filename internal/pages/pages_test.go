package pages

import (
	"testing"
	"unsafe"
)

// Slices of every size, below and above what is asked for in huge pages, are zeros
// that can be written.
func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 511, large/8 - 1, large / 8, large/8 + 1, large + 12345} {
		checkZeros[float64](t, n)
		checkZeros[float32](t, n)
	}
}

func checkZeros[F Float](t *testing.T, n int) {
	t.Helper()
	s := Make[F](n)
	if len(s) != n {
		t.Fatalf("Make(%d) has %d elements", n, len(s))
	}
	for i, v := range s {
		if v != 0 {
			t.Fatalf("element %d of %d is %v", i, n, v)
		}
		s[i] = 1
	}
}

// Advice must not reach the neighbours on the heap: it is for whole pages within the
// slice, and leaves out less than a page at either end.
func TestAlignedStaysInside(t *testing.T) {
	const page = 4096
	b := memory(make([]float64, 4*page/8))
	for start := range 3 {
		for _, cut := range []int{0, 8, page - 8, page, page + 8} {
			part := b[8*start : len(b)-cut]
			in := aligned(part, page)
			if len(in)%page != 0 || len(part)-len(in) >= 2*page {
				t.Errorf("%d bytes are left of %d", len(in), len(part))
			}
			if len(in) == 0 {
				continue
			}
			at, end := address(in), address(in)+uintptr(len(in))
			if at%page != 0 || at < address(part) || end > address(part)+uintptr(len(part)) {
				t.Errorf("[%x, %x) is not made of pages of [%x, %x)", at, end, address(part), address(part)+uintptr(len(part)))
			}
		}
	}
	if in := aligned(b[8:16], page); len(in) != 0 {
		t.Errorf("8 bytes contain %d bytes of whole pages", len(in))
	}
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// Borrowed slices are zeros that can be written, whatever was given back before.
func TestBorrow(t *testing.T) {
	for _, n := range []int{0, 1, large/8 - 1, large / 8, large + 12345} {
		for range 2 {
			s, giveBack := MakeOffHeap[float64](n)
			if len(s) != n {
				t.Fatalf("Borrow(%d) has %d elements", n, len(s))
			}
			for i, v := range s {
				if v != 0 {
					t.Fatalf("element %d of %d is %v", i, n, v)
				}
				s[i] = 1
			}
			giveBack()
		}
	}
}
