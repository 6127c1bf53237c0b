package parquet

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// convert chooses how values of a type become numbers or strings. It returns the reason
// where they cannot.
func (c *column) convert(t parquet.Type) (reason string) {
	var logical any
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		c.text = rawText
		return ""
	case *format.UUIDType:
		c.text = uuidText
		return ""
	case *format.DecimalType:
		c.number = func(v parquet.Value) float64 { return decimal(v, l.Scale) }
		return ""
	case *format.TimestampType:
		return c.time(t.Kind(), l.Unit)
	case *format.TimeType:
		return c.time(t.Kind(), l.Unit)
	case *format.IntType:
		if !l.IsSigned {
			return c.unsigned(t.Kind())
		}
	case nil, *format.DateType:
	default:
		return fmt.Sprintf("holds %v values, which are neither numbers nor text", t)
	}
	return c.physical(t)
}

// physical converts the types that say nothing more than how they are stored. A date is
// one of them: the number of days since 1970-01-01.
func (c *column) physical(t parquet.Type) (reason string) {
	switch t.Kind() {
	case parquet.Boolean:
		c.number = func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		}
	case parquet.Int32:
		c.number = func(v parquet.Value) float64 { return float64(v.Int32()) }
	case parquet.Int64:
		c.number = func(v parquet.Value) float64 { return float64(v.Int64()) }
		c.text = func(b []byte, v parquet.Value) []byte { return strconv.AppendInt(b, v.Int64(), 10) }
		c.whole = true
	case parquet.Float:
		c.number = func(v parquet.Value) float64 { return float64(v.Float()) }
	case parquet.Double:
		c.number = func(v parquet.Value) float64 { return v.Double() }
	case parquet.ByteArray:
		c.text = rawText
	case parquet.Int96:
		return "holds 96-bit times of an old format"
	default:
		return fmt.Sprintf("holds %v values, which are neither numbers nor text", t)
	}
	return ""
}

// unsigned converts unsigned integers, which are stored in signed ones.
func (c *column) unsigned(kind parquet.Kind) (reason string) {
	switch kind {
	case parquet.Int32:
		c.number = func(v parquet.Value) float64 { return float64(v.Uint32()) }
	case parquet.Int64:
		c.number = func(v parquet.Value) float64 { return float64(v.Uint64()) }
		c.text = func(b []byte, v parquet.Value) []byte { return strconv.AppendUint(b, v.Uint64(), 10) }
		c.whole = true
	default:
		return "is declared an integer but not stored as one"
	}
	return ""
}

// time converts points and times of day to seconds: since 1970-01-01 00:00, or since
// midnight. Nanoseconds of today's dates are rounded to about 0.2 µs.
func (c *column) time(kind parquet.Kind, unit format.TimeUnit) (reason string) {
	perSecond := 1e3
	switch unit.Value.(type) {
	case *format.MilliSeconds:
	case *format.MicroSeconds:
		perSecond = 1e6
	case *format.NanoSeconds:
		perSecond = 1e9
	default:
		return "holds times of an unknown unit"
	}
	switch kind {
	case parquet.Int32:
		c.number = func(v parquet.Value) float64 { return float64(v.Int32()) / perSecond }
	case parquet.Int64:
		c.number = func(v parquet.Value) float64 { return float64(v.Int64()) / perSecond }
	default:
		return "is declared a time but not stored as an integer"
	}
	return ""
}

// decimal returns the float64 nearest to unscaled·10^−scale.
func decimal(v parquet.Value, scale int32) float64 {
	var digits []byte
	switch v.Kind() {
	case parquet.Int32:
		digits = strconv.AppendInt(nil, int64(v.Int32()), 10)
	case parquet.Int64:
		digits = strconv.AppendInt(nil, v.Int64(), 10)
	default:
		digits = twosComplement(v.ByteArray()).Append(nil, 10)
	}
	digits = strconv.AppendInt(append(digits, 'e'), -int64(scale), 10)
	x, _ := strconv.ParseFloat(string(digits), 64) // infinite where it overflows: refused by add
	return x
}

// twosComplement reads a big-endian two's complement integer.
func twosComplement(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}

func rawText(b []byte, v parquet.Value) []byte { return append(b, v.ByteArray()...) }

// uuidText writes the usual 8-4-4-4-12 hexadecimal digits.
func uuidText(b []byte, v parquet.Value) []byte {
	u := v.ByteArray()
	if len(u) != 16 {
		return fmt.Appendf(b, "%x", u)
	}
	return fmt.Appendf(b, "%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
