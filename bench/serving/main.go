// Command serving measures `mercer serve`: it makes a model, starts the server as a process of its
// own, and asks it over the loopback.
//
//	go run ./bench/serving --mercer PATH [--time 5s] [--rows 1000] [--columns 10]
//	go run ./bench/serving --mercer PATH --soak 30m
//	taskset -c 1 go run ./bench/serving --mercer PATH --peers PYTHON
//
// It prints a line for each number of clients and rows of a request: requests per second, the
// median and the 99th percentile of their time, and the processor time of the server for each.
// Requests of 0 rows ask whether the server lives: what HTTP alone takes. The last lines are 1,000
// rows in the library, in this process; and 100,000 requests while the file of the model is
// replaced 50 times. With --soak it asks for so long instead, beside bad bodies, slow clients and
// connections that break off, while the file is replaced again and again, and compares every
// answer. With --peers it measures servers in Python beside it, see peers.py.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
)

func main() {
	var o options
	flag.StringVar(&o.command, "mercer", "", "the command")
	flag.DurationVar(&o.time, "time", 5*time.Second, "of each line")
	flag.IntVar(&o.rows, "rows", 1000, "training rows of the model")
	flag.IntVar(&o.columns, "columns", 10, "columns of the model")
	flag.DurationVar(&o.soak, "soak", 0, "ask for so long, and compare every answer")
	flag.StringVar(&o.python, "peers", "", "a Python that has the peers, to measure them, too")
	flag.StringVar(&o.log, "log", "off", "what the server logs")
	flag.Parse()
	if err := o.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "serving:", err)
		os.Exit(1)
	}
}

type options struct {
	command, log  string
	python        string
	time, soak    time.Duration
	rows, columns int
}

// run makes the model, starts the server and measures.
func (o options) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "serving")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "m.mercer")
	if err := o.model(ctx, dir, path, 1); err != nil {
		return err
	}
	address, pid, stop, err := o.serve(ctx, path)
	if err != nil {
		return err
	}
	defer stop()
	if o.soak > 0 {
		return o.soaked(ctx, dir, path, address, pid)
	}
	if o.python != "" {
		return o.beside(ctx, dir, path, address, pid)
	}
	fmt.Printf("model of %d rows and %d columns\nrows a request   form  clients  requests/s    p50 µs    p99 µs  processor µs a request\n", o.rows, o.columns)
	for _, c := range []struct {
		rows, clients int
		binary        bool
	}{{0, 1, false}, {1, 1, false}, {1, 8, false}, {1, 64, false}, {32, 1, false}, {1000, 1, false}, {1000, 1, true}, {1000, 8, true}} {
		if err := o.measure(address, pid, c.rows, c.clients, c.binary); err != nil {
			return err
		}
	}
	if err := o.library(ctx, path); err != nil {
		return err
	}
	return o.reload(address, path)
}

// serve starts a server of a model file.
func (o options) serve(ctx context.Context, path string) (address string, pid int, stop func(), err error) {
	line := []string{o.command, "serve", path, "--listen", "127.0.0.1:0", "--log", o.log, "--watch", "20ms", "--json"}
	if o.python != "" {
		line = append(slices.Clone(onFirst), line...)
	}
	server := exec.CommandContext(ctx, line[0], line[1:]...)
	out, err := server.StdoutPipe()
	if err != nil {
		return "", 0, nil, err
	}
	if err := server.Start(); err != nil {
		return "", 0, nil, err
	}
	stop = func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	}
	var said struct {
		Address string `json:"address"`
	}
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&said); err != nil {
		stop()
		return "", 0, nil, fmt.Errorf("the server says no address: %w", err)
	}
	return said.Address, server.Process.Pid, stop, nil
}

