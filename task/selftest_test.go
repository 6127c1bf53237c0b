package task_test

import (
	"strings"
	"testing"

	"example.org/mercer/task"
)

func selfTest() *task.SelfTest {
	return &task.SelfTest{Headed: true, Names: []string{"a", "b", "c"}, Values: [][]float64{{1}, {2}, {3}},
		Columns: []task.SelfTestColumn{{Name: "x", Kind: "numeric", Numbers: []float64{4, 5, 6}}}}
}

// TestSelfTestIsATable: the rows of the file, in their order.
func TestSelfTestIsATable(t *testing.T) {
	s := selfTest()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	table := s.Table()
	if table.Columns[0].Name != "x" || len(table.Columns[0].Numbers) != 3 || table.Columns[0].Numbers[2] != 6 {
		t.Errorf("column %+v", table.Columns[0])
	}
}

// TestSelfTestOfABrokenFileIsRefused names what does not fit.
func TestSelfTestOfABrokenFileIsRefused(t *testing.T) {
	for want, spoil := range map[string]func(s *task.SelfTest){
		`column "x" has 2 cells for 3 predictions`: func(s *task.SelfTest) { s.Columns[0].Numbers = s.Columns[0].Numbers[:2] },
		"1 names for 3 predictions":                func(s *task.SelfTest) { s.Names = s.Names[:1] },
		"predictions of 1 and of 2 outputs":        func(s *task.SelfTest) { s.Values[1] = []float64{1, 2} },
		`self-test rows, column "x"`:               func(s *task.SelfTest) { s.Columns[0].Kind = "colour" },
	} {
		s := selfTest()
		spoil(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}
