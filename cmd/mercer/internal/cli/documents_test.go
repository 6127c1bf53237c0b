package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// documentsOfTests is the folder where the command keeps what it printed with --json in the tests.
const documentsOfTests = "MERCER_TEST_JSON"

// answered is a document that the command printed.
type answered struct {
	Args []string `json:"args"`
	Text string   `json:"text"`
}

// recorded returns the standard output of a command, and a function that keeps what was written to
// it.
func recorded(args []string, stdout io.Writer) (io.Writer, func()) {
	folder := os.Getenv(documentsOfTests)
	if folder == "" || !slices.Contains(args, "--json") {
		return stdout, func() {}
	}
	var b bytes.Buffer
	return io.MultiWriter(stdout, &b), func() {
		text, err := json.Marshal(answered{args, b.String()})
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, fmt.Sprint(os.Getpid(), ".json")), text, 0o600)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

// checkDocuments checks that what commands printed, in a folder, is one document each, as the
// schema of the verb says; all: that every schema was met.
func checkDocuments(t *testing.T, folder string, all bool) {
	v := newValidator(t)
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p answered
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		if p.Text == "" {
			continue
		}
		document, err := onlyDocument(p.Text)
		if err == nil {
			err = v.check(p.Args, document)
		}
		if err != nil {
			t.Errorf("mercer %q: %.1500s: %.300s", p.Args, err.Error(), p.Text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.schemas)) {
		if all && v.checked[name] == 0 && name != sharedSchema && name != "serve" && name != "lab" { // TestServe and TestLab stop these
			t.Errorf("no document was compared with the schema %s: let a script run that verb with --json", name)
		}
	}
}

// onlyDocument decodes a text that is one document.
func onlyDocument(text string) (document any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&document); err != nil {
		return nil, fmt.Errorf("standard output is no document: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("standard output has more than one document")
	}
	return document, nil
}

// TestFailuresAreDocuments: an error is one document, too, and a report that ends with one stays
// alone.
func TestFailuresAreDocuments(t *testing.T) {
	v := newValidator(t)
	for _, args := range [][]string{
		{"fit", "krr", "nothing.csv", "--target", "y", "-o", filepath.Join(t.TempDir(), "m")},
		{"check", `formula("exp(-abs(x-y)^3)")`}, {"frobnicate"}, {"kernel", "rbf("}, {"info", "nothing"}, {"fit", "krr", "--nonsense"}, {"version"}, {"kernel"},
	} {
		var out, complaints bytes.Buffer
		Main(t.Context(), append(args, "--json"), strings.NewReader(""), &out, &complaints)
		document, err := onlyDocument(out.String())
		if err == nil {
			err = v.check(args, document)
		}
		if err != nil {
			t.Errorf("mercer %q: %v: %.300s", args, err, out.String())
		}
	}
}
