package arrow

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"example.org/mercer/data"
)

// What the buffers of a file may take together: so many times its size, and so many bytes at least.
// A buffer says itself how long it is when it is decompressed, and might say anything.
const (
	mostTimes  = 256
	leastBytes = 1 << 20
)

// account allocates buffers within a budget.
type account struct {
	name   string
	held   int64
	most   int64
	budget *data.Budget
}

// refusal is what a buffer that must not be allocated ends reading with.
type refusal struct{ err error }

// Allocate returns a buffer.
func (a *account) Allocate(size int) []byte {
	a.take(int64(size))
	return memory.DefaultAllocator.Allocate(size)
}

// Reallocate returns a buffer of another size with the same content.
func (a *account) Reallocate(size int, b []byte) []byte {
	a.take(int64(size) - int64(len(b)))
	return memory.DefaultAllocator.Reallocate(size, b)
}

// Free takes a buffer back.
func (a *account) Free(b []byte) {
	a.take(-int64(len(b)))
	memory.DefaultAllocator.Free(b)
}

func (a *account) take(bytes int64) {
	a.held += bytes
	switch {
	case bytes < 0:
		a.budget.Give(-bytes)
	case a.held > a.most:
		panic(refusal{damaged(a.name, fmt.Errorf("its buffers claim %d bytes", a.held))})
	default:
		if err := a.budget.Take(bytes, a.name, 0); err != nil {
			panic(refusal{err})
		}
	}
}
