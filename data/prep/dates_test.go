package prep_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/prep"
)

func readTable(t *testing.T, text string) *data.Table {
	t.Helper()
	table, err := csv.Read(t.Context(), "t.csv", strings.NewReader(text), csv.Options{Header: csv.HeaderYes})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const visits = `when,price,y
2024-01-01 06:00,$10,1
2024-01-03 18:00,"$1,000",2
,$30,3
2024-07-02 06:00,,4
`

// The pieces of a date are worked out by hand: 2024-01-01 was a Monday, and July 2nd is the 184th
// day of a leap year, half of 366 days after the first.
func TestDates(t *testing.T) {
	table := readTable(t, visits)
	p, rows, err := prep.Fit(table, prep.Spec{Targets: []string{"y"}, Missing: prep.Indicator})
	if err != nil {
		t.Fatal(err)
	}
	names, groups := p.Features()
	want := []string{"when:elapsed", "when:weekday sin", "when:weekday cos", "when:year sin", "when:year cos", "when:hour sin", "when:hour cos", "when?missing", "price", "price?missing"}
	if !slices.Equal(names, want) || groups[6] != "when" {
		t.Fatalf("features %q of %q, want %q", names, groups, want)
	}
	sin, cos := math.Sincos(2 * math.Pi / 7)
	for j, want := range map[int][]float64{
		1: {sin, math.Sin(6 * math.Pi / 7), 0, math.Sin(4 * math.Pi / 7)},
		2: {cos, math.Cos(6 * math.Pi / 7), 0, math.Cos(4 * math.Pi / 7)},
		3: {0, math.Sin(2 * math.Pi * 2 / 366), 0, 0},
		4: {1, math.Cos(2 * math.Pi * 2 / 366), 0, -1},
		5: {1, -1, 0, 1},
		6: {0, 0, 0, 0},
		7: {0, 0, 1, 0},
	} {
		for i := range want {
			if got := rows.X.At(i)[j]; math.Abs(got-want[i]) > 1e-12 {
				t.Errorf("row %d, %s: %v, want %v", i, names[j], got, want[i])
			}
		}
	}
	zero, _ := p.Original(0, rows.X.At(0)[0])
	if day := 19723.25; math.Abs(zero-day) > 1e-9 {
		t.Errorf("day %v, want %v", zero, day)
	}
	notes := strings.Join(rows.Notes, "\n")
	for _, want := range []string{"amounts in $ are read as numbers", "dates become the features when:elapsed, "} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %s lack %q", notes, want)
		}
	}

	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again prep.Pipeline
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	same, err := again.Apply(table)
	if err != nil || !slices.Equal(same.X.Raw(), rows.X.Raw()) {
		t.Errorf("the stored pipeline does something else: %v", err)
	}
	if bad := strings.Replace(string(text), `"weekday"`, `"tide"`, 1); json.Unmarshal([]byte(bad), &again) == nil {
		t.Error("a part that is none is taken")
	}
}

func TestOtherUnits(t *testing.T) {
	p, _, err := prep.Fit(readTable(t, visits), prep.Spec{Targets: []string{"y"}, Missing: prep.Mean})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"when,price\n2024-01-01,€10\n":              `t.csv: line 2, column 2 (price): "€10" is another unit`,
		"when,price\n2024-01-01,$10\nsoon,$5\n":     `t.csv: line 3, column 1 (when): "soon" is another unit or form`,
		"when,price\n2024-01-01,$10\n2024-01-01,5%": `line 3, column 2 (price): "5%" is another unit`,
		"when,price\n03/01/2024,$10\n":              `"03/01/2024" is another unit or form`,
	} {
		if _, err := p.ApplyInputs(readTable(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := p.ApplyInputs(readTable(t, "when,price\n02.01.2024,12\n")); err != nil {
		t.Errorf("dates with points and plain numbers: %v", err)
	}
	plain, _, err := prep.Fit(readTable(t, "a,y\n1,1\n3,2\n"), prep.Spec{Targets: []string{"y"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.ApplyInputs(readTable(t, "a,b\n$5,1\n")); err == nil || !strings.Contains(err.Error(), `"$5" has a unit`) {
		t.Errorf("error %v", err)
	}
}

// Months first is known from the training table, and holds for one that does not show it.
func TestOrderOfDatesStays(t *testing.T) {
	p, _, err := prep.Fit(readTable(t, "when,y\n03/01/2024,1\n12/25/2024,2\n07/04/2024,3\n"), prep.Spec{Targets: []string{"y"}, Raw: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := p.ApplyInputs(readTable(t, "when\n03/01/2024\n"))
	if err != nil || rows.X.At(0)[0] != 19783 { // 2024-03-01
		t.Errorf("%v, %v", rows, err)
	}
	if _, err := p.ApplyInputs(readTable(t, "when\n25/12/2024\n")); err == nil || !strings.Contains(err.Error(), "month first") {
		t.Errorf("error %v", err)
	}
}
