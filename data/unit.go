package data

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Unit says what the numbers of a column are where the table writes it in every cell: a sign or a
// code of a currency, [Percent], or a form of dates. Empty: plain numbers.
type Unit string

const (
	// Percent are written as 12 % and kept as 12.
	Percent Unit = "percent"
	// Dates are days since 1970-01-01, with times as fractions of a day. They are written as
	// 2024-03-01 or 01.03.2024, or with strokes in one of two orders.
	Dates         Unit = "date"
	DayMonthDates Unit = "date d/m/y"
	MonthDayDates Unit = "date m/d/y"
)

// codes are those of currencies that stand for signs; other words of three letters may be names.
const codes = " AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NGN NOK NZD PHP PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR "

// IsDate reports whether the numbers are days.
func (u Unit) IsDate() bool { return u == Dates || u == DayMonthDates || u == MonthDayDates }

// Check refuses what no reader finds.
func (u Unit) Check() error {
	if symbol, size := utf8.DecodeRuneInString(string(u)); u == "" || u == Percent || u.IsDate() || isCode(string(u)) || unicode.Is(unicode.Sc, symbol) && size == len(u) {
		return nil
	}
	return fmt.Errorf("data: unit %s is not known", Quote(string(u)))
}

// String describes what is counted, as in "amounts in $".
func (u Unit) String() string {
	switch {
	case u.IsDate():
		return "dates"
	case u == Percent:
		return "percent"
	case u == "":
		return "plain numbers"
	}
	return "amounts in " + string(u)
}

func isCode(s string) bool { return len(s) == 3 && strings.Contains(codes, " "+s+" ") }

// Read returns the number in a cell that is written in the unit; ok is false for any other cell.
// Numbers have a decimal point, and may have commas between groups of three digits.
func (u Unit) Read(cell string) (x float64, ok bool) {
	if u.IsDate() {
		days, form := readDate(cell)
		if x = days[0]; u == MonthDayDates {
			x = days[1]
		}
		return x, form == plain || form == slashed && u != Dates && x == x
	}
	x, found := readAmount(cell, '.', ',')
	return x, found == u && u != ""
}

// readAmount returns the number and the unit of a cell, "" where it is not an amount.
func readAmount(cell string, decimal, thousands byte) (x float64, u Unit) {
	rest := strings.TrimSpace(cell)
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = strings.TrimLeft(rest[1:], " ")
	}
	if first, size := utf8.DecodeRuneInString(rest); unicode.Is(unicode.Sc, first) {
		u, rest = Unit(rest[:size]), rest[size:]
	} else if len(rest) > 3 && isCode(rest[:3]) {
		u, rest = Unit(rest[:3]), rest[3:]
	} else if last, size := utf8.DecodeLastRuneInString(rest); unicode.Is(unicode.Sc, last) {
		u, rest = Unit(rest[len(rest)-size:]), rest[:len(rest)-size]
	} else if last == '%' {
		u, rest = Percent, rest[:len(rest)-1]
	} else if n := len(rest) - 3; n > 0 && isCode(rest[n:]) {
		u, rest = Unit(rest[n:]), rest[:n]
	} else {
		return 0, ""
	}
	rest = strings.Trim(rest, " \u00a0\u202f")
	if !negative && strings.HasPrefix(rest, "-") { // $-5
		negative, rest = true, rest[1:]
	}
	x, ok := readDigits(rest, decimal, thousands)
	if !ok {
		return 0, ""
	}
	if negative {
		x = -x
	}
	return x, u
}

