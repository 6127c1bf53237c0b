package pages

// large is the size in bytes from which asking pays: two huge pages of 2 MiB, of
// which an allocation of that size is sure to contain one.
const large = 4 << 20

// Float is what large matrices hold.
type Float interface{ float32 | float64 }

// Make returns n zeros as make([]F, n) does, and has the memory of the collector: it
// is an ordinary slice that is freed like any other. Nothing is touched: each page
// is provided when it is first written, by the worker that writes it.
func Make[F Float](n int) []F {
	s := make([]F, n)
	if bytes := memory(s); len(bytes) >= large {
		advise(bytes)
	}
	return s
}
