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
	"regexp"
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

// compareSchemas compares the documents in a folder with the schemas of their verbs. With -update
// these are widened until all fit.
func compareSchemas(t *testing.T, folder string) {
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
		document, err := onlyDocument(p.Text)
		if err != nil {
			t.Errorf("mercer %q: %v: %.300s", p.Args, err, p.Text)
			continue
		}
		if of, ok := document.(map[string]any); ok && of["error"] != nil {
			continue // TestFailuresAreDocuments
		}
		fits(t, p, document)
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

// fits compares a document with its schema.
func fits(t *testing.T, p answered, document any) {
	name := schemaOf(p.Args)
	path := filepath.Join("schemas", name+".json")
	var s schema
	raw, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	case !*update:
		t.Errorf("mercer %q has no schema: %v", p.Args, err)
		return
	}
	if *update {
		s.widen(document, raw == nil)
		s.Schema, s.ID, s.Title = "https://json-schema.org/draft/2020-12/schema", "mercer/1/"+name, "mercer "+strings.ReplaceAll(name, "-", " ")+" --json"
		text, err := json.MarshalIndent(s, "", " ")
		if err == nil {
			err = os.WriteFile(path, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, problem := range s.problems("", document) {
		t.Errorf("mercer %q: %s does not fit %s; where that is meant, run the tests with -update", p.Args, problem, path)
	}
}

// schema is as much of JSON Schema as is needed.
type schema struct {
	Schema     string             `json:"$schema,omitempty"`
	ID         string             `json:"$id,omitempty"`
	Title      string             `json:"title,omitempty"`
	Type       []string           `json:"type,omitempty"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Values     *schema            `json:"additionalProperties,omitempty"` // of objects whose names are data
	Items      *schema            `json:"items,omitempty"`
}

// snake is how names are written.
var snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// dataNames are the objects whose names come from the user, such as those of parameters.
func dataNames(of map[string]any) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(of)), func(name string) bool { return strings.ContainsAny(name, ".=?[]() #") })
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// widen makes a document fit. A schema that is new requires what the document has.
func (s *schema) widen(v any, fresh bool) {
	fresh = fresh || !slices.Contains(s.Type, typeOf(v))
	if !slices.Contains(s.Type, typeOf(v)) {
		s.Type = append(s.Type, typeOf(v))
		slices.Sort(s.Type)
	}
	switch v := v.(type) {
	case []any:
		for _, of := range v {
			first := s.Items == nil
			if first {
				s.Items = &schema{}
			}
			s.Items.widen(of, first)
		}
	case map[string]any:
		s.widenObject(v, fresh)
	}
}

func (s *schema) widenObject(v map[string]any, fresh bool) {
	if s.Values != nil || dataNames(v) {
		if s.Values == nil {
			s.Values = &schema{}
		}
		for name, of := range s.Properties {
			s.Values, s.Properties[name] = of, nil
		}
		s.Properties, s.Required = nil, nil
		for _, of := range v {
			s.Values.widen(of, len(s.Values.Type) == 0)
		}
		return
	}
	if s.Properties == nil {
		s.Properties = map[string]*schema{}
	}
	for name, of := range v {
		first := s.Properties[name] == nil
		if first {
			s.Properties[name] = &schema{}
		}
		s.Properties[name].widen(of, first)
	}
	if fresh {
		s.Required = slices.Sorted(maps.Keys(v))
	}
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool { _, there := v[name]; return !there })
}

// problems says what of a document does not fit.
func (s *schema) problems(at string, v any) (found []string) {
	if !slices.Contains(s.Type, typeOf(v)) {
		return []string{fmt.Sprintf("%s, of type %s,", at, typeOf(v))}
	}
	switch v := v.(type) {
	case []any:
		for i, of := range v {
			if s.Items == nil {
				return []string{at + ", whose elements have no schema,"}
			}
			found = append(found, s.Items.problems(fmt.Sprint(at, "/", i), of)...)
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, there := v[name]; !there {
				found = append(found, fmt.Sprintf("%s, without %q,", at, name))
			}
		}
		for name, of := range v {
			known := s.Properties[name]
			if known == nil {
				known = s.Values
			}
			switch {
			case known == nil:
				found = append(found, at+"/"+name+", which is new,")
			case s.Values == nil && !snake.MatchString(name):
				found = append(found, at+"/"+name+", whose name is not written like_this,")
			default:
				found = append(found, known.problems(at+"/"+name, of)...)
			}
		}
	}
	return found
}

// TestFailuresAreDocuments: an error is one document, too, and a report that ends with one stays
// alone.
func TestFailuresAreDocuments(t *testing.T) {
	for _, args := range [][]string{
		{"fit", "krr", "nothing.csv", "--target", "y", "-o", filepath.Join(t.TempDir(), "m")},
		{"check", `formula("exp(-abs(x-y)^3)")`}, {"frobnicate"}, {"kernel", "rbf("}, {"info", "nothing"}, {"fit", "krr", "--nonsense"}, {"version"}, {"kernel"},
	} {
		var out, complaints bytes.Buffer
		Main(t.Context(), append(args, "--json"), strings.NewReader(""), &out, &complaints)
		if _, err := onlyDocument(out.String()); err != nil {
			t.Errorf("mercer %q: %v: %.300s", args, err, out.String())
		}
	}
}

// TestSchemasArePrinted prints each.
func TestSchemasArePrinted(t *testing.T) {
	files, err := filepath.Glob("schemas/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d schemas, %v", len(files), err)
	}
	for _, file := range files {
		words := strings.Split(strings.TrimSuffix(filepath.Base(file), ".json"), "-")
		var out, complaints bytes.Buffer
		if code := Main(t.Context(), append(words, schemaFlag), strings.NewReader(""), &out, &complaints); code != exitOK {
			t.Errorf("mercer %q %s: %s", words, schemaFlag, complaints.String())
		}
		if _, err := onlyDocument(out.String()); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	var out, complaints bytes.Buffer
	if code := Main(t.Context(), []string{"frobnicate", schemaFlag}, strings.NewReader(""), &out, &complaints); code != exitUsage || !strings.Contains(complaints.String(), "fit") {
		t.Errorf("exit %d: %s", code, complaints.String())
	}
}
