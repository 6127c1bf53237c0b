package figure

import (
	"strings"
	"testing"
)

func TestMetric(t *testing.T) {
	m := Metric{Relevance: Bars{Title: "relevance", Names: []string{"age", "bmi"}, Series: []Series{{Values: []float64{0.7, 0.3}}}}, M: [][]float64{{1, -0.5}, {-0.5, 2}}}
	svg, err := m.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(svg), ">bmi<"); got != 3 {
		t.Errorf("a column is named %d times, want under its bar, its row and its column of M", got)
	}
	m.M[1] = nil
	if _, err := m.PNG(); err == nil {
		t.Error("a matrix with a row that is too short is drawn")
	}
}
