package oip

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/data"
)

// Datatype is the type of the values of a tensor.
type Datatype string

// The types of the protocol.
const (
	Bool   Datatype = "BOOL"
	Uint8  Datatype = "UINT8"
	Uint16 Datatype = "UINT16"
	Uint32 Datatype = "UINT32"
	Uint64 Datatype = "UINT64"
	Int8   Datatype = "INT8"
	Int16  Datatype = "INT16"
	Int32  Datatype = "INT32"
	Int64  Datatype = "INT64"
	FP16   Datatype = "FP16"
	BF16   Datatype = "BF16"
	FP32   Datatype = "FP32"
	FP64   Datatype = "FP64"
	Bytes  Datatype = "BYTES"
)

// encoding is how a number of a type stands in memory: its bytes, and the number that they are.
type encoding struct {
	size int
	read func(b []byte) float64
}

var little = binary.LittleEndian

// encodings are those of the types but [Bytes], whose values differ in length.
var encodings = map[Datatype]encoding{
	Bool: {1, func(b []byte) float64 {
		if b[0] != 0 {
			return 1
		}
		return 0
	}},
	Uint8:  {1, func(b []byte) float64 { return float64(b[0]) }},
	Uint16: {2, func(b []byte) float64 { return float64(little.Uint16(b)) }},
	Uint32: {4, func(b []byte) float64 { return float64(little.Uint32(b)) }},
	Uint64: {8, func(b []byte) float64 { return float64(little.Uint64(b)) }},
	Int8:   {1, func(b []byte) float64 { return float64(int8(b[0])) }},
	Int16:  {2, func(b []byte) float64 { return float64(int16(little.Uint16(b))) }},
	Int32:  {4, func(b []byte) float64 { return float64(int32(little.Uint32(b))) }},
	Int64:  {8, func(b []byte) float64 { return float64(int64(little.Uint64(b))) }},
	FP16:   {2, func(b []byte) float64 { return data.Float16(little.Uint16(b)) }},
	BF16:   {2, func(b []byte) float64 { return float64(math.Float32frombits(uint32(little.Uint16(b)) << 16)) }},
	FP32:   {4, func(b []byte) float64 { return float64(math.Float32frombits(little.Uint32(b))) }},
	FP64:   {8, func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) }},
}

// check refuses what is no type of the protocol.
func (d Datatype) check() error {
	if _, ok := encodings[d]; !ok && d != Bytes {
		return fmt.Errorf("datatype %s is not known: use FP64, FP32, INT64, BOOL or BYTES", strconv.Quote(string(d)))
	}
	return nil
}
