// Command make writes the tables, models and answers of this folder: the tables by itself, all
// else by the command that it is given, whose work later versions must still read.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A kept is a case of cases.json: commands that make a model, if there is one, and commands whose
// answers count.
type kept struct {
	Name  string   `json:"name"`
	Make  []string `json:"make"`
	Model string   `json:"model"`
	Runs  []string `json:"runs"`

	Unverified string `json:"unverified"` // why the model does not agree with its golden rows
}

func main() {
	mercer := flag.String("mercer", "", "the command to make the models with")
	dir := flag.String("dir", ".", "the folder of cases.json")
	only := flag.String("only", "", "make this case alone")
	flag.Parse()
	log.SetFlags(0)
	path, err := filepath.Abs(*mercer)
	check(err)
	check(os.Chdir(*dir))
	m := command(path)
	if *only == "" {
		writeTables()
		m.listFlags()
	}
	check(os.MkdirAll("scratch", 0o755))
	defer tidy()
	var manifest struct {
		Cases []kept `json:"cases"`
	}
	text, err := os.ReadFile("cases.json")
	check(err)
	check(json.Unmarshal(text, &manifest))
	for _, c := range manifest.Cases {
		if *only == "" || *only == c.Name {
			m.keep(c)
		}
	}
	if *only == "" {
		m.askKernels()
	}
}

// tidy removes what commands leave beside what is kept.
func tidy() {
	check(os.RemoveAll("scratch"))
	compiled, err := filepath.Glob("tables/*.mercer-table")
	check(err)
	for _, name := range compiled {
		check(os.Remove(name))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// writeTables writes the files of tables/.
func writeTables() {
	files := map[string]string{}
	for _, t := range append(vectors, texts...) {
		maps.Copy(files, t.files(".csv"))
	}
	for _, t := range lines {
		maps.Copy(files, t.files(".jsonl"))
	}
	others := []map[string]string{sequences(), nodes(), sparse(), array(), pictures(), ids()}
	for _, more := range others {
		maps.Copy(files, more)
	}
	for name, text := range files {
		write(filepath.Join("tables", name), text)
	}
}

func write(name, text string) {
	check(os.MkdirAll(filepath.Dir(name), 0o755))
	check(os.WriteFile(name, []byte(text), 0o644))
}

// A command is the path of a mercer.
type command string

// run returns what the command prints.
func (m command) run(args []string) string {
	var out, errs bytes.Buffer
	cmd := exec.Command(string(m), args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		log.Fatalf("mercer %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.String()
}

// keep makes a model and writes down what is asked of it.
func (m command) keep(c kept) {
	check(os.MkdirAll("models", 0o755))
	for _, line := range c.Make {
		m.run(words(line))
	}
	lines := c.Runs
	if c.Model != "" {
		info := "info " + c.Model + " --json"
		if c.Unverified == "" {
			info += " --verify"
		}
		lines = append([]string{info}, lines...)
	}
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "$ mercer %s\n%s", line, m.answer(line))
	}
	write(filepath.Join("want", c.Name+".txt"), b.String())
}

// answer runs a line and returns the answer, if it is one in numbers: a table or JSON.
func (m command) answer(line string) string {
	args := words(line)
	text := m.run(args)
	if args[0] == "predict" || args[0] == "denoise" || slices.Contains(args, "--json") {
		return trim(args[0], text)
	}
	return ""
}

// words splits a line at blanks that are not within '…'.
func words(line string) []string {
	quoted := false
	list := strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "'", "")
	}
	return list
}

// held are the parts of what info says that are kept: what a model is, not what its fit took.
var held = []string{"method", "kernel", "form", "size", "features", "outputs", "bias",
	"trained_on", "seed"}

// passing are the parts of other answers that are not kept: times, words, and how a search went;
// at the top also the kernel, which holds numbers in text.
var passing = []string{"seconds", "stages", "why", "warnings", "exact", "approximation",
	"trials", "gap"}

// trim leaves of an object in JSON what lasts; other text stays as it is.
func trim(verb, text string) string {
	if !strings.HasPrefix(text, "{") {
		return text
	}
	var all map[string]any
	check(json.Unmarshal([]byte(text), &all))
	if verb == "info" {
		maps.DeleteFunc(all, func(key string, _ any) bool { return !slices.Contains(held, key) })
	} else {
		delete(all, "kernel")
		drop(all)
	}
	b, err := json.Marshal(all)
	check(err)
	return string(b) + "\n"
}

// drop removes what passes from a value and all below it.
func drop(value any) {
	switch v := value.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(key string, _ any) bool { return slices.Contains(passing, key) })
		for _, part := range v {
			drop(part)
		}
	case []any:
		for _, part := range v {
			drop(part)
		}
	}
}
