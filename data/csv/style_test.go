package csv

import "testing"

func TestStyle(t *testing.T) {
	german, swiss, french := Style{Decimal: ',', Thousands: '.'}, Style{Thousands: '\''}, Style{Decimal: ',', Thousands: ' '}
	for _, c := range []struct {
		s    Style
		cell string
		want float64
		kind class
	}{
		{german, "1.234.567,5", 1234567.5, number},
		{german, "-1234,5", -1234.5, number},
		{german, "1.234", 1234, number},
		{german, "1,5e3", 1500, number},
		{german, "1.5", 0, word},
		{german, "12.34.567", 0, word},
		{german, "1.2345", 0, word},
		{german, "1.234.", 0, word},
		{german, ".234", 0, word},
		{german, "1,234.5", 0, word},
		{german, "1,2,3", 0, word},
		{german, "", 0, word},
		{swiss, "1'234.25", 1234.25, number},
		{swiss, "1,5", 0, word},
		{french, "+1 234,5", 1234.5, number},
		{Style{}, "1.5", 1.5, number},
		{Style{Decimal: ','}, "1.5", 0, word},
		{Style{Decimal: ','}, "12345678901234567890", 12345678901234567890, inexact},
	} {
		if v, kind := c.s.parse([]byte(c.cell)); kind != c.kind || kind != word && v != c.want {
			t.Errorf("%+v: %q is %v of class %v, want %v of class %v", c.s, c.cell, v, kind, c.want, c.kind)
		}
	}
	for _, s := range []Style{{Decimal: '5'}, {Thousands: '.'}, {Decimal: ',', Thousands: ','}, {Decimal: 'e'}, {Thousands: '"'}} {
		if s.Check() == nil {
			t.Errorf("%+v is no style, and passes", s)
		}
	}
}
