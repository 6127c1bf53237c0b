package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
)

// listFlags writes the verbs and their flags, as the help says: type and default behind each.
func (m command) listFlags() {
	lines := m.verbs(nil)
	write("flags.txt", strings.Join(lines, "\n")+"\n")
}

var (
	verbLine    = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*) +\S`)
	flagLine    = regexp.MustCompile(`(?m)^ +(?:-(\w), )?--([\w-]+)(?: (\w+))? {2,}(.*)$`)
	defaultText = regexp.MustCompile(`\(default (.*)\)$`)
)

// verbs lists a verb, its flags, and the verbs below it.
func (m command) verbs(verb []string) []string {
	help := m.run(append(slices.Clone(verb), "--help"))
	own, _, _ := strings.Cut(help, "\nGlobal Flags:")
	before, flags, _ := strings.Cut(own, "\nFlags:\n")
	name := strings.Join(append([]string{"mercer"}, verb...), " ")
	lines := []string{name}
	for _, f := range flagLine.FindAllStringSubmatch(flags, -1) {
		if f[2] == "help" {
			continue
		}
		cells := []string{name + " --" + f[2], f[1], f[3], ""}
		if d := defaultText.FindStringSubmatch(f[4]); d != nil {
			cells[3] = strings.Trim(d[1], `"`)
		}
		lines = append(lines, strings.Join(cells, "\t"))
	}
	if !strings.Contains(before, " [command]\n") {
		return lines
	}
	_, list, _ := strings.Cut(before, " [command]\n")
	if _, after, found := strings.Cut(list, "\nAvailable Commands:\n"); found {
		list = after
	}
	for _, v := range verbLine.FindAllStringSubmatch(list, -1) {
		if !slices.Contains([]string{"help", "completion", "mercer"}, v[1]) {
			lines = append(lines, m.verbs(append(slices.Clone(verb), v[1]))...)
		}
	}
	return lines
}

// A question is an expression of kernels.json with two points; the command adds the answers.
type question struct {
	Expr    string   `json:"expr"`
	Points  []string `json:"points,omitempty"`
	Kernel  string   `json:"kernel,omitempty"`
	Verdict string   `json:"definiteness,omitempty"`
	Free    []string `json:"parameters,omitempty"`
	Value   *float64 `json:"value,omitempty"`
}

// askKernels writes what the command says of every expression of make/kernels.txt, and the
// names that an expression may hold.
func (m command) askKernels() {
	var list []question
	text, err := os.ReadFile("make/kernels.txt")
	check(err)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		cells := strings.Split(line, "\t")
		q := question{Expr: cells[0], Points: cells[1:]}
		args := []string{"kernel", q.Expr, "--json"}
		for _, p := range q.Points {
			args = append(args, "--between", p)
		}
		var answer struct {
			Kernel     string   `json:"kernel"`
			Verdict    string   `json:"definiteness"`
			Parameters []string `json:"parameters"`
			Between    struct {
				Value *float64 `json:"value"`
			} `json:"between"`
		}
		check(json.Unmarshal([]byte(m.run(args)), &answer))
		q.Kernel, q.Verdict, q.Free = answer.Kernel, answer.Verdict, answer.Parameters
		q.Value = answer.Between.Value
		list = append(list, q)
	}
	var names struct {
		Kernels []any `json:"kernels"`
	}
	check(json.Unmarshal([]byte(m.run([]string{"kernel", "--json"})), &names))
	writeLines("kernels.json", list)
	writeLines("names.json", names.Kernels)
}

// writeLines writes a list in JSON, an element a line.
func writeLines[T any](name string, list []T) {
	var b strings.Builder
	for i, v := range list {
		text, err := json.Marshal(v)
		check(err)
		b.WriteString([]string{"[\n", ",\n"}[min(i, 1)])
		b.Write(text)
	}
	write(name, b.String()+"\n]\n")
}
