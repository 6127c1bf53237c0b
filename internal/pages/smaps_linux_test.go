package pages

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/mercer/internal/testkit"
)

// hugeBytes returns how much of the mappings that hold the addresses from … to is in
// huge pages.
func hugeBytes(t *testing.T, from, to uintptr) int64 {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	total, inside := int64(0), false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if low, high, ok := strings.Cut(fields[0], "-"); ok {
			a, err1 := strconv.ParseUint(low, 16, 64)
			b, err2 := strconv.ParseUint(high, 16, 64)
			if err1 == nil && err2 == nil {
				inside = uintptr(a) < to && uintptr(b) > from
				continue
			}
		}
		if inside && fields[0] == "AnonHugePages:" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			total += kib << 10
		}
	}
	return total
}

// skipWithoutHugePages skips where the system gives none to a program that asks.
func skipWithoutHugePages(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil {
		t.Skip("no transparent huge pages: ", err)
	}
	if strings.Contains(string(text), "[never]") {
		t.Skip("transparent huge pages are switched off")
	}
}

// Most of a large slice lies in huge pages once it is written. Memory may be in pieces,
// so a quarter would do; without advice there would be none where the system waits for
// it.
func TestLargeSlicesGetHugePages(t *testing.T) {
	testkit.SkipUnderRace(t)
	skipWithoutHugePages(t)
	debug.FreeOSMemory()
	s := Make[float64](64 << 20 / 8)
	for i := 0; i < len(s); i += 512 {
		s[i] = 1
	}
	b := memory(s)
	if got := hugeBytes(t, address(b), address(b)+uintptr(len(b))); got < int64(len(b))/4 {
		t.Errorf("%d MiB of %d are in huge pages", got>>20, len(b)>>20)
	}
	runtime.KeepAlive(s)
}

// fill writes bytes of the heap, which nothing holds afterwards, and returns where they were.
func fill(bytes int) uintptr {
	used := make([]byte, bytes)
	for i := 0; i < len(used); i += 512 {
		used[i] = 1
	}
	return address(used)
}

// So does a slice where the heap has had other things, which it clears in small pages. It is larger
// than what other tests have left with their advice.
func TestUsedMemoryGetsHugePages(t *testing.T) {
	testkit.SkipUnderRace(t)
	skipWithoutHugePages(t)
	const used, size = 256 << 20, 192 << 20
	at := fill(used)
	debug.FreeOSMemory()
	s := Make[float64](size / 8)
	b := memory(s)
	if address(b)+size <= at || address(b) >= at+used {
		t.Skip("the heap put the slice elsewhere")
	}
	for i := 0; i < len(s); i += 512 {
		if s[i] != 0 {
			t.Fatalf("number %d is %v, not 0", i, s[i])
		}
		s[i] = 1
	}
	if got := hugeBytes(t, address(b), address(b)+size); got < size/2 {
		t.Errorf("%d MiB of %d are in huge pages", got>>20, size>>20)
	}
	runtime.KeepAlive(s)
}

// What is not used any more goes back to the system, although it was advised: the
// advice stays with the addresses and must not keep memory.
func TestAdviceKeepsNoMemory(t *testing.T) {
	testkit.SkipUnderRace(t)
	debug.FreeOSMemory()
	before := resident(t)
	s := Make[float64](64 << 20 / 8)
	for i := range s {
		s[i] = 1
	}
	if held := resident(t) - before; held < 60<<20 {
		t.Fatalf("%d MiB are resident for 64 that were written", held>>20)
	}
	runtime.KeepAlive(s)
	s = nil
	for range 20 { // a collection that is under way may have seen s
		debug.FreeOSMemory()
		if resident(t)-before < 16<<20 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d MiB are still resident after the slice was freed", (resident(t)-before)>>20)
}

// resident returns the memory of this process that is in use, in bytes.
func resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	n, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n * int64(os.Getpagesize())
}

// What was borrowed is gone when it is given back, and no garbage may pile up beside it
// meanwhile.
func TestBorrowedMemoryGoesBack(t *testing.T) {
	testkit.SkipUnderRace(t)
	debug.FreeOSMemory()
	before := resident(t)
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	live := heap.HeapAlloc
	s, giveBack := MakeOffHeap[float64](64 << 20 / 8)
	for i := range s {
		s[i] = 1
	}
	if held := resident(t) - before; held < 60<<20 {
		t.Fatalf("%d MiB are resident for 64 that were written", held>>20)
	}
	if runtime.ReadMemStats(&heap); heap.HeapAlloc > live+8<<20 {
		t.Errorf("the collector counts %d MiB of it", (heap.HeapAlloc-live)>>20)
	}
	giveBack()
	if left := resident(t) - before; left > 8<<20 {
		t.Errorf("%d MiB are still resident", left>>20)
	}
}
