package formula

import (
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
)

func TestFunction(t *testing.T) {
	f, err := Function("1 + x[0]^2/norm(x)")
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{3, 4}
	testkit.Close(t, "f", f.At(x), 1+9.0/5, 1e-15)
	v, err := f.Big(x, 200)
	if err != nil {
		t.Fatal(err)
	}
	exact, _ := v.Float64()
	testkit.Close(t, "f (big)", exact, 1+9.0/5, 1e-15)
	if f.Text != "1 + x[0]^2/norm(x)" {
		t.Errorf("Text = %q", f.Text)
	}
	if _, err := f.Big([]float64{0, 0}, 200); err == nil {
		t.Error("0/0 is accepted")
	}
	if _, err := Function("x*y"); err == nil || !strings.Contains(err.Error(), `unknown name "y"`) {
		t.Errorf("a function of y: %v", err)
	}
}

func TestMap(t *testing.T) {
	phi, err := Map("log(1 + x)")
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "φ", phi([]float64{0, 1, 3}), []float64{0, 0.6931471805599453, 1.3862943611198906}, 1e-15)
	for text, why := range map[string]string{
		"x[0]":      "has no coordinates",
		"dot(x, x)": "here x is one number",
		"y":         `unknown name "y"`,
	} {
		if _, err := Map(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("Map(%q): %v, want …%s…", text, err, why)
		}
	}
}
