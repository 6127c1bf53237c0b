package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe: the verb says where it listens, answers there, and ends well when it is told to.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "line.mercer")
	table := filepath.Join(dir, "line.csv")
	if err := os.WriteFile(table, []byte("x,y\n0,0\n1,2\n2,4\n3,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	if code := Main(t.Context(), []string{"fit", "krr", table, "--target", "y", "--kernel", "linear", "--lambda", "1e-10", "-o", model, "-q"}, strings.NewReader(""), io.Discard, &errs); code != exitOK {
		t.Fatal(errs.String())
	}
	text, end := listening(t, "serve", "two="+model, dir, "--listen", "127.0.0.1:0", "--json", "--log", "json")
	var said struct {
		Address string   `json:"address"`
		Models  []string `json:"models"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	if strings.Join(said.Models, " ") != "line two" {
		t.Errorf("models %v", said.Models)
	}
	for _, name := range said.Models {
		answer, err := http.Post(said.Address+"/v1/models/"+name+":predict", "application/json", strings.NewReader(`{"rows":[{"x":5}]}`))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), `"y":`) {
			t.Errorf("%s: %d %s, %v", name, answer.StatusCode, text, err)
		}
	}
	log := end()
	if lines := strings.Count(log, `"msg":"request"`); lines != 2 || strings.Contains(log, `"x"`) {
		t.Errorf("the log says %s", log)
	}
}

// listening runs a verb that listens until end stops it, and returns the document that it prints at
// its start, which its schema describes. end returns what was said on standard error.
func listening(t *testing.T, args ...string) (text json.RawMessage, end func() string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	var errs bytes.Buffer
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- Main(ctx, args, strings.NewReader(""), in, &errs) }()
	if err := json.NewDecoder(out).Decode(&text); err != nil {
		t.Fatal(err)
	}
	document, err := onlyDocument(string(text))
	if err == nil {
		err = newValidator(t).check(args[:1], document)
	}
	if err != nil {
		t.Error(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return text, func() string {
		t.Helper()
		stop()
		if c := <-code; c != exitOK {
			t.Errorf("exit code %d: %s", c, errs.String())
		}
		return errs.String()
	}
}

// TestLab: the verb says where its page is, shows it there, and ends well when it is told to.
func TestLab(t *testing.T) {
	text, end := listening(t, "lab", "--listen", "127.0.0.1:0", "--json")
	var said struct{ Address string }
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(said.Address)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(shown), "<title>mercer lab</title>") {
		t.Errorf("%d: %.200s, %v", answer.StatusCode, shown, err)
	}
	end()
}