// reload asks while the model file is replaced again and again.
func (o options) reload(address, path string) error {
	const requests, reloads, clients = 100_000, 50, 8
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}}
	request := o.request(address, 1, false)
	var asked, failed atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for asked.Add(1) <= requests {
				if ask(client, request) != nil {
					failed.Add(1)
				}
			}
		})
	}
	for range reloads {
		fresh := path + ".new"
		if err := os.WriteFile(fresh, raw, 0o600); err != nil {
			return err
		}
		if err := os.Rename(fresh, path); err != nil {
			return err
		}
		time.Sleep(60 * time.Millisecond)
	}
	all.Wait()
	q, err := http.NewRequest("GET", address+"/v1/models/m", nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var about struct {
		Version string `json:"version"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&about); err != nil {
		return err
	}
	fmt.Printf("%d requests, the file replaced %d times (version %s at the end): %d failed\n", requests, reloads, about.Version, failed.Load())
	return nil
}

// model fits kernel ridge regression on random rows.
func (o options) model(ctx context.Context, dir, path string, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 2))
	var b bytes.Buffer
	for j := range o.columns {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("y\n")
	for range o.rows {
		sum := 0.0
		for range o.columns {
			v := r.NormFloat64()
			sum += v
			fmt.Fprintf(&b, "%.4f,", v)
		}
		fmt.Fprintf(&b, "%.4f\n", sum)
	}
	table := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(table, b.Bytes(), 0o600); err != nil {
		return err
	}
	fit := exec.CommandContext(ctx, o.command, "fit", "krr", table, "--target", "y", "--kernel", "rbf(sigma=4)", "-o", path, "-q")
	fit.Stderr = os.Stderr
	return fit.Run()
}

// request asks for predictions of so many rows, in JSON or in binary form.
func (o options) request(address string, rows int, inBinary bool) func() (*http.Request, error) {
	if rows == 0 {
		return func() (*http.Request, error) { return http.NewRequest("GET", address+"/v2/health/live", nil) }
	}
	r := rand.New(rand.NewPCG(3, uint64(rows)))
	length, body := "", o.body(r, rows)
	if inBinary {
		body = fmt.Appendf(nil, `{"parameters":{"binary_data_output":true},"inputs":[{"name":"input","shape":[%d,%d],"datatype":"FP64","parameters":{"binary_data_size":%d}}]}`, rows, o.columns, 8*rows*o.columns)
		length = strconv.Itoa(len(body))
		for range rows * o.columns {
			body = binary.LittleEndian.AppendUint64(body, math.Float64bits(r.NormFloat64()))
		}
	}
	return func() (*http.Request, error) {
		q, err := http.NewRequest("POST", address+"/v2/models/m/infer", bytes.NewReader(body))
		if err == nil && length != "" {
			q.Header.Set("Inference-Header-Content-Length", length)
		}
		return q, err
	}
}

// body is a request in JSON.
func (o options) body(r *rand.Rand, rows int) []byte {
	values := make([]string, rows*o.columns)
	for i := range values {
		values[i] = strconv.FormatFloat(r.NormFloat64(), 'f', 6, 64)
	}
	return fmt.Appendf(nil, `{"inputs":[{"name":"input","shape":[%d,%d],"datatype":"FP64","data":[%s]}]}`, rows, o.columns, strings.Join(values, ","))
}

// ask sends a request and reads its answer.
func ask(client *http.Client, request func() (*http.Request, error)) error {
	q, err := request()
	if err != nil {
		return err
	}
	answer, err := client.Do(q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", answer.StatusCode, text)
	}
	return err
}

// measure asks with several clients at a time and prints a line.
func (o options) measure(address string, pid, rows, clients int, inBinary bool) error {
	l, err := o.load(address, pid, rows, clients, inBinary)
	if err != nil {
		return err
	}
	form := "JSON"
	if inBinary {
		form = "binary"
	}
	fmt.Printf("%14d %6s %8d %11.0f %9.0f %9.0f %12.0f\n", rows, form, clients, l.rate, l.half, l.most, l.processor)
	return nil
}

// load is what clients found: requests a second, the median and the 99th percentile of their time,
// and the processor time of the server for one, in microseconds.
type load struct{ rate, half, most, processor float64 }

// middle is the load with the median of the processor times.
func middle(all []load) load {
	slices.SortFunc(all, func(a, b load) int { return cmp.Compare(a.processor, b.processor) })
	return all[len(all)/2]
}

// load asks with several clients at a time.
func (o options) load(address string, pid, rows, clients int, inBinary bool) (load, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}}
	defer client.CloseIdleConnections()
	request := o.request(address, rows, inBinary)
	ask := func() error { return ask(client, request) }
	for range 50 {
		if err := ask(); err != nil {
			return load{}, err
		}
	}
	times := make([][]time.Duration, clients)
	var failed atomic.Value
	before, start := processor(pid), time.Now()
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for time.Since(start) < o.time && failed.Load() == nil {
				begun := time.Now()
				if err := ask(); err != nil {
					failed.Store(err)
					return
				}
				times[c] = append(times[c], time.Since(begun))
			}
		})
	}
	all.Wait()
	took, used := time.Since(start), processor(pid)-before
	if err, ok := failed.Load().(error); ok {
		return load{}, err
	}
	sorted := slices.Sorted(slices.Values(slices.Concat(times...)))
	n := len(sorted)
	micros := func(d time.Duration) float64 { return float64(d) / 1e3 }
	return load{float64(n) / took.Seconds(), micros(sorted[n/2]), micros(sorted[n*99/100]), micros(used) / float64(n)}, nil
}

// library predicts 1,000 rows without a server.
func (o options) library(ctx context.Context, path string) error {
	m, err := mercer.Load(path)
	if err != nil {
		return err
	}
	const rows = 1000
	r := rand.New(rand.NewPCG(3, rows))
	t := &data.Table{Source: "made", Headed: true}
	for j := range o.columns {
		c := data.Column{Name: "x" + strconv.Itoa(j), Numbers: make([]float64, rows)}
		for i := range c.Numbers {
			c.Numbers[i] = r.NormFloat64()
		}
		t.Columns = append(t.Columns, c)
	}
	start, n := time.Now(), 0
	for time.Since(start) < o.time/2 {
		if _, err := m.Predict(ctx, t, compute.Options{}); err != nil {
			return err
		}
		n++
	}
	fmt.Printf("library: %d rows in %.0f µs\n", rows, float64(time.Since(start))/1e3/float64(n))
	return nil
}

// processor is the processor time of a process so far, on Linux.
func processor(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	ticks := 0
	for _, at := range []int{11, 12} { // of user and system, a hundredth of a second each
		n, _ := strconv.Atoi(fields[at])
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