// readDigits reads a number without a sign and an exponent, whose thousands are groups of three.
func readDigits(s string, decimal, thousands byte) (x float64, ok bool) {
	whole, fraction, _ := strings.Cut(s, string(rune(decimal)))
	groups := strings.Split(whole, string(rune(thousands)))
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && (len(g) == 0 || len(g) > 3) {
			return 0, false
		}
	}
	whole = strings.Join(groups, "")
	for _, c := range []byte(whole + fraction) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(whole+"."+fraction, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// The forms of dates: slashed ones have two readings.
const (
	plain   = 1
	slashed = 2
)

// Layouts of dates by the character between year and month. Fractions of a second are read, too.
var (
	dashes  = []string{time.DateOnly, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04", time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00"}
	points  = []string{"2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05"}
	strokes = [2][]string{{"2/1/2006", "2/1/2006 15:04", "2/1/2006 15:04:05"}, {"1/2/2006", "1/2/2006 15:04", "1/2/2006 15:04:05"}}
)

// readDate returns the days since 1970 of a date, those of d/m/y and of m/d/y where it has strokes,
// NaN for one that is none; form is 0 for a cell that is not a date.
func readDate(cell string) (days [2]float64, form int) {
	if len(cell) < 8 || len(cell) > 35 || cell[0] < '0' || cell[0] > '9' {
		return days, 0
	}
	parse := func(layouts []string) (x float64, ok bool) {
		for _, layout := range layouts {
			if t, err := time.Parse(layout, cell); err == nil {
				return daysOf(t), true
			}
		}
		return math.NaN(), false
	}
	switch strings.Trim(cell[:5], "0123456789") {
	case "-":
		x, ok := parse(dashes)
		days[0], days[1] = x, x
		if ok {
			form = plain
		}
	case "/":
		var some [2]bool
		days[0], some[0] = parse(strokes[0])
		days[1], some[1] = parse(strokes[1])
		if some[0] || some[1] {
			form = slashed
		}
	default:
		x, ok := parse(points)
		days[0], days[1] = x, x
		if ok {
			form = plain
		}
	}
	return days, form
}

func daysOf(t time.Time) float64 {
	const day = 24 * 60 * 60
	return (float64(t.Unix()) + float64(t.Nanosecond())/1e9) / day
}

// Time returns the date of a number of days since 1970-01-01, to the millisecond.
func Time(days float64) time.Time {
	const day = 24 * 60 * 60 * 1000
	return time.UnixMilli(int64(math.Round(min(max(days, -1e6), 1e7) * day))).UTC()
}

// Measure finds out whether all cells of a column of strings are amounts of one unit, or dates.
type Measure struct {
	decimal, thousands byte

	unit    Unit         // of all cells so far
	days    [2][]float64 // the second ones are of m/d/y, for dates with strokes
	never   [2]bool      // some cell has no such date
	strokes bool
	failed  bool
}

// NewMeasure returns one that has seen no cell. decimal and thousands are as numbers are written,
// 0 for a point and for what is usual beside the decimal character.
func NewMeasure(decimal, thousands byte) *Measure {
	if decimal == 0 {
		decimal = '.'
	}
	if thousands == 0 {
		if thousands = ','; decimal == ',' {
			thousands = '.'
		}
	}
	return &Measure{decimal: decimal, thousands: thousands}
}

// Skip passes over a missing cell.
func (m *Measure) Skip() {
	for k := range m.days {
		m.days[k] = append(m.days[k], math.NaN())
	}
}

// Add takes a cell, and reports whether all so far are of one unit.
func (m *Measure) Add(cell string) bool {
	if m.failed {
		return false
	}
	x, u := readAmount(cell, m.decimal, m.thousands)
	days, form := [2]float64{x, x}, 0
	if u == "" {
		if days, form = readDate(cell); form != 0 {
			u = Dates
		}
	}
	if u == "" || m.unit != "" && m.unit != u {
		*m = Measure{failed: true}
		return false
	}
	m.unit, m.strokes = u, m.strokes || form == slashed
	for k, x := range days {
		m.days[k], m.never[k] = append(m.days[k], x), m.never[k] || x != x
	}
	return true
}

// Forget drops the numbers so far, of cells that are read in blocks.
func (m *Measure) Forget() { m.days = [2][]float64{} }

// Found returns the numbers of all cells, NaN where they are missing, and their unit: "" if they
// have none in common. Dates that can be read in two orders throughout have none, and why says so.
func (m *Measure) Found() (numbers []float64, u Unit, why string) {
	switch {
	case m.failed || m.unit == "" || m.never[0] && m.never[1]:
		return nil, "", ""
	case !m.strokes:
		return m.days[0], m.unit, ""
	case m.never[0]:
		return m.days[1], MonthDayDates, ""
	case m.never[1]:
		return m.days[0], DayMonthDates, ""
	}
	return nil, "", "its dates may be day/month or month/day: write them as 2024-03-01"
}
