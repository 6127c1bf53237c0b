package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/serve/client"
)

// What a soak does at a time.
const (
	soakClients = 6
	soakRows    = 512             // different rows that are asked for
	reloadEach  = 2 * time.Second // another file takes the place of the model's
	sampleEach  = 30 * time.Second
)

// soak is load of all kinds on one server.
type soak struct {
	options
	address string
	pid     int
	ask     *client.Client
	numbers []float64    // of the rows, row after row
	want    [2][]float64 // what each of the two models predicts for them
	until   time.Time

	answers, wrong, failed, refused, slow, broken, reloads atomic.Int64
	first                                                  sync.Once
	example                                                string // of what was wrong or failed
}

// soaked asks for a while, beside clients that misbehave, and says what went wrong.
func (o options) soaked(ctx context.Context, dir, path, address string, pid int) error {
	s := &soak{options: o, address: address, pid: pid, until: time.Now().Add(o.soak)}
	files := [2]string{path + ".a", path + ".b"}
	for i, file := range files {
		if err := o.model(ctx, dir, file, uint64(i+1)); err != nil {
			return err
		}
	}
	if err := s.expect(ctx, files); err != nil {
		return err
	}
	var err error
	if s.ask, err = client.New(address, client.Options{HTTP: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: soakClients}}}); err != nil {
		return err
	}
	var all sync.WaitGroup
	for c := range soakClients {
		all.Go(func() { s.good(ctx, rand.New(rand.NewPCG(9, uint64(c)))) })
	}
	for _, other := range []func(r *rand.Rand){s.bad, s.slowly, s.breakOff} {
		all.Go(func() { other(rand.New(rand.NewPCG(10, 1))) })
	}
	all.Go(func() { s.replace(files, path) })
	memory := s.watch()
	all.Wait()
	fmt.Printf("%s: %d answers compared, %d wrong, %d failed; %d bad bodies refused, %d slow requests answered, %d connections broken off; the file replaced %d times\n",
		o.soak, s.answers.Load(), s.wrong.Load(), s.failed.Load(), s.refused.Load(), s.slow.Load(), s.broken.Load(), s.reloads.Load())
	fmt.Printf("resident memory every %s, MiB: %s\n", sampleEach, strings.Join(<-memory, " "))
	if s.wrong.Load()+s.failed.Load() > 0 {
		return errors.New(s.example)
	}
	return nil
}

// expect predicts the rows by both models, in this process.
func (s *soak) expect(ctx context.Context, files [2]string) error {
	r := rand.New(rand.NewPCG(8, 1))
	t := &data.Table{Source: "made", Headed: true}
	s.numbers = make([]float64, soakRows*s.columns)
	for j := range s.columns {
		c := data.Column{Name: "x" + strconv.Itoa(j), Numbers: make([]float64, soakRows)}
		for i := range soakRows {
			c.Numbers[i] = r.NormFloat64()
			s.numbers[i*s.columns+j] = c.Numbers[i]
		}
		t.Columns = append(t.Columns, c)
	}
	for k, file := range files {
		m, err := mercer.Load(file)
		if err != nil {
			return err
		}
		p, err := m.Predict(ctx, t, compute.Options{})
		if err != nil {
			return err
		}
		for i := range soakRows {
			s.want[k] = append(s.want[k], p.Values.At(i, 0))
		}
	}
	return nil
}

// over reports whether the time is over.
func (s *soak) over() bool { return !time.Now().Before(s.until) }

// problem counts what should not be, and keeps the first of it.
func (s *soak) problem(of *atomic.Int64, format string, args ...any) {
	of.Add(1)
	s.first.Do(func() { s.example = fmt.Sprintf(format, args...) })
}

// good asks for some rows, by name and as tensors, and compares.
func (s *soak) good(ctx context.Context, r *rand.Rand) {
	for !s.over() {
		first, count := r.IntN(soakRows-32), 1+r.IntN(32)
		var got []float64
		var err error
		if r.IntN(2) == 0 {
			var out []client.Tensor
			if out, err = s.ask.Infer(ctx, "m", s.columns, s.numbers[first*s.columns:(first+count)*s.columns], client.Ask{}); err == nil {
				got = out[0].Numbers
			}
		} else {
			rows := make([]client.Row, count)
			for i := range rows {
				rows[i] = client.Row{}
				for j := range s.columns {
					rows[i]["x"+strconv.Itoa(j)] = s.numbers[(first+i)*s.columns+j]
				}
			}
			var out *client.Table
			if out, err = s.ask.Predict(ctx, "m", rows, client.Ask{}); err == nil {
				got, err = out.Numbers("y")
			}
		}
		switch {
		case err != nil:
			s.problem(&s.failed, "a request of %d rows: %v", count, err)
		case !s.right(got, first, count):
			s.problem(&s.wrong, "rows %d to %d have %v, and the models %v and %v", first, first+count, got, s.want[0][first:first+count], s.want[1][first:first+count])
		default:
			s.answers.Add(1)
		}
	}
}

