package serve

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// killed names the file that a server of its own process serves, see TestKilled.
const killed = "MERCER_SERVE_KILLED"

// TestKilledServer is the process of [TestKilled], and nothing without it.
func TestKilledServer(t *testing.T) {
	path := os.Getenv(killed)
	if path == "" {
		t.Skip("this is a process of TestKilled")
	}
	s, err := New(t.Context(), Options{Models: []Source{{"m", path}}, Watch: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), Listening{Address: "127.0.0.1:0", Started: func(url string) { _, _ = os.Stdout.WriteString(url + "\n") }}); err != nil {
		t.Fatal(err)
	}
}

// TestKilled: a server that is killed again and again while its file is replaced leaves the file as
// it is, and the next one answers from it: reading a model writes nothing.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	path := saved(t, houseModel(t, 1), dir, "m")
	files := [2][]byte{}
	for i := range files {
		var err error
		if files[i], err = os.ReadFile(saved(t, houseModel(t, uint64(i+1)), t.TempDir(), "m")); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 4 {
		ctx, end := context.WithCancel(t.Context())
		server := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestKilledServer$")
		server.Env = append(os.Environ(), killed+"="+path)
		out, err := server.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		url, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		url = strings.TrimSpace(url)
		for i := range 40 { // some reloads are under way when it ends
			fresh := filepath.Join(dir, "fresh")
			if err := os.WriteFile(fresh, files[i%2], 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(fresh, path); err != nil {
				t.Fatal(err)
			}
			answer, err := http.Post(url+"/v1/models/m:predict", "application/json", strings.NewReader(`{"rows":[{"size":80,"rooms":3,"place":"town"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Errorf("round %d: status %d", round, answer.StatusCode)
			}
		}
		end() // kills it
		_ = server.Wait()
		left, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(left, files[1]) {
			t.Fatalf("round %d: the file is another one, %v", round, err)
		}
		if found, err := os.ReadDir(dir); err != nil || len(found) != 1 {
			t.Errorf("round %d: %d files in the folder, %v", round, len(found), err)
		}
	}
}
