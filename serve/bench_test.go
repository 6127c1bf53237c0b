package serve

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/serve/oip"
)

// BenchmarkInfer is a request of rows=1 and rows=1000 without a network, and its parts.
func BenchmarkInfer(b *testing.B) {
	path := saved(b, fitted(b, kinds(1000, 3), "kind", "rbf(sigma=1)", kindMethod), b.TempDir(), "kinds")
	s, err := New(b.Context(), Options{Models: []Source{{"kinds", path}}, Watch: -1})
	if err != nil {
		b.Fatal(err)
	}
	for _, rows := range []int{1, 1000} {
		r := rand.New(rand.NewPCG(1, 2))
		values := make([]string, 2*rows)
		for i := range values {
			values[i] = strconv.FormatFloat(r.NormFloat64(), 'f', 6, 64)
		}
		body := fmt.Appendf(nil, `{"inputs":[{"name":"input","shape":[%d,2],"datatype":"FP64","data":[%s]}]}`, rows, strings.Join(values, ","))
		b.Run(fmt.Sprintf("request/rows=%d", rows), func(b *testing.B) {
			for b.Loop() {
				w := httptest.NewRecorder()
				q := httptest.NewRequest("POST", "/v2/models/kinds/infer", bytes.NewReader(body))
				q.Host = "localhost"
				if s.Handler().ServeHTTP(w, q); w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
		b.Run(fmt.Sprintf("read/rows=%d", rows), func(b *testing.B) {
			for b.Loop() {
				if _, err := oip.Read(body, -1); err != nil {
					b.Fatal(err)
				}
			}
		})
		_, v, err := s.answering("kinds", "")
		if err != nil {
			b.Fatal(err)
		}
		q, err := oip.Read(body, -1)
		if err != nil {
			b.Fatal(err)
		}
		table, err := q.Table(v.columns.Inputs, "")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("predict/rows=%d", rows), func(b *testing.B) {
			for b.Loop() {
				if _, err := v.Predict(b.Context(), table, compute.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
