package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/mercer/beam/engine"
	"example.org/mercer/data/open"
	"example.org/mercer/distributed"
)

// objectStore is a server of an object store on the disk of this machine. It is a program of its
// own that others use, and is built for the test.
type objectStore struct {
	scheme, module string
	// arguments are those of the server, with the folder of the buckets; variables are what tells
	// clients where it is.
	arguments func(folder, host, port string) []string
	variables func(address string) map[string]string
}

var objectStores = []objectStore{
	{
		scheme: "s3://", module: "github.com/versity/versitygw/cmd/versitygw@v1.8.0",
		arguments: func(folder, host, port string) []string {
			return []string{"--access", "tester", "--secret", "of-the-tests", "--port", host + ":" + port, "posix", folder}
		},
		variables: func(address string) map[string]string {
			return map[string]string{"AWS_ACCESS_KEY_ID": "tester", "AWS_SECRET_ACCESS_KEY": "of-the-tests", "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL_S3": "http://" + address, "AWS_EC2_METADATA_DISABLED": "true"}
		},
	},
	{
		scheme: "gs://", module: "github.com/fsouza/fake-gcs-server@v1.56.1",
		arguments: func(folder, host, port string) []string {
			return []string{"-scheme", "http", "-host", host, "-port", port, "-public-host", host + ":" + port, "-backend", "memory", "-data", folder}
		},
		variables: func(address string) map[string]string {
			return map[string]string{"STORAGE_EMULATOR_HOST": address}
		},
	},
}

// start builds and starts the server with the bucket rows, whose objects are the files that fill
// writes to a folder, and tells the clients of this process where it is.
func (s objectStore) start(t *testing.T, fill func(folder string)) {
	t.Helper()
	if os.Getenv("MERCER_LARGE") == "" {
		t.Skip("builds and starts an object store: set MERCER_LARGE=1")
	}
	bin, root := t.TempDir(), t.TempDir()
	install := exec.Command("go", "install", s.module)
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("the object store cannot be had here: %v: %s", err, out)
	}
	bucket := filepath.Join(root, "rows")
	if err := os.Mkdir(bucket, 0o700); err != nil {
		t.Fatal(err)
	}
	fill(bucket)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	host, port, _ := net.SplitHostPort(address)
	program, _, _ := strings.Cut(path.Base(s.module), "@")
	server := exec.Command(filepath.Join(bin, program), s.arguments(root, host, port)...)
	var said bytes.Buffer
	server.Stdout, server.Stderr = &said, &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		if t.Failed() {
			t.Logf("%.2000s", said.String())
		}
	})
	for name, value := range s.variables(address) {
		t.Setenv(name, value)
	}
	for range 100 {
		if answer, err := http.Get("http://" + address); err == nil {
			_ = answer.Body.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the object store does not answer: %s", said.String())
}

// TestBucket: tables and the staging place are in an object store, on a real server of one, and the
// model is the one that is made of the same files on disk. Objects that have not changed are not
// fetched again, and what a pass has left is small.
func TestBucket(t *testing.T) {
	for _, store := range objectStores {
		t.Run(strings.TrimSuffix(store.scheme, "://"), func(t *testing.T) { testBucket(t, store) })
	}
}

func testBucket(t *testing.T, store objectStore) {
	store.start(t, func(folder string) { writeShards(t, folder, 3000, 4) })
	rows := store.scheme + "rows/"
	folder := filepath.Join(t.TempDir(), "copies")
	var notes []string
	local := func(args ...string) []string {
		t.Helper()
		out, err := new(engine.Engine).Local(t.Context(), args, folder, func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) })
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	args := slices.Clone(fits["krr"])
	at := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "rows") })
	if at < 0 {
		t.Fatalf("no table in %q", args)
	}
	args[at] = rows + args[at]
	on := []string{"--staging", rows + "staging"}
	line := local(append(slices.Clone(args), on...)...)
	if line[len(line)-1] != on[1] || strings.HasPrefix(line[at], store.scheme) {
		t.Fatalf("the command line is %q", line)
	}
	want, err := run(t, nil, line[:len(line)-2]...)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := run(t, new(engine.Engine), line...)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Error("another model")
		}
	}
	compiledByWorkers(t, append(slices.Clone(args), on...))
	if local(args...); len(notes) != 2 || !strings.Contains(notes[0], "4 objects fetched") || !strings.Contains(notes[1], "0 objects fetched") {
		t.Errorf("notes %q", notes)
	}
	for _, of := range []string{"pieces", "jobs"} { // are not left
		if _, err := new(engine.Engine).Local(t.Context(), []string{rows + "staging/" + of + "/*"}, t.TempDir(), t.Logf); err == nil || !strings.Contains(err.Error(), "no object has such a name") {
			t.Errorf("objects of passes in %s are left: %v", of, err)
		}
	}
	if _, err := new(engine.Engine).Local(t.Context(), []string{rows + "absent-*.csv"}, folder, t.Logf); err == nil || !strings.Contains(err.Error(), "no object has such a name") {
		t.Errorf("an absent table: %v", err)
	}
	if _, err := new(engine.Engine).Local(t.Context(), []string{store.scheme + "absent/rows.csv"}, folder, t.Logf); err == nil || !strings.Contains(err.Error(), store.scheme+"absent/rows.csv") {
		t.Errorf("an absent bucket: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(engine.Engine).Local(ctx, []string{rows + "rows*.csv"}, t.TempDir(), t.Logf); err == nil {
		t.Error("a cancelled fetch ends without an error")
	}
}

