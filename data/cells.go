package data

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Cells gathers the cells of a column of which a file declares the type. It holds numbers until an
// integer comes that a float64 cannot hold, which might name something; then, and where Texts is
// set before, it holds texts. The zero value is ready for numbers.
type Cells struct {
	Rows    int
	Numbers []float64
	Texts   *Texts // nil: numbers
	Missing []bool
	Some    bool   // a cell is missing
	Why     string // numbers became texts
	Letters int64  // that texts hold
}

// Absent adds a missing cell.
func (c *Cells) Absent() {
	c.Rows++
	c.Missing, c.Some = append(c.Missing, true), true
	if c.Texts != nil {
		c.Texts.Add(nil)
		return
	}
	c.Numbers = append(c.Numbers, math.NaN())
}

// Inexact reports whether a whole number is so large that a float64 may have lost its last digits.
func Inexact(x float64) bool { return math.Abs(x) >= 1<<53 }

// Number adds one, to a column that has no texts; NaN is a missing cell. whole, which an [Inexact]
// integer needs, returns all of its digits. reason says why there is no such cell: it is infinite.
func (c *Cells) Number(x float64, whole func() string) (reason string) {
	switch {
	case math.IsInf(x, 0):
		c.Rows++
		return "holds infinity"
	case math.IsNaN(x):
		c.Absent()
		return ""
	case whole != nil:
		if digits := whole(); digits != strconv.FormatFloat(x, 'f', 0, 64) {
			c.becomeText(digits)
			return c.Text([]byte(digits))
		}
	}
	c.Rows++
	c.Missing, c.Numbers = append(c.Missing, false), append(c.Numbers, x)
	return ""
}

// Text adds one, to a column of texts. reason says why there is no such cell: it is not UTF-8.
func (c *Cells) Text(text []byte) (reason string) {
	c.Rows++
	if !utf8.Valid(text) {
		return "is not UTF-8 text"
	}
	c.Missing = append(c.Missing, false)
	c.Letters += int64(c.Texts.Add(text))
	return ""
}

// becomeText turns the integers so far, which are exact, into strings because of one.
func (c *Cells) becomeText(because string) {
	c.Why = fmt.Sprintf("row %d holds %s, more digits than a number can keep", c.Rows+1, because)
	c.Texts = new(Texts)
	for i, x := range c.Numbers {
		text := ""
		if !c.Missing[i] {
			text = strconv.FormatFloat(x, 'f', 0, 64)
		}
		c.Letters += int64(c.Texts.Add([]byte(text)))
	}
	c.Numbers = nil
}

// Column returns the column, for whose texts of decides the kind, such as [Texts.Column].
func (c *Cells) Column(name string, of func(t *Texts, name string, missing []bool) Column) Column {
	missing := c.Missing
	if !c.Some {
		missing = nil
	}
	switch {
	case c.Texts == nil:
		return Column{Name: name, Kind: Numeric, Numbers: c.Numbers, Missing: missing}
	case c.Why != "":
		return Column{Name: name, Kind: Text, Strings: c.Texts.Cells(), Missing: missing, Why: c.Why}
	}
	return of(c.Texts, name, missing)
}
