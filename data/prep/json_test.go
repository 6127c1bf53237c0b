package prep

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/internal/testkit"
)

func stringsOf(t testing.TB) (*Pipeline, string) {
	t.Helper()
	p, _, err := Fit(table(
		"id age           color w y   z   k",
		"a  0.1           red   1 10  no  a",
		"b  1e-300        blue  2 20  yes b",
		"c  3.14159265359 ?     1 7   no  c",
		"d  ?             green 2 40  yes a"),
		Spec{Targets: []string{"y", "z", "k"}, ID: "id", Weights: "w", Missing: Indicator})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return p, string(text)
}

func TestPipelineRoundTrip(t *testing.T) {
	p, text := stringsOf(t)
	var q Pipeline
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(p, &q, cmp.AllowUnexported(Pipeline{}, column{})) {
		t.Errorf("the pipeline changed: %s", cmp.Diff(p, &q, cmp.AllowUnexported(Pipeline{}, column{})))
	}
	again, err := json.Marshal(&q)
	if err != nil || string(again) != text {
		t.Errorf("text changed from\n%s to\n%s (%v)", text, again, err)
	}
}

func TestPipelineRoundTripKeepsEveryBit(t *testing.T) {
	r := testkit.Rand(t, 41)
	for range 2000 {
		bits := func() float64 {
			for {
				if x := math.Float64frombits(r.Uint64()); !math.IsNaN(x) && !math.IsInf(x, 0) && x != 0 {
					return x
				}
			}
		}
		p := &Pipeline{columns: []column{{Name: "x", Role: feature, Kind: numeric, Fill: bits(), Center: bits(), Scale: math.Abs(bits())}}}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var q Pipeline
		if err := json.Unmarshal(text, &q); err != nil {
			t.Fatal(err)
		}
		a, b := p.columns[0], q.columns[0]
		if math.Float64bits(a.Fill) != math.Float64bits(b.Fill) || math.Float64bits(a.Center) != math.Float64bits(b.Center) || math.Float64bits(a.Scale) != math.Float64bits(b.Scale) {
			t.Fatalf("%s came back as %+v", text, b)
		}
	}
}

func TestPipelineRefusesWhatFitCannotMake(t *testing.T) {
	_, good := stringsOf(t)
	var p Pipeline
	if err := p.UnmarshalJSON([]byte(good)); err != nil {
		t.Fatal(err)
	}
	before, err := json.Marshal(&p)
	if err != nil {
		t.Fatal(err)
	}
	feature := `{"missing":"mean","headed":true,"columns":[FEATURE]}`
	for text, want := range map[string]string{
		``:               "cannot be read",
		`null`:           "needs a feature",
		`{}`:             "needs a feature",
		`[]`:             "cannot be read",
		good + `{}`:      "followed by something else",
		good[:50]:        "cannot be read",
		`{"missing":"?"`: "cannot be read",
		strings.Replace(good, `"missing"`, `"mising"`, 1):                                                                          "mising",
		strings.Replace(good, `"indicator"`, `"guess"`, 1):                                                                         "guess",
		strings.Replace(good, `"feature"`, `"oracle"`, 1):                                                                          "oracle",
		strings.Replace(good, `"kind":"numeric"`, `"kind":"x"`, 1):                                                                 `unknown kind "x"`,
		strings.Replace(good, `"blue","green"`, `"green","blue"`, 1):                                                               "not sorted",
		strings.Replace(good, `"blue","green"`, `"green","green"`, 1):                                                              "not sorted and different",
		strings.Replace(good, `"name":"age"`, `"name":"id"`, 1):                                                                    `has the name "id" of another`,
		strings.Replace(good, `"role":"id"`, `"role":"weights"`, 1):                                                                "2 weights",
		strings.Replace(good, `["no","yes"]`, `["no"]`, 1):                                                                         "needs two labels",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"feature","kind":"numeric"}`, 1):                                   "scale 0 is not positive",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"feature","kind":"numeric","scale":-1}`, 1):                        "scale -1",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"feature","kind":"numeric","scale":1e999}`, 1):                     "cannot be read",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"feature","kind":"text"}`, 1):                                      "text cannot be a feature",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"feature","kind":"categorical"}`, 1):                               "level 0 of 0",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"feature","kind":"categorical","levels":["a"],"fillLevel":-1}`, 1): "level -1 of 1",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"weights","kind":"text"}`, 1):                                      "weights cannot be text",
		strings.Replace(feature, "FEATURE", `{"name":"x","role":"weights","kind":"numeric","levels":["a"]}`, 1):                    "cannot have levels",
	} {
		err := p.UnmarshalJSON([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n gives %v, want an error with %q", text, err, want)
		}
	}
	if after, err := json.Marshal(&p); err != nil || string(after) != string(before) {
		t.Errorf("a refused text changed the pipeline (%v)", err)
	}
}

func FuzzPipelineJSON(f *testing.F) {
	_, good := stringsOf(f)
	f.Add([]byte(good))
	f.Add([]byte(`{"missing":"drop","columns":[{"name":"x","role":"feature","kind":"numeric","scale":1e-300}]}`))
	f.Add([]byte(`{"columns":[{"name":"c","role":"feature","kind":"categorical","levels":["1","a"],"indicator":true}]}`))
	f.Add([]byte(`{"columns":[{"role":"target","kind":"categorical","levels":["a","b"]},{"name":"x","role":"feature","kind":"numeric","scale":1}]}`))
	tab := table("age color x c y", "1 red 1 a 1", "? ? ? ? ?", "3 q 2 1 2")
	f.Fuzz(func(t *testing.T, text []byte) {
		var p Pipeline
		if err := p.UnmarshalJSON(text); err != nil {
			return
		}
		// Whatever was accepted can be used, printed and written again.
		_, _ = p.Apply(tab)
		_, _ = p.Apply(headerless(table("age color", "1 red")))
		for _, target := range p.Targets() {
			target.Decode(make([]float64, target.Outputs()))
		}
		_ = p.String()
		again, err := p.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var q Pipeline
		if err := q.UnmarshalJSON(again); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
	})
}
