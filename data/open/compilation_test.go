package open

import (
	"reflect"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/libsvm"
	"example.org/mercer/data/parquet"
	"example.org/mercer/data/png"
)

// TestCompilationsAreSent: what is read comes back, every option that says how a file is compiled.
func TestCompilationsAreSent(t *testing.T) {
	here := map[string]bool{"Stdin": true, "Keep": true, "Progress": true} // of no use elsewhere
	o := Options{
		Format: CSV, Delimiter: ';', Header: csv.HeaderNo, Types: map[string]data.Kind{"a": data.Text}, Unused: []string{"b"}, Missing: []string{""},
		Numbers: csv.Style{Decimal: ',', Thousands: '.'}, Skip: 3, Encoding: "latin1", LibSVM: libsvm.Options{ZeroBased: true, Dim: 7}, Directed: true,
		Key: "k", Sheet: "s", Labels: "l", Bins: 2, Resize: png.Size{Width: 1, Height: 2}, Crop: png.Size{Width: 3, Height: 4}, Grey: true, Bag: "bag", Budget: 1 << 40, SplitBytes: 1 << 30,
	}
	for i, v := 0, reflect.ValueOf(o); i < v.NumField(); i++ {
		if f := v.Type().Field(i); f.IsExported() && v.Field(i).IsZero() && !here[f.Name] {
			t.Errorf("the test leaves %s out", f.Name)
		}
	}
	split := &Split{Number: 2, Format: CSV, Reads: []Range{{3, 4}}, Groups: parquet.Groups{From: 1, To: 2}, Text: data.TextColumns{"a": {Line: 1, Why: "why", Before: 2}},
		Layout: &csv.Layout{Delimiter: ';', Headed: true, Columns: []string{"a"}, Text: data.TextColumns{"b": {}}, Start: 5, Lines: 6, First: 7}}
	for i, o := range []Options{o, {}, {Missing: []string{}}} {
		want := Compilation{"path", "folder", "/dir", "/copy", o, []*Split{split, nil, {Number: 1}}[i]}
		text, err := want.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got Compilation
		if err := got.UnmarshalBinary(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v comes back as %+v: %v", want, got, err)
		}
	}
	if err := new(Compilation).UnmarshalBinary([]byte("{")); err == nil {
		t.Error("half a value is read")
	}
}
