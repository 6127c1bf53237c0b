package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A listed package is one of go list.
type listed struct {
	ImportPath, Dir   string
	GoFiles, SFiles   []string
	ImportMap         map[string]string
	Standard, DepOnly bool
}

// checkPlatform reports what does not compile on a platform such as windows/amd64. It checks types,
// as the compiler does before it makes code: making code for the whole library and all that it
// stands on takes ten times as long, and depends on the platform no more than types do. The
// packages of a module are checked whole, what they import by its declarations alone.
func checkPlatform(folder, platform string) error {
	system, machine, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("%s is no platform: write it as windows/amd64", platform)
	}
	packages, err := listFor(folder, system, machine)
	if err != nil {
		return fmt.Errorf("%s: %w", platform, err)
	}
	c := platformChecker{fset: token.NewFileSet(), sizes: gotypes.SizesFor("gc", machine), done: map[string]*gotypes.Package{"unsafe": gotypes.Unsafe}}
	for _, p := range packages { // what is imported comes first
		if p.ImportPath != "unsafe" {
			c.check(p)
		}
	}
	if len(c.problems) > 0 {
		return fmt.Errorf("%s: %w", platform, errors.Join(c.problems...))
	}
	return nil
}

// listFor lists the packages of a module and all that they import, as a platform sees them.
func listFor(folder, system, machine string) (packages []listed, err error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,SFiles,ImportMap,DepOnly", "./...")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0")
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problems.String())
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// A platformChecker holds the packages that are checked.
type platformChecker struct {
	fset     *token.FileSet
	sizes    gotypes.Sizes
	done     map[string]*gotypes.Package
	problems []error
}

// check checks one package, whose imports are done.
func (c *platformChecker) check(p listed) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(c.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			c.problems = append(c.problems, err)
			return
		}
		files = append(files, f)
	}
	config := gotypes.Config{
		Sizes:            c.sizes,
		IgnoreFuncBodies: p.DepOnly,
		FakeImportC:      true,
		Importer: importedFrom(func(name string) (*gotypes.Package, error) {
			if mapped, ok := p.ImportMap[name]; ok {
				name = mapped
			}
			if found := c.done[name]; found != nil {
				return found, nil
			}
			return nil, fmt.Errorf("%s is not there", name)
		}),
		Error: func(err error) {
			if !p.DepOnly {
				c.problems = append(c.problems, err)
			}
		},
	}
	c.done[p.ImportPath], _ = config.Check(p.ImportPath, c.fset, files, nil) // its errors are kept
	if !p.DepOnly && len(p.SFiles) == 0 {
		c.bodies(files)
	}
}

// bodies reports functions that assembly would define, where there is none.
func (c *platformChecker) bodies(files []*ast.File) {
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
				c.problems = append(c.problems, fmt.Errorf("%s: %s has no body", c.fset.Position(fn.Pos()), fn.Name.Name))
			}
		}
	}
}

// importedFrom is a function as an importer.
type importedFrom func(name string) (*gotypes.Package, error)

func (f importedFrom) Import(name string) (*gotypes.Package, error) { return f(name) }
