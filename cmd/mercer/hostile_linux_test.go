package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary behaves as the command where the environment asks for it.
const runAsMercer = "MERCER_TEST_RUN"

// What a run may take: seconds of processor time, after which the system ends it, and bytes of
// memory, which the system does not give it beyond.
const (
	mostSeconds = 20
	mostMemory  = 1 << 30
)

func TestMain(m *testing.M) {
	if os.Getenv(runAsMercer) != "" {
		limit := syscall.Rlimit{Cur: mostSeconds, Max: mostSeconds}
		if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
			panic(err)
		}
		limit = syscall.Rlimit{Cur: mostMemory, Max: mostMemory}
		if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
			panic(err)
		}
		main()
	}
	os.Exit(m.Run())
}

// attempt is one run of the command.
type attempt struct {
	name string
	args []string
	fits bool // it may succeed
}

// run runs the command in a folder, and returns its exit code, what it printed and its peak.
func run(t *testing.T, dir string, args ...string) (code int, out string, peak int64) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), runAsMercer+"=1")
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { // a machine that is small must not suffer
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
				if held := resident(cmd.Process.Pid); held > mostMemory {
					cancel()
				}
			}
		}
	}()
	err := cmd.Wait()
	close(done)
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cmd.ProcessState.ExitCode(), b.String(), usage.Maxrss << 10
}

// resident returns the bytes that a process holds, 0 where it has ended.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, pages int64
	if _, scanned := fmt.Sscan(string(text), &size, &pages); err != nil || scanned != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// Every attempt ends with an error in words: in time, in memory, short, and without a panic. A
// sample of the attempts is made, with MERCER_LARGE all.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	step := 5
	if os.Getenv("MERCER_LARGE") != "" {
		step = 1
	}
	put(t, dir, "good.csv", []byte("x,y\n1,2\n2,3\n3,5\n4,4\n5,6\n"))
	if code, out, _ := run(t, dir, "fit", "krr", "good.csv", "--target", "y", "--kernel", "rbf(sigma=1)", "--lambda", "1", "-o", "good.mercer"); code != 0 {
		t.Fatal(out)
	}
	all := append(append(tables(t, dir), models(t, dir)...), expressions(t, dir)...)
	for i, a := range all {
		if i%step != 0 {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			code, out, peak := run(t, dir, a.args...)
			switch {
			case code < 0:
				t.Errorf("it was killed after %d MiB: %.300s", peak>>20, out)
			case code > 2 && code != 130 || code == 0 && !a.fits:
				t.Errorf("exit code %d: %.300s", code, out)
			case strings.Contains(out, "goroutine ") || strings.Contains(out, "panic:"):
				t.Errorf("it panicked: %.2000s", out)
			case !a.fits && len(out) > 12_000:
				t.Errorf("it printed %d bytes: %.300s", len(out), out)
			case strings.Contains(out, secret):
				t.Errorf("it printed what a file holds: %.300s", out)
			case peak > mostMemory:
				t.Errorf("it held %d MiB: %.300s", peak>>20, out)
			}
		})
	}
}

// secret stands in a file that kernel expressions name.
const secret = "hunter2"

func put(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// bomb is a gzip file of members that are compressed once: what is repeated makes so many bytes.
func bomb(beginning, repeated string, size int) []byte {
	const member = 1 << 20
	pack := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write([]byte(text))
		w.Close()
		return b.Bytes()
	}
	unit := pack(strings.Repeat(repeated, member/len(repeated)))
	return append(pack(beginning), bytes.Repeat(unit, size/member)...)
}

// tables are attempts to read hostile tables by every verb that opens one.
func tables(t *testing.T, dir string) (all []attempt) {
	plan := func(name string, more ...string) {
		all = append(all, attempt{"plan " + filepath.Base(name), append([]string{"plan", "krr", name, "--target", "last", "--lambda", "1"}, more...), false})
	}
	for name, b := range map[string][2]string{
		"rows.csv.gz": {"a,b\n", "1,2\n"}, "lines.csv.gz": {"a,b\n1,2\n", "\n"}, "commas.csv.gz": {"a,b\n", ","}, "text.csv.gz": {"a,b\n", "hello world,some words\n"}, "blanks.csv.gz": {"a,b\n1,2\n", " "},
		"rows.libsvm.gz": {"", "1 1:1\n"}, "remarks.libsvm.gz": {"1 1:1\n", "# c\n"}, "rows.jsonl.gz": {"", "{\"abcdefgh\":\"ijklmnopqrstuvwxyz\"}\n"}, "one.fa.gz": {">a\n", "ACGTACG\n"},
		"a.edges.gz": {"", "1 2\n"}, "a.gml.gz": {"graph [ ", "node [ id 1 ] "}, "a.graphml.gz": {"<graphml>", "<a>"}, "a.npz.gz": {"PK\x03\x04", "x"}, "a.parquet.gz": {"PAR1", "x"},
	} {
		put(t, dir, name, bomb(b[0], b[1], 5<<30))
		plan(name)
	}
	put(t, dir, "cells.csv", []byte(strings.Repeat("1,", 1_000_000)+"\n"+strings.Repeat("1,", 1_000_000)+"\n"))
	put(t, dir, "commas.csv", bytes.Repeat([]byte(","), 10_000_000))
	put(t, dir, "semicolons.csv", bytes.Repeat([]byte(";"), 50_000_000))
	put(t, dir, "narrow.csv", append([]byte("a,b,c,d,y\n"), bytes.Repeat([]byte("1,2,3,4,5\n"), 5_400_000)...))
	put(t, dir, "noise.csv", noise(1<<16))
	put(t, dir, "wide.libsvm", []byte("1 2000000000:1\n"))
	for _, name := range []string{"cells.csv", "commas.csv", "semicolons.csv", "noise.csv", "wide.libsvm", "/dev/zero", "/dev/urandom", "/dev/null", ".", "none.csv", strings.Repeat("n", 5000), ""} {
		plan(name)
	}
	plan("narrow.csv", "--max-mem", "100MiB")
	all = append(all, attempt{"many workers", []string{"fit", "krr", "good.csv", "--target", "y", "--lambda", "1", "--workers", "1000000", "-o", "many.mercer"}, true})
	for _, file := range []string{"/dev/zero", "noise.csv", "rows.csv.gz", "cells.csv"} {
		for _, args := range [][]string{
			{"fit", "svc", file, "--target", "last", "-o", "out.mercer"}, {"tune", "krr", file, "--target", "last"}, {"path", file, "--target", "last"}, {"embed", "kpca", file}, {"cluster", "kmeans", file, "--k", "2"},
			{"gram", file, "--kernel", "linear()", "-o", "out.npy"}, {"check", "linear()", file}, {"predict", "good.mercer", file}, {"eval", "good.mercer", file}, {"explain", "good.mercer", file},
			{"update", "good.mercer", file, "-o", "out.mercer"}, {"denoise", file}, {"import", file, "good.csv", "-o", "out.mercer"}, {"import", "good.csv", file, "-o", "out.mercer"},
			{"tune", "krr", "good.csv", "--target", "y", "--splits", file}, {"forget", "good.mercer", "--ids", file, "-o", "out.mercer"},
		} {
			all = append(all, attempt{args[0] + " " + filepath.Base(file), args, false})
		}
	}
	return all
}

