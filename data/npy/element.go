package npy

import (
	"encoding/binary"
	"fmt"
	"math"

	"example.org/mercer/data"
)

// element is the type of the elements of an array.
type element struct {
	kind  byte // b, i, u or f
	size  int  // bytes
	order binary.ByteOrder
}

// parseElement reads a type such as <f8: byte order, kind and size.
func parseElement(descr string) (element, error) {
	if len(descr) < 2 {
		return element{}, fmt.Errorf("element type %q is not known", descr)
	}
	e := element{kind: descr[1], order: binary.LittleEndian}
	switch descr[0] {
	case '<', '|':
	case '>':
		e.order = binary.BigEndian
	default:
		return element{}, fmt.Errorf("element type %q has no byte order", descr)
	}
	switch descr[1:] {
	case "b1", "i1", "u1":
		e.size = 1
	case "i2", "u2", "f2":
		e.size = 2
	case "i4", "u4", "f4":
		e.size = 4
	case "i8", "u8", "f8":
		e.size = 8
	default:
		return element{}, fmt.Errorf("element type %q %s", descr, whyNot(descr[1]))
	}
	if e.size > 1 && descr[0] == '|' {
		return element{}, fmt.Errorf("element type %q has no byte order", descr)
	}
	return e, nil
}

// whyNot says why arrays of a kind are refused.
func whyNot(kind byte) string {
	switch kind {
	case 'O':
		return "means Python objects, which are stored as programs: save numbers instead"
	case 'c':
		return "is complex: save real and imaginary parts as columns"
	case 'U', 'S', 'a':
		return "means strings: save a table as CSV or Parquet instead"
	case 'M', 'm':
		return "means times: convert them to numbers"
	case 'V':
		return "is structured: save each field as an array of its own"
	case 'f':
		return "is no float of 2, 4 or 8 bytes: convert it with astype('float64')"
	}
	return "is not known"
}

// decode turns the bytes of len(dst) elements into numbers. It returns the index of the
// first integer that a float64 cannot hold exactly, or −1.
func (e element) decode(dst []float64, src []byte) int {
	switch e.size {
	case 1:
		for i := range dst {
			dst[i] = e.one(src[i])
		}
	case 2:
		for i := range dst {
			dst[i] = e.two(e.order.Uint16(src[2*i:]))
		}
	case 4:
		for i := range dst {
			dst[i] = e.four(e.order.Uint32(src[4*i:]))
		}
	case 8:
		if e.kind == 'f' {
			for i := range dst {
				dst[i] = math.Float64frombits(e.order.Uint64(src[8*i:]))
			}
			return -1
		}
		return e.wide(dst, src)
	}
	return -1
}

func (e element) one(b byte) float64 {
	switch {
	case e.kind == 'i':
		return float64(int8(b))
	case e.kind == 'b' && b != 0:
		return 1
	}
	return float64(b)
}

func (e element) two(b uint16) float64 {
	switch e.kind {
	case 'i':
		return float64(int16(b))
	case 'u':
		return float64(b)
	}
	return data.Float16(b)
}

func (e element) four(b uint32) float64 {
	switch e.kind {
	case 'i':
		return float64(int32(b))
	case 'u':
		return float64(b)
	}
	return float64(math.Float32frombits(b))
}

// wide decodes integers of eight bytes.
func (e element) wide(dst []float64, src []byte) int {
	lossy := -1
	for i := range dst {
		b := e.order.Uint64(src[8*i:])
		mag := b
		if e.kind == 'i' && int64(b) < 0 {
			mag = -b
		}
		v := float64(mag)
		// 2⁶⁴ itself does not convert back, but only lossy magnitudes round up to it.
		if mag > 1<<53 && (v >= 1<<64 || uint64(v) != mag) && lossy < 0 {
			lossy = i
		}
		if e.kind == 'i' && int64(b) < 0 {
			v = -v
		}
		dst[i] = v
	}
	return lossy
}
