package prep

import (
	"fmt"
	"math"
	"strings"

	"example.org/mercer/data"
)

// part is a part of a date that comes back, such as the day of the week: it becomes a point on a
// circle, because the last one is beside the first.
type part string

const (
	weekday part = "weekday" // days of a week of seven
	yearDay part = "year"    // the day of the year, in years
	hour    part = "hour"    // the time of the day, in days
)

var parts = []part{weekday, yearDay, hour}

// turn returns how far a date is around the circle of its part, from 0 up to 1.
func (p part) turn(days float64) float64 {
	if p == hour {
		return days - math.Floor(days)
	}
	at := data.Time(days)
	if p == weekday {
		return float64(at.Weekday()) / 7
	}
	return float64(at.YearDay()-1) / 366 // the same dates of leap years lie a day apart at most
}

// encode stores the sine and the cosine of a part.
func (p part) encode(to []float64, days float64) {
	to[0], to[1] = math.Sincos(2 * math.Pi * p.turn(days))
}

// dateParts finds the parts of dates that vary.
type dateParts struct {
	First [3]float64
	Seen  bool
	Vary  [3]bool
}

func (d *dateParts) add(days float64) {
	for k, p := range parts {
		at := p.turn(days)
		if !d.Seen {
			d.First[k] = at
		}
		d.Vary[k] = d.Vary[k] || at != d.First[k]
	}
	d.Seen = true
}

// merge adds more dates.
func (d *dateParts) merge(next dateParts) {
	if !d.Seen {
		*d = next
		return
	}
	for k := range parts {
		d.Vary[k] = d.Vary[k] || next.Vary[k] || next.Seen && next.First[k] != d.First[k]
	}
}

func (d *dateParts) found() (out []part) {
	for k, p := range parts {
		if d.Vary[k] {
			out = append(out, p)
		}
	}
	return out
}

// unitNotes says which columns are read as numbers although they write more than these.
func (p *Pipeline) unitNotes() (notes []string) {
	for j := range p.columns {
		c := &p.columns[j]
		switch {
		case c.Unit == "":
		case c.Unit.IsDate() && c.Role == feature:
			notes = append(notes, fmt.Sprintf("column %s: dates become the features %s", c.Name, strings.Join(c.features(), ", ")))
		case c.Unit.IsDate():
			notes = append(notes, fmt.Sprintf("column %s: dates are read as days since 1970-01-01", c.Name))
		case c.Unit == data.Percent:
			notes = append(notes, fmt.Sprintf("column %s: percent are read as numbers, 12 %% as 12", c.Name))
		default:
			notes = append(notes, fmt.Sprintf("column %s: %v are read as numbers", c.Name, c.Unit))
		}
	}
	return notes
}

// measured returns the number in a cell whose column in the table has another unit than that of
// training, or is text: one that was written for itself may have it nevertheless. Numbers without a
// unit are taken to be in that of training.
func (c cells) measured(row int) (float64, error) {
	col := c.column()
	same := col.Unit == c.unit || col.Unit == "" && c.unit != "" || col.Unit.IsDate() && c.unit == data.Dates
	if col.Kind == data.Numeric && same {
		return col.Numbers[row], nil
	}
	if x, ok := c.unit.Read(col.Strings[row]); ok {
		return x, nil
	}
	if c.unit == "" {
		return 0, c.refuse(row, "has a unit, and the model was trained on plain numbers", "write the number alone")
	}
	return 0, c.refuse(row, fmt.Sprintf("is another unit or form than the model was trained on: %v", c.unit), fmt.Sprintf("write %s", example(c.unit)))
}

// example shows a cell of a unit.
func example(u data.Unit) string {
	switch {
	case u == data.MonthDayDates:
		return "dates as 2024-03-01 or 03/01/2024 (month first)"
	case u == data.DayMonthDates:
		return "dates as 2024-03-01 or 01/03/2024 (day first)"
	case u.IsDate():
		return "dates as 2024-03-01"
	case u == data.Percent:
		return "percent as 12 %"
	}
	return fmt.Sprintf("amounts as %s 12.50, converted if they are of another currency", string(u))
}