// noise is the same bytes always, of all values.
func noise(n int) []byte {
	out, state := make([]byte, n), uint32(1)
	for i := range out {
		state = 1664525*state + 1013904223 // Numerical Recipes
		out[i] = byte(state >> 24)
	}
	return out
}

// models are attempts to use damaged model files.
func models(t *testing.T, dir string) (all []attempt) {
	good, err := os.ReadFile(filepath.Join(dir, "good.mercer"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string][]byte{
		"empty": {}, "noise": noise(1 << 12), "long": append(bytes.Clone(good), good...), "header": append([]byte{0, 0xe0, 0xf5, 5, 0, 0, 0, 0}, bytes.Repeat([]byte("["), 99_999_744)...),
		"objects": append([]byte{0, 0, 16, 0, 0, 0, 0, 0}, bytes.Repeat([]byte(`{"":`), 1<<18)...),
	}
	for part := range 8 {
		at := (2*part + 1) * len(good) / 16
		damaged[fmt.Sprintf("cut %d", part)] = good[:at]
		flipped := bytes.Clone(good)
		flipped[at] ^= 0xff
		damaged[fmt.Sprintf("flip %d", part)] = flipped
	}
	paths := map[string]string{"zero": "/dev/zero", "random": "/dev/urandom", "folder": ".", "table": "good.csv"}
	for name, content := range damaged {
		paths[name] = name + ".mercer"
		put(t, dir, paths[name], content)
	}
	for name, path := range paths {
		for _, args := range [][]string{{"info", path}, {"predict", path, "good.csv"}, {"compress", path, "-o", "out.mercer"}, {"export", path, "-o", "out.model"}} {
			all = append(all, attempt{args[0] + " " + name, args, false})
		}
	}
	return all
}

// expressions are attempts with hostile kernels: deep, long, and naming files.
func expressions(t *testing.T, dir string) (all []attempt) {
	put(t, dir, "secret", []byte("root "+secret+" x y\n"+secret+"\n"))
	try := func(name, text string, fits bool) {
		all = append(all, attempt{"kernel " + name, []string{"kernel", text}, true}, attempt{"check " + name, []string{"check", text, "good.csv"}, fits},
			attempt{"fit " + name, []string{"fit", "krr", "good.csv", "--target", "y", "--lambda", "1", "--kernel", text, "-o", "out.mercer"}, fits})
	}
	for _, depth := range []int{1000, 100_000} {
		try(fmt.Sprintf("brackets %d", depth), strings.Repeat("(", depth)+"linear()", false)
		try(fmt.Sprintf("closed %d", depth), strings.Repeat("(", depth/2)+"1"+strings.Repeat(")", depth/2), false)
		try(fmt.Sprintf("names %d", depth), strings.Repeat("k", depth)+"()", false)
		try(fmt.Sprintf("calls %d", depth), strings.Repeat("normalize(", depth/10)+"linear()", false)
		try(fmt.Sprintf("digits %d", depth), "rbf(sigma=1"+strings.Repeat("0", depth)+")", false)
		try(fmt.Sprintf("text %d", depth), `spectrum(k="`+strings.Repeat("x", depth)+`")`, false)
		try(fmt.Sprintf("columns %d", depth), "linear()["+strings.Repeat("x", depth)+"]", false)
		try(fmt.Sprintf("formula %d", depth), `formula("`+strings.Repeat("(", depth)+`x")`, false)
	}
	for _, file := range []string{"/dev/zero", "/dev/urandom", "secret", ".", "none"} {
		try("gram "+filepath.Base(file), fmt.Sprintf("gram(file=%q)", file), false)
		try("graph "+filepath.Base(file), fmt.Sprintf("diffusion(graph=%q, t=1)", file), false)
	}
	return all
}
