package expr_test

import (
	"strings"
	"testing"

	"example.org/mercer/kernel/expr"
)

func TestSyntaxErrorQuotesTheNeighbourhood(t *testing.T) {
	long := strings.Repeat("a + ", 100) + "§" + strings.Repeat(" + b", 100)
	for _, c := range []struct {
		err  expr.SyntaxError
		want string
	}{
		{expr.SyntaxError{Text: "größe", Offset: 4, Msg: "no"}, `kernel "größe": column 4: no`},
		{expr.SyntaxError{Text: "größe", Offset: -1, Msg: "no"}, `kernel "größe": no`},
		{expr.SyntaxError{Text: "größe", Offset: 99, Msg: "no"}, `kernel "größe": no`},
		{
			expr.SyntaxError{Text: long, Offset: 400, Msg: "no"},
			`kernel "…` + strings.Repeat("a + ", 15) + "§" + strings.Repeat(" + b", 14) + ` + …": column 401: no`,
		},
		{
			expr.SyntaxError{Text: long, Offset: 2, Msg: "no"},
			`kernel "` + strings.Repeat("a + ", 30) + `…": column 3: no`,
		},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
