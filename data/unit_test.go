package data_test

import (
	"math"
	"testing"
	"time"

	"example.org/mercer/data"
)

func TestMeasure(t *testing.T) {
	day := func(s string) float64 { // by another way than the reader's
		at, err := time.Parse(time.DateTime, s)
		if err != nil {
			t.Fatal(err)
		}
		return float64(at.Unix()) / 86400
	}
	nan := math.NaN()
	for _, tc := range []struct {
		cells []string // "" is missing
		unit  data.Unit
		want  []float64
	}{
		{[]string{"$1,200.50", "", "$ 5", "-$3", "$-3"}, "$", []float64{1200.5, nan, 5, -3, -3}},
		{[]string{"12 %", "3.5%"}, data.Percent, []float64{12, 3.5}},
		{[]string{"USD 12", "12 USD"}, "USD", []float64{12, 12}},
		{[]string{"12 €", "€1,000,000"}, "€", []float64{12, 1e6}},
		{[]string{"€ 12", "$ 12"}, "", nil},
		{[]string{"€ 12", "12"}, "", nil},
		{[]string{"€ 12,50"}, "", nil},
		{[]string{"$1,20,000"}, "", nil},
		{[]string{"$1e3"}, "", nil},
		{[]string{"ABC 12"}, "", nil}, // a code of something
		{[]string{"$"}, "", nil},
		{[]string{"", ""}, "", nil},
		{[]string{"1970-01-02", "", "2024-03-01T12:30:00Z", "2024-03-01 06:00", "2024-03-01T01:00:00+01:00"}, data.Dates,
			[]float64{1, nan, day("2024-03-01 12:30:00"), day("2024-03-01 06:00:00"), day("2024-03-01 00:00:00")}},
		{[]string{"01.03.2024", "1.3.2024 12:00"}, data.Dates, []float64{day("2024-03-01 00:00:00"), day("2024-03-01 12:00:00")}},
		{[]string{"03/01/2024", "25/01/2024"}, data.DayMonthDates, []float64{day("2024-01-03 00:00:00"), day("2024-01-25 00:00:00")}},
		{[]string{"03/01/2024", "01/25/2024"}, data.MonthDayDates, []float64{day("2024-03-01 00:00:00"), day("2024-01-25 00:00:00")}},
		{[]string{"25/01/2024", "01/25/2024"}, "", nil},
		{[]string{"2024-02-30"}, "", nil},
		{[]string{"2024-03-01", "soon"}, "", nil},
	} {
		m := data.NewMeasure(0, 0)
		for _, cell := range tc.cells {
			if cell == "" {
				m.Skip()
			} else {
				m.Add(cell)
			}
		}
		got, unit, _ := m.Found()
		if unit != tc.unit || len(got) != len(tc.want) {
			t.Errorf("%q: %q %v, want %q %v", tc.cells, unit, got, tc.unit, tc.want)
			continue
		}
		for i := range got {
			if got[i] != tc.want[i] && !(got[i] != got[i] && tc.want[i] != tc.want[i]) {
				t.Errorf("%q: %v, want %v", tc.cells, got, tc.want)
			}
			if tc.cells[i] != "" {
				if x, ok := unit.Read(tc.cells[i]); !ok || x != got[i] {
					t.Errorf("%v reads %q as %v, %v; want %v", unit, tc.cells[i], x, ok, got[i])
				}
			}
		}
		if err := unit.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestMeasureOfTwoOrders(t *testing.T) {
	m := data.NewMeasure(0, 0)
	m.Add("03/01/2024")
	if _, unit, why := m.Found(); unit != "" || why == "" {
		t.Errorf("%q, %q", unit, why)
	}
	if _, ok := data.Dates.Read("03/01/2024"); ok {
		t.Error("an order is made up")
	}
}

func TestMeasureWithDecimalCommas(t *testing.T) {
	m := data.NewMeasure(',', 0)
	m.Add("€ 1.200,50")
	if got, unit, _ := m.Found(); unit != "€" || got[0] != 1200.5 {
		t.Errorf("%v %v", got, unit)
	}
}

func TestUnitCheck(t *testing.T) {
	for _, u := range []data.Unit{"furlong", "$$", "USDX", " "} {
		if u.Check() == nil {
			t.Errorf("%q is taken for a unit", string(u))
		}
	}
}
