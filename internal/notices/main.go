// Command notices writes the licences of what the command is linked with:
//
//	go run ./internal/notices
//
// The modules are those that ./cmd/mercer imports, and the library of Go itself. Their texts come
// from the module cache. Equal texts are written once. `mercer version --notices` prints the
// file.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// file is where the notices stand, from the root of the module.
const file = "cmd/mercer/internal/machine/notices.txt"

func main() {
	text, err := generate(".")
	if err == nil {
		err = os.WriteFile(file, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// module is a module that is linked, and the folder that it stands in.
type module struct{ path, version, dir string }

// systems are those that the command is made for: some modules are linked for one of them alone.
var systems = []string{"linux", "darwin", "windows"}

// linked returns the modules that the command imports packages of, in alphabetical order.
func linked(root string) ([]module, error) {
	var lines []string
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/mercer")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		var problems bytes.Buffer
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w: %s", system, err, problems.Bytes())
		}
		lines = append(lines, strings.Split(string(out), "\n")...)
	}
	slices.Sort(lines)
	var modules []module
	for _, line := range slices.Compact(lines) {
		if fields := strings.Split(line, "\t"); len(fields) == 3 {
			modules = append(modules, module{fields[0], fields[1], fields[2]})
		}
	}
	return modules, nil
}

// generate returns the notices.
func generate(root string) ([]byte, error) {
	modules, err := linked(root)
	if err != nil {
		return nil, err
	}
	goRoot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	modules = append(modules, module{path: "the library of Go", dir: strings.TrimSpace(string(goRoot))})
	owners, texts := map[string][]string{}, []string{}
	for _, m := range modules {
		license, err := license(m.dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
		if owners[license] == nil {
			texts = append(texts, license)
		}
		owners[license] = append(owners[license], strings.TrimSpace(m.path+" "+m.version))
	}
	var b bytes.Buffer
	b.WriteString("The command mercer is linked with the following, under the licences that follow their names.\n")
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n\n", strings.Repeat("=", 80))
		for _, owner := range owners[text] {
			fmt.Fprintln(&b, owner)
		}
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	return b.Bytes(), nil
}

// license returns the texts of the files of a folder that hold its licence and its notices.
func license(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		isLicense := strings.HasPrefix(name, "LICENSE") || strings.HasPrefix(name, "LICENCE") || strings.HasPrefix(name, "COPYING") || strings.HasPrefix(name, "NOTICE")
		if entry.IsDir() || !isLicense || strings.HasSuffix(name, ".GO") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	if len(texts) == 0 {
		return "", errors.New("no file LICENSE, COPYING or NOTICE in " + dir)
	}
	return strings.Join(texts, "\n\n"), nil
}
