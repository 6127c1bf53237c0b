package pages

import "unsafe"

// memory returns the bytes behind s.
func memory[F Float](s []F) []byte {
	var one F
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(one)))
}

// aligned returns the part of b that consists of whole pages.
func aligned(b []byte, page int) []byte {
	first := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	if len(b) < first {
		return nil
	}
	return b[first : first+(len(b)-first)&^(page-1)]
}
