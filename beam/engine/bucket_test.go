package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/mercer/beam/engine"
)

// gateway is a server of the protocol of S3 on the disk of this machine. It is a program of its
// own that others use for their data, and is built for the test.
const gateway = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"

// storage starts an object store on this machine with the bucket rows, and tells the clients of
// this process where it is. It returns the folder of the bucket.
func storage(t *testing.T) string {
	t.Helper()
	if os.Getenv("MERCER_LARGE") == "" {
		t.Skip("builds and starts an object store: set MERCER_LARGE=1")
	}
	bin, root := t.TempDir(), t.TempDir()
	install := exec.Command("go", "install", gateway)
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("the object store cannot be had here: %v: %s", err, out)
	}
	bucket := filepath.Join(root, "rows")
	if err := os.Mkdir(bucket, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	server := exec.Command(filepath.Join(bin, "versitygw"), "--access", "tester", "--secret", "of-the-tests", "--port", address, "posix", root)
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
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "tester", "AWS_SECRET_ACCESS_KEY": "of-the-tests", "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL_S3": "http://" + address, "AWS_EC2_METADATA_DISABLED": "true"} {
		t.Setenv(name, value)
	}
	for range 100 {
		if answer, err := http.Get("http://" + address); err == nil {
			_ = answer.Body.Close()
			return bucket
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the object store does not answer: %s", said.String())
	return ""
}

// TestBucket: tables and the staging place are in an object store, on a real server of one, and
// the model is the one that is made of the same files on disk. Objects that have not changed
// are not fetched again, and what a pass has left is small.
func TestBucket(t *testing.T) {
	bucket := storage(t)
	writeShards(t, bucket, 3000, 4)
	folder := filepath.Join(t.TempDir(), "copies")
	var notes []string
	local := func(args ...string) []string {
		t.Helper()
		out, err := engine.Local(t.Context(), args, folder, func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) })
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
	args[at] = "s3://rows/" + args[at]
	on := []string{"--staging", "s3://rows/staging"}
	line := local(append(slices.Clone(args), on...)...)
	if line[len(line)-1] != on[1] || strings.HasPrefix(line[at], "s3://") {
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
	if local(args...); len(notes) != 2 || !strings.Contains(notes[0], "4 objects fetched") || !strings.Contains(notes[1], "0 objects fetched") {
		t.Errorf("notes %q", notes)
	}
	left := 0
	for _, of := range []string{"pieces", "jobs"} {
		found, err := os.ReadDir(filepath.Join(bucket, "staging", of))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		left += len(found)
	}
	if left > 0 {
		t.Errorf("%d objects of passes are left", left)
	}
	if _, err := engine.Local(t.Context(), []string{"s3://rows/absent-*.csv"}, folder, t.Logf); err == nil || !strings.Contains(err.Error(), "no object has such a name") {
		t.Errorf("an absent table: %v", err)
	}
	if _, err := engine.Local(t.Context(), []string{"s3://absent/rows.csv"}, folder, t.Logf); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("an absent bucket: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := engine.Local(ctx, []string{"s3://rows/rows*.csv"}, t.TempDir(), t.Logf); err == nil {
		t.Error("a cancelled fetch ends without an error")
	}
}
