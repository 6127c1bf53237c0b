package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data/arrow"
	"example.org/mercer/serve/records"
)

// Rows by name as objects, lists, columns, lines and CSV have one answer, that of the library.
func TestRowsOfAllForms(t *testing.T) {
	s := serving(t, Options{})
	p, err := s.house.Predict(t.Context(), tableOf(t, "size,rooms,place\n80,3,town\n"), compute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := p.Values.At(0, 0)
	for _, tc := range []struct{ media, body string }{
		{records.JSON, `{"rows":[{"size":80,"rooms":3,"place":"town"}]}`},
		{records.JSON, `[{"place":"town","rooms":"3","size":80.0}]`},
		{records.JSON, `{"rows":[[80,3,"town"]]}`},
		{records.JSON, `{"columns":{"size":[80],"rooms":[3],"place":["town"]}}`},
		{"application/x-www-form-urlencoded", `{"rows":[[80,3,"town"]]}`},
		{"", `{"rows":[{"size":8e1,"rooms":3,"place":"to\u0077n","extra":[1,{"a":2}]}]}`},
		{records.Lines, `{"size":80,"rooms":3,"place":"town"}` + "\n"},
		{records.CSV, "rooms,place,size\n3,town,80\n"},
	} {
		got := s.ask(t, "POST", "/v1/models/house:predict", []byte(tc.body), "Content-Type", tc.media, "Accept", records.JSON)
		got.want(t, http.StatusOK, `"rows":`)
		var a records.Answer
		if err := json.Unmarshal([]byte(got.body), &a); err != nil || len(a.Rows) != 1 || a.Rows[0]["price"] != want {
			t.Errorf("%s %s: %s, want %v", tc.media, tc.body, got.body, want)
		}
		if strings.Contains(tc.body, "extra") != (len(a.Notes) == 1) {
			t.Errorf("%s: notes %q", tc.body, a.Notes)
		}
	}
	s.ask(t, "POST", "/v1/models/house:predict", []byte("size,rooms,place\n80,3,town\n"), "Content-Type", "text/csv; charset=utf-8").want(t, http.StatusOK, fmt.Sprintf("row,price\n1,%v\n", want))
	for _, media := range []string{records.Arrow, records.Feather} {
		inArrow := s.ask(t, "POST", "/v1/models/house:predict", []byte(`{"rows":[[80,3,"town"]]}`), "Accept", media)
		inArrow.want(t, http.StatusOK, "")
		table, err := arrow.Read(t.Context(), "answer", strings.NewReader(inArrow.body), int64(len(inArrow.body)), nil)
		if err != nil || inArrow.header.Get("Content-Type") != media {
			t.Fatalf("%s: %v", inArrow.header.Get("Content-Type"), err)
		}
		if price, _ := table.Column("price"); price == nil || fmt.Sprint(price.Numbers[0]) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %v", media, price, want)
		}
		back := s.ask(t, "POST", "/v1/models/house:predict", []byte(inArrow.body[:len(inArrow.body)/2]), "Content-Type", media)
		back.want(t, http.StatusBadRequest, "error")
	}
	s.ask(t, "POST", "/v1/models/house:predict", []byte(`{"rows":[[80,3,"town"]]}`), "Accept", records.Lines).want(t, http.StatusOK, `{"price":`)
}

// What is wrong with rows is said with the row and column.
func TestRowsRefuse(t *testing.T) {
	s := serving(t, Options{})
	for _, tc := range []struct {
		path, media, body string
		status            int
		text              string
	}{
		{"house:predict", "", `{"rows":[]}`, 400, "no rows"},
		{"house:predict", "", `{}`, 400, "either"},
		{"house:predict", "", `{"rows":[[1,2]]}`, 400, "it has 2 values, and the model has 3 columns"},
		{"house:predict", "", `{"rows":[5]}`, 400, "row 1"},
		{"house:predict", "", `{"rows":[{"size":80,"rooms":3}]}`, 400, `no column \"place\"`},
		{"house:predict", "", `{"rows":[{"size":"big","rooms":3,"place":"town"}]}`, 400, "size"},
		{"house:predict", "", `{"rows":[{"size":1e999,"rooms":3,"place":"town"}]}`, 400, "beyond those of float64"},
		{"house:predict", "", `{"columns":{"size":[80],"rooms":[3,4],"place":["town"]}}`, 400, "values"},
		{"house:predict", "text/xml", `<rows/>`, 415, "text/csv"},
		{"house:predict?interval=9", "", `{"rows":[[80,3,"town"]]}`, 400, "interval is"},
		{"house:sets", "", `{"rows":[[80,3,"town"]]}`, 400, "ask for an interval"},
		{"house:probabilities", "", `{"rows":[[80,3,"town"]]}`, 400, "no probabilities"},
		{"house:explain?by=magic", "", `{"rows":[[80,3,"town"]]}`, 400, "magic"},
		{"house:explain?top=x", "", `{"rows":[[80,3,"town"]]}`, 400, "top is"},
		{"house:fly", "", `{}`, 404, "cannot be asked to"},
		{"house", "", `{}`, 404, "house:predict"},
		{"castle:predict", "", `{}`, 404, "no model"},
	} {
		s.ask(t, "POST", "/v1/models/"+tc.path, []byte(tc.body), "Content-Type", tc.media).want(t, tc.status, tc.text)
	}
}

// Every call answers with what the library says.
func TestCalls(t *testing.T) {
	s := serving(t, Options{})
	row := []byte(`{"rows":[{"size":80,"rooms":3,"place":"town"}]}`)
	s.ask(t, "POST", "/v1/models/house:intervals", row).want(t, http.StatusOK, `"price lower":`)
	s.ask(t, "POST", "/v1/models/kinds:probabilities", []byte(`{"rows":[[0.1,0.2]]}`)).want(t, http.StatusOK, `"p(blue)":`)
	for _, by := range []string{"rows", "gradient", "shapley"} {
		s.ask(t, "POST", "/v1/models/house:explain?top=2&by="+by, row).want(t, http.StatusOK, `"by":"`+by+`"`)
	}
	s.ask(t, "POST", "/v1/models/house:explain?by=features", row).want(t, http.StatusOK, "no sum over features")
	s.ask(t, "POST", "/v1/models/house:verify", nil).want(t, http.StatusOK, `"worst":`)
	many := `{"rows":[` + strings.Repeat(`[80,3,"town"],`, mostExplained) + `[80,3,"town"]]}`
	s.ask(t, "POST", "/v1/models/house:explain", []byte(many)).want(t, http.StatusRequestEntityTooLarge, "1001 rows")
}