// compiledByWorkers: a first run on new copies has one job more than the next, in which workers
// compile the objects.
func compiledByWorkers(t *testing.T, args []string) {
	t.Helper()
	folder, passes := filepath.Join(t.TempDir(), "copies"), []int{}
	for range 2 {
		e := new(counting)
		line, err := e.Local(t.Context(), args, folder, t.Logf)
		if err != nil {
			t.Fatal(err)
		}
		got, err := run(t, e, line...)
		if err != nil {
			t.Fatal(err)
		}
		want, err := run(t, nil, line[:len(line)-2]...) // of the files that workers compiled
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Error("another model of objects that workers have compiled")
		}
		passes = append(passes, e.passes)
		partsAreFetched(t, e, line[len(line)-1])
	}
	if passes[0] != passes[1]+1 {
		t.Errorf("%d jobs with compilation, and %d without", passes[0], passes[1])
	}
	if made, err := filepath.Glob(filepath.Join(folder, "*", "*", "*.mercer-table")); err != nil || len(made) != 4 {
		t.Errorf("compiled files here: %q, %v", made, err)
	}
}

// partsAreFetched: ranges of an object can be fetched, to their places in a file of its length.
func partsAreFetched(t *testing.T, e *counting, staging string) {
	t.Helper()
	store, ok := e.store.(distributed.Origins)
	if !ok {
		t.Fatalf("the store is %T", e.store)
	}
	object, path := strings.TrimSuffix(staging, "staging")+"rows-01.csv", filepath.Join(t.TempDir(), "parts")
	fetch := func(parts ...open.Range) []byte {
		t.Helper()
		if err := store.Fetch(t.Context(), object, path, parts); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	whole := fetch()
	about, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(whole))
	parts := []open.Range{{From: 0, To: 4}, {From: 7, To: 7}, {From: size / 2, To: size/2 + 10}, {From: size - 3, To: size}}
	want := make([]byte, size)
	for _, p := range parts {
		copy(want[p.From:p.To], whole[p.From:p.To])
	}
	if got := fetch(parts...); size < 100 || !bytes.Equal(got, want) {
		t.Errorf("parts of %d bytes are others", size)
	}
	if again, err := os.Stat(path); err != nil || !again.ModTime().Equal(about.ModTime()) {
		t.Errorf("the parts are of %v, and the object is of %v: %v", again.ModTime(), about.ModTime(), err)
	}
	if err := store.Fetch(t.Context(), object, path, []open.Range{{From: size - 1, To: size + 1}}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("ends at byte %d", size)) {
		t.Errorf("more than the object has: %v", err)
	}
	if err := store.Fetch(t.Context(), object+"-absent", path, parts); err == nil {
		t.Error("parts of no object are fetched")
	}
}
