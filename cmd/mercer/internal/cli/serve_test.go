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
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, []string{"serve", "two=" + model, dir, "--listen", "127.0.0.1:0", "--json", "--log", "json"}, strings.NewReader(""), in, &errs)
	}()
	var said struct {
		Address string   `json:"address"`
		Models  []string `json:"models"`
	}
	var text json.RawMessage
	if err := json.NewDecoder(out).Decode(&text); err != nil {
		t.Fatal(err)
	}
	document, err := onlyDocument(string(text))
	if err == nil {
		err = newValidator(t).check([]string{"serve"}, document)
	}
	if err != nil {
		t.Error(err)
	}
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
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
	stop()
	if c := <-code; c != exitOK {
		t.Errorf("exit code %d: %s", c, errs.String())
	}
	if lines := strings.Count(errs.String(), `"msg":"request"`); lines != 2 || strings.Contains(errs.String(), `"x"`) {
		t.Errorf("the log says %s", errs.String())
	}
}
