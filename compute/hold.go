package compute

// heldBytes is how much memory kernel values may take to be computed once and not in every
// product or pass. It is a constant, and half of a memory limit, so that what happens does
// not depend on what else the machine is doing.
const heldBytes = 2 << 30

// Holds reports whether kernel values of so many bytes are kept between products: up to
// 2 GiB and half of the limit in bytes, 0 for none.
func Holds(bytes, limit int64) bool {
	if limit > 0 {
		return bytes <= min(heldBytes, limit/2)
	}
	return bytes <= heldBytes
}
