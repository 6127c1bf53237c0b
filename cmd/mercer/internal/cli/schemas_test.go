package cli

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"

	"example.org/mercer/cmd/mercer/internal/verb"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
)

// schemaDir is where the schemas stand, and schemaID begins the name of each. Its version goes up
// where a document loses a field, or a field changes its type or its meaning.
const schemaDir, schemaID = "../../../../docs/schemas", "urn:mercer:v1:"

// The schemas that belong to no verb: of errors, and of the types that several verbs print.
const errorSchema, sharedSchema = "error", "types"

// object is a part of a schema.
type object = map[string]any

// TestSchemas keeps docs/schemas equal to the types that verbs say they print.
func TestSchemas(t *testing.T) {
	want := schemas(t)
	if *update {
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(schemaDir, name+".json"), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(schemaDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != string(want[name]) {
			t.Errorf("%s is not what verbs print: run go test ./cmd/mercer/internal/cli -run TestSchemas -update, and remove it where there is no such verb", file)
		}
		delete(want, name)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t.Errorf("%s/%s.json is missing: run go test ./cmd/mercer/internal/cli -run TestSchemas -update", schemaDir, name)
	}
}

// TestEveryVerbStatesItsDocuments wants a schema for whatever can be run with --json.
func TestEveryVerbStatesItsDocuments(t *testing.T) {
	inv := &verb.Invocation{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
		if cmd.IsAvailableCommand() && len(cmd.Commands()) == 0 && schemaOf(inv, cmd) == errorSchema {
			t.Errorf("%s does not state what it prints with --json: wrap it in inv.Prints", cmd.CommandPath())
		}
	}
	for _, cmd := range newRoot(inv).Commands() {
		if cmd.GroupID != "" {
			visit(cmd)
		}
	}
}

// schemaOf returns the name of the schema of a verb: that of the nearest above it that states one.
func schemaOf(inv *verb.Invocation, cmd *cobra.Command) string {
	for inv.Documents(cmd) == nil {
		cmd = cmd.Parent()
	}
	if !cmd.HasParent() {
		return errorSchema
	}
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return strings.ReplaceAll(path, " ", "-")
}

// schemas returns the texts of all schemas by name.
//
//  1. The types that each verb states are described, and the named ones within are collected.
//  2. Types that several verbs have in common go to the shared schema, with their parts.
func schemas(t *testing.T) map[string][]byte {
	inv := &verb.Invocation{}
	all, uses := map[string]*described{}, map[string]int{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if documents := inv.Documents(cmd); documents != nil {
			d := &described{t: t, name: schemaOf(inv, cmd), title: cmd.CommandPath(), defs: map[string]any{}}
			for _, document := range documents {
				d.roots = append(d.roots, d.of(reflect.TypeOf(document)))
			}
			for name := range d.defs {
				uses[name]++
			}
			all[d.name] = d
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(inv))
	shared := object{"$schema": draft, "$id": schemaID + sharedSchema, "title": "types that several verbs print", "$defs": object{}}
	texts := map[string][]byte{}
	for name, d := range all {
		for def, is := range d.defs {
			if uses[def] > 1 {
				shared["$defs"].(object)[def] = is
				delete(d.defs, def)
			}
		}
		texts[name] = written(t, d.document(), func(def string) bool { return uses[def] > 1 })
	}
	texts[sharedSchema] = written(t, shared, func(string) bool { return false })
	return texts
}

const draft = "https://json-schema.org/draft/2020-12/schema"

// short finds objects and lists without others in them.
var short = regexp.MustCompile(`[{\[][^{}\[\]]*[}\]]`)

// referenced finds references to named types.
var referenced = regexp.MustCompile(`"#/\$defs/([^"]*)"`)

// written returns a schema as text, with short objects on one line.
func written(t *testing.T, schema object, elsewhere func(def string) bool) []byte {
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = referenced.ReplaceAllFunc(text, func(ref []byte) []byte {
		if elsewhere(string(referenced.FindSubmatch(ref)[1])) {
			return append([]byte(`"`+schemaID+sharedSchema), ref[1:]...)
		}
		return ref
	})
	text = short.ReplaceAllFunc(text, func(part []byte) []byte {
		if line := strings.Join(strings.Fields(string(part)), " "); len(line) <= 120 {
			return []byte(line)
		}
		return part
	})
	return append(text, '\n')
}

// described is the schema of the documents of a verb.
type described struct {
	t           *testing.T
	name, title string
	roots       []any
	defs        map[string]any // named structs
}

func (d *described) document() object {
	o := object{"$schema": draft, "$id": schemaID + d.name, "title": "what " + d.title + " prints with --json", "anyOf": d.roots}
	if len(d.roots) == 1 {
		delete(o, "anyOf")
		maps.Copy(o, d.roots[0].(object))
	}
	if d.name == errorSchema {
		o["title"] = "what stands in place of the result of a verb that fails"
	}
	if len(d.defs) > 0 {
		o["$defs"] = d.defs
	}
	return o
}

// of describes a value of a type as encoding/json writes it.
func (d *described) of(of reflect.Type) any {
	if of.Kind() == reflect.Pointer {
		return object{"anyOf": []any{d.of(of.Elem()), object{"type": "null"}}}
	}
	switch pointer := reflect.PointerTo(of); {
	case of == reflect.TypeFor[verb.Number]():
		return object{"type": []string{"number", "null"}}
	case of == reflect.TypeFor[learner.Report]():
		return d.reports()
	case pointer.Implements(reflect.TypeFor[json.Marshaler]()):
		d.t.Errorf("%s: %s writes itself, and says not what: state the type of its form", d.title, of)
	case pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return object{"type": "string"}
	}
	switch of.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Slice:
		return object{"type": []string{"array", "null"}, "items": d.of(of.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": d.of(of.Elem())}
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "additionalProperties": d.of(of.Elem())}
	case reflect.Interface:
		return true
	case reflect.Struct:
		return d.ref(of)
	}
	d.t.Errorf("%s: %s has no form in JSON", d.title, of)
	return false
}

// reports describes the report of any method; a method may have another on landmarks.
func (d *described) reports() any {
	var refs []any
	seen := map[reflect.Type]bool{}
	for _, m := range methods.All {
		found := false
		for _, text := range []string{`{"train": {"rmse": [0], "r2": [0]}}`, `{"landmarks": 1, "log_evidence": [0], "fit": [0], "constant": [0], "rmse": [0]}`} {
			report, err := m.ReadReport(json.RawMessage(text), 1)
			if err != nil {
				continue
			}
			found = true
			if of := reflect.TypeOf(report).Elem(); !seen[of] {
				seen[of] = true
				refs = append(refs, d.ref(of))
			}
		}
		if !found {
			d.t.Errorf("%s reads no report that is made up here: add one that it reads", m.Name)
		}
	}
	return object{"anyOf": refs}
}

// ref refers to a struct by its name, and describes it where it is met first.
func (d *described) ref(of reflect.Type) any {
	name := of.String()
	if _, known := d.defs[name]; !known {
		d.defs[name] = nil // it may refer to itself
		fields, required := object{}, map[string]bool{}
		d.fields(of, fields, required, true)
		o := object{"type": "object", "properties": fields, "additionalProperties": false}
		if len(required) > 0 {
			o["required"] = slices.Sorted(maps.Keys(required))
		}
		d.defs[name] = o
	}
	return object{"$ref": "#/$defs/" + name}
}

// fields describes the fields of a struct: first those of embedded ones, which others may hide.
func (d *described) fields(of reflect.Type, to object, required map[string]bool, always bool) {
	var own []reflect.StructField
	for f := range fieldsOf(of) {
		inner := f.Type
		if f.Type.Kind() == reflect.Pointer {
			inner = f.Type.Elem()
		}
		if f.Anonymous && f.Tag.Get("json") == "" && inner.Kind() == reflect.Struct {
			d.fields(inner, to, required, always && inner == f.Type) // of one that is nil nothing is written
		} else if f.IsExported() {
			own = append(own, f)
		}
	}
	for _, f := range own {
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		is, optional := d.of(f.Type), strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		if o, ok := is.(object); ok && optional { // nil is left out
			switch f.Type.Kind() {
			case reflect.Pointer:
				is = o["anyOf"].([]any)[0]
			case reflect.Slice, reflect.Map:
				o["type"] = o["type"].([]string)[0]
			}
		}
		to[name] = is
		if delete(required, name); always && !optional {
			required[name] = true
		}
	}
}

// fieldsOf goes through the fields of a struct.
func fieldsOf(of reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range of.NumField() {
			if !yield(of.Field(i)) {
				return
			}
		}
	}
}

// validator checks documents against the schemas in docs, and counts them.
type validator struct {
	inv     *verb.Invocation
	root    *cobra.Command
	schemas map[string]*jsonschema.Schema
	checked map[string]int
}

func newValidator(t *testing.T) *validator {
	v := &validator{inv: &verb.Invocation{}, schemas: map[string]*jsonschema.Schema{}, checked: map[string]int{}}
	v.root = newRoot(v.inv)
	files, err := filepath.Glob(filepath.Join(schemaDir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	c, names := jsonschema.NewCompiler(), []string(nil)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
		if err := c.AddResource(schemaID+names[len(names)-1], schema); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	for _, name := range names {
		if v.schemas[name], err = c.Compile(schemaID + name); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// check compares the one document that a command printed with the schema of its verb.
func (v *validator) check(args []string, document any) error {
	name := errorSchema
	if o, ok := document.(object); !ok || o["error"] == nil {
		cmd, _, err := v.root.Find(args)
		if err != nil {
			return err
		}
		name = schemaOf(v.inv, cmd)
	}
	schema := v.schemas[name]
	if schema == nil {
		return fmt.Errorf("there is no schema %s", name)
	}
	v.checked[name]++
	return schema.Validate(document)
}

// TestSchemasRefuse: documents that are not as the schemas say are found.
func TestSchemasRefuse(t *testing.T) {
	v := newValidator(t)
	for _, c := range []struct{ verb, document, says string }{
		{"version", `{"version": "1", "go": "go1", "platform": "linux/amd64", "model_format": 1, "more": 1}`, "more"},
		{"version", `{"version": 1}`, "version"},
		{"fit", `{"error": "no", "exit": "1"}`, "exit"},
		{"geom points", `[]`, "object"},
	} {
		document, err := onlyDocument(c.document)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.check(strings.Fields(c.verb), document); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("mercer %s printed %s: found %v, want one about %q", c.verb, c.document, err, c.says)
		}
	}
}