// right reports whether all values are those of the same model.
func (s *soak) right(got []float64, first, count int) bool {
	if len(got) != count {
		return false
	}
	for _, want := range s.want {
		same := true
		for i, v := range got {
			same = same && v == want[first+i]
		}
		if same {
			return true
		}
	}
	return false
}

// bad sends bodies that are no requests, which the server has to refuse as such.
func (s *soak) bad(r *rand.Rand) {
	bodies := []string{"", "{", `{"rows":[{"x0":"tall"}]}`, `{"rows":[[1,2]]}`, `{"rows":5}`, `{"rows":[{"x0":1e999}]}`, "\x00\xff", strings.Repeat("[", 10000), `{"inputs":[{"name":"a","shape":[4294967296,8],"datatype":"FP64","data":[1]}]}`}
	for !s.over() {
		path := []string{"/v1/models/m:predict", "/v2/models/m/infer"}[r.IntN(2)]
		answer, err := http.Post(s.address+path, "application/json", strings.NewReader(bodies[r.IntN(len(bodies))]))
		if err != nil {
			s.problem(&s.failed, "a bad body: %v", err)
			continue
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if answer.StatusCode >= 400 && answer.StatusCode < 500 {
			s.refused.Add(1)
		} else {
			s.problem(&s.failed, "a bad body is answered %d", answer.StatusCode)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// connection opens one to the server.
func (s *soak) connection() (net.Conn, error) {
	at, err := url.Parse(s.address)
	if err != nil {
		return nil, err
	}
	return net.Dial("tcp", at.Host)
}

// head is that of a request of one row, and its body.
func (s *soak) head() (head, body string) {
	values := make([]string, s.columns)
	for j := range values {
		values[j] = strconv.FormatFloat(s.numbers[j], 'g', -1, 64)
	}
	body = `{"rows":[[` + strings.Join(values, ",") + `]]}`
	return fmt.Sprintf("POST /v1/models/m:predict HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", len(body)), body
}

// slowly sends a request in pieces, over a second, and wants an answer.
func (s *soak) slowly(*rand.Rand) {
	head, body := s.head()
	whole := head + body
	for !s.over() {
		c, err := s.connection()
		if err != nil {
			s.problem(&s.failed, "a slow request: %v", err)
			continue
		}
		for at := 0; at < len(whole) && err == nil; at += 40 {
			_, err = io.WriteString(c, whole[at:min(at+40, len(whole))])
			time.Sleep(100 * time.Millisecond)
		}
		text, readErr := io.ReadAll(c)
		c.Close()
		if err = errors.Join(err, readErr); err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 200") {
			s.problem(&s.failed, "a slow request is answered %.80q, %v", text, err)
		} else {
			s.slow.Add(1)
		}
	}
}

// breakOff begins requests and goes away.
func (s *soak) breakOff(r *rand.Rand) {
	head, body := s.head()
	whole := head + body
	for !s.over() {
		c, err := s.connection()
		if err != nil {
			s.problem(&s.failed, "a connection: %v", err)
			continue
		}
		_, _ = io.WriteString(c, whole[:r.IntN(len(whole)+1)])
		c.Close()
		s.broken.Add(1)
		time.Sleep(5 * time.Millisecond)
	}
}

// replace puts one model in the place of the other, again and again; every tenth time a file that
// is cut comes first, which the server must not take.
func (s *soak) replace(files [2]string, path string) {
	for n := 0; !s.over(); n++ {
		raw, err := os.ReadFile(files[n%2])
		if err == nil && n%10 == 9 {
			err = put(path, raw[:len(raw)/2])
			time.Sleep(reloadEach / 2)
		}
		if err == nil {
			err = put(path, raw)
		}
		if err != nil {
			s.problem(&s.failed, "the file of the model: %v", err)
			return
		}
		s.reloads.Add(1)
		time.Sleep(reloadEach)
	}
}

// put replaces a file at once.
func put(path string, raw []byte) error {
	fresh := filepath.Join(filepath.Dir(path), "fresh")
	if err := os.WriteFile(fresh, raw, 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

// watch samples the resident memory of the server.
func (s *soak) watch() <-chan []string {
	out := make(chan []string, 1)
	go func() {
		var mib []string
		for !s.over() {
			mib = append(mib, strconv.FormatInt(resident(s.pid)>>20, 10))
			time.Sleep(min(sampleEach, time.Until(s.until)))
		}
		out <- mib
	}()
	return out
}

// resident is the resident memory of a process, on Linux.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
