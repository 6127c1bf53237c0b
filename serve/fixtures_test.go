package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/csv"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// tableOf reads a table of CSV.
func tableOf(t testing.TB, text string) *data.Table {
	t.Helper()
	table, err := csv.Read(t.Context(), "made.csv", strings.NewReader(text), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// fitted is a model of a table.
func fitted(t testing.TB, text, target, kernel string, by learner.Learner) *mercer.Model {
	t.Helper()
	p, err := task.New(t.Context(), tableOf(t, text), prep.Spec{Targets: []string{target}}, kernel)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(t.Context(), p, by, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// houses is a table of two numbers, a category, and a price.
func houses(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("size,rooms,place,price\n")
	for range n {
		size, rooms, place := 50+100*r.Float64(), float64(1+r.IntN(6)), []string{"town", "village", "coast"}[r.IntN(3)]
		fmt.Fprintf(&b, "%.3f,%g,%s,%.4f\n", size, rooms, place, 2*size+10*rooms+30*float64(len(place))+r.NormFloat64())
	}
	return b.String()
}

// kinds is a table of two numbers and three labels.
func kinds(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	b.WriteString("x,y,kind\n")
	for range n {
		k := r.IntN(3)
		fmt.Fprintf(&b, "%.4f,%.4f,%s\n", float64(k)+0.4*r.NormFloat64(), float64(k*k)/2+0.4*r.NormFloat64(), []string{"red", "green", "blue"}[k])
	}
	return b.String()
}

func houseModel(t *testing.T, seed uint64) *mercer.Model {
	return fitted(t, houses(60, seed), "price", "rbf(sigma=2)", methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}})
}

var kindMethod = methods.KLR{Options: klr.Options{Lambda: 1e-2}}

func kindModel(t *testing.T) *mercer.Model {
	return fitted(t, kinds(90, 3), "kind", "rbf(sigma=1)", kindMethod)
}

// saved is the file of a model in a folder.
func saved(t testing.TB, m *mercer.Model, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name+".mercer")
	if err := m.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// served is a server of the models house and kinds, its address, and the models.
type served struct {
	*Server
	url          string
	house, kinds *mercer.Model
	dir          string
}

func serving(t *testing.T, o Options) *served {
	t.Helper()
	s := &served{house: houseModel(t, 1), kinds: kindModel(t), dir: t.TempDir()}
	o.Models = append(o.Models, Source{"house", saved(t, s.house, s.dir, "house")}, Source{"kinds", saved(t, s.kinds, s.dir, "kinds")})
	o.Watch = -1
	var err error
	if s.Server, err = New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(s.Handler())
	server.Config.Protocols = protocols()
	server.Start()
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// asked is an answer.
type asked struct {
	status int
	header http.Header
	body   string
}

// ask sends a request with pairs of header fields and values.
func (s *served) ask(t *testing.T, method, path string, body []byte, headers ...string) asked {
	t.Helper()
	a, err := s.try(t.Context(), method, path, body, headers...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (s *served) try(ctx context.Context, method, path string, body []byte, headers ...string) (asked, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(body))
	if err != nil {
		return asked{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return asked{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return asked{answer.StatusCode, answer.Header, string(text)}, err
}

// want fails unless an answer has a status and a text.
func (a asked) want(t *testing.T, status int, text string) {
	t.Helper()
	if a.status != status || !strings.Contains(a.body, text) {
		t.Errorf("status %d: %.300s; want %d with %q", a.status, a.body, status, text)
	}
}

// gramModel is the file of a model whose kernel is a matrix in a file of a folder.
func gramModel(t *testing.T, dir string) string {
	t.Helper()
	table := tableOf(t, "id,x,y\na,1,1\nb,2,3\nc,4,2\nd,6,5\n")
	spec := prep.Spec{Targets: []string{"y"}, ID: "id"}
	p, err := task.New(t.Context(), table, spec, "rbf(sigma=2)")
	if err != nil {
		t.Fatal(err)
	}
	matrix := filepath.Join(dir, "K.npy")
	if _, err := p.WriteGram(t.Context(), matrix, task.GramOptions{}, compute.Options{}); err != nil {
		t.Fatal(err)
	}
	if p, err = task.New(t.Context(), table, spec, fmt.Sprintf("gram(file=%q)", matrix)); err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(t.Context(), p, methods.KRR{Options: krr.Options{Lambda: 1e-2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	path := saved(t, m, dir, "gram")
	if err := os.WriteFile(matrix, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// until waits for a sign.
func until(seen func() bool) {
	for !seen() {
		runtime.Gosched()
	}
}
