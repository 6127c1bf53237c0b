package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// peers are servers in Python, by the words that peers.py knows them by.
var peers = []string{"fastapi-onnx", "fastapi-sklearn", "mlserver"}

// server is one that is measured.
type server struct {
	name, address string
	pid           int
	stop          func()
}

// beside measures the command and its peers in turns, each server on the first processor. What is
// told of each line is the middle of three rounds.
func (o options) beside(ctx context.Context, dir, path, address string, pid int) error {
	export := exec.CommandContext(ctx, o.command, "export", "onnx", path, "-o", filepath.Join(dir, "m.onnx"), "-q")
	if out, err := export.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	servers := []server{{name: "mercer", address: address, pid: pid}}
	defer func() {
		for _, s := range servers[1:] {
			s.stop()
		}
	}()
	for _, name := range peers {
		s, err := o.peer(ctx, name, dir)
		if err != nil {
			return err
		}
		servers = append(servers, s)
	}
	fmt.Println("server            rows  clients  requests/s    p50 µs    p99 µs  processor µs a request   memory MiB")
	for _, line := range []struct{ rows, clients int }{{1, 1}, {1, 8}, {32, 1}, {1000, 1}} {
		found := make([][]load, len(servers))
		for range 3 {
			for i, s := range servers {
				l, err := o.load(s.address, s.pid, line.rows, line.clients, false)
				if err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				found[i] = append(found[i], l)
			}
		}
		for i, s := range servers {
			l := middle(found[i])
			fmt.Printf("%-16s %5d %8d %11.0f %9.0f %9.0f %12.0f %24d\n", s.name, line.rows, line.clients, l.rate, l.half, l.most, l.processor, resident(s.pid)>>20)
		}
	}
	return nil
}

// onFirst is what a command starts with that runs on the first processor.
var onFirst = []string{"taskset", "-c", "0"}

// peer starts a server in Python on the first processor, and waits until it answers.
func (o options) peer(ctx context.Context, name, dir string) (server, error) {
	port, err := freePort()
	if err != nil {
		return server{}, err
	}
	process := exec.CommandContext(ctx, onFirst[0], onFirst[1], onFirst[2], o.python, "bench/serving/peers.py", name, dir, strconv.Itoa(port))
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		return server{}, err
	}
	s := server{name: name, address: fmt.Sprintf("http://127.0.0.1:%d", port), pid: process.Process.Pid, stop: func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	}}
	for range 600 {
		if answer, err := http.Get(s.address + "/v2/health/ready"); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return s, nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.stop()
	return server{}, errors.New(name + " does not answer")
}

// freePort is one that nothing listens on, with two behind it.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
