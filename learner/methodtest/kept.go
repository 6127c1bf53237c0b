package methodtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/data"
	"example.org/mercer/task"
)

// kept searches the bytes of model files for cells of the training table: columns that were dropped
// are never there; ids, targets and features only where the model says so.
func (c Case) kept(t *testing.T) {
	table := Table(60)
	secret, id := data.Column{Name: "secret", Kind: data.Text}, data.Column{Name: "name", Kind: data.Text}
	account := data.Column{Name: "account"}
	for i := range 60 {
		secret.Strings = append(secret.Strings, fmt.Sprintf("secret%dx", 7919*i+1e6))
		id.Strings = append(id.Strings, fmt.Sprintf("person%dx", 104729*i+1e6))
		account.Numbers = append(account.Numbers, 1e5*(1+math.Sqrt(float64(i+2))))
	}
	table.Columns = append(table.Columns, secret, account, id)
	s := c.spec(table, "")
	s.Drop = slices.DeleteFunc(s.Drop, func(name string) bool { return name == id.Name })
	s.ID = id.Name
	p, err := task.New(t.Context(), table, s, c.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	tasks := []*task.Task{p}
	if c.Streamed != nil && (c.Streamed.Landmarks != nil || c.Streamed.Features != nil) {
		tasks = append(tasks, c.reduced(t, p, *c.Streamed))
	}
	for _, p := range tasks {
		m := mustFit(t, p, c.Method, 2)
		says, found := m.Contents(), searched(saved(t, m))
		number, hasNumber := table.Columns[3], len(s.Targets) > 0 && s.Targets[0] == "number"
		keepsTargets := strings.Contains(strings.Join(says.RowValues, " "), "targets")
		for _, check := range []struct {
			what    string
			allowed bool
			there   int
		}{
			{"dropped texts", false, found.texts(secret.Strings)},
			{"dropped numbers", false, found.numbers(account.Numbers)},
			{"dropped weights", false, found.texts([]string{`"weight","kind":"numeric","numbers"`})},
			{"ids", says.IDs != "", found.texts(id.Strings)},
			{"targets", keepsTargets || !hasNumber, found.numbers(number.Numbers)},
			{"features", says.Points > 0, found.numbers(table.Columns[0].Numbers)},
		} {
			if check.there > 0 && !check.allowed {
				t.Errorf("%s: %d %s stand in the file, which says that it holds %+v", m.Kernel(), check.there, check.what, says)
			}
			if keepsTargets && hasNumber && check.allowed && check.there == 0 {
				t.Errorf("%s: no %s are found in the file, which says that it holds %+v: the search finds nothing", m.Kernel(), check.what, says)
			}
		}
		if says.SelfTest == 0 || says.Raw {
			t.Errorf("a self-test of %d rows, of the table: %v", says.SelfTest, says.Raw)
		}
		untested(t, p, c, m)
	}
}

// untested fits without a self-test.
func untested(t *testing.T, p *task.Task, c Case, tested *mercer.Model) {
	without := *p
	without.NoSelfTest = true
	m := mustFit(t, &without, c.Method, 2)
	if says := m.Contents(); says.SelfTest != 0 {
		t.Errorf("%d rows of a self-test that was not to be", says.SelfTest)
	}
	if again, err := mercer.Decode("m", saved(t, m), task.Files{}); err != nil || again.Kernel() != tested.Kernel() {
		t.Errorf("a model without a self-test is read as %v, %v", again, err)
	}
}

// searched are the bytes of a file.
type searched []byte

// texts returns how many of the texts are there.
func (s searched) texts(texts []string) (there int) {
	for _, text := range texts {
		if bytes.Contains(s, []byte(text)) {
			there++
		}
	}
	return there
}

// numbers returns how many numbers are there, in decimal or in single or double precision.
func (s searched) numbers(numbers []float64) (there int) {
	for _, x := range numbers {
		double := binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
		single := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(x)))
		decimal := []byte(strconv.FormatFloat(x, 'g', -1, 64))
		if bytes.Contains(s, double) || bytes.Contains(s, single) || len(decimal) > 8 && bytes.Contains(s, decimal) {
			there++
		}
	}
	return there
}
