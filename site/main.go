package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	out := flag.String("out", "", "folder to write the site to")
	source := flag.String("source", "..", "root of the tree")
	noLab := flag.Bool("no-lab", false, "leave out the lab, which has to be compiled")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *source, *out, !*noLab); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run makes the site of a source tree, and writes it where all of its links hold.
func run(ctx context.Context, source, out string, lab bool) error {
	if out == "" || flag.NArg() > 0 {
		return errors.New("name the folder to write to: --out FOLDER, and nothing else")
	}
	if _, err := os.Stat(filepath.Join(source, "docs")); err != nil {
		return fmt.Errorf("%s has no folder docs: name the root of the tree (--source)", source)
	}
	s, err := Make(source, lab)
	if err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	if err := s.write(out); err != nil {
		return err
	}
	if lab {
		if err := exportLab(ctx, source, filepath.Join(out, labFolder)); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d pages, %d files\n", out, len(s.pages), len(s.files))
	return nil
}

// labFolder is where the lab is within the site.
const labFolder = "lab"

// exportLab writes the lab, with its engine compiled to WebAssembly.
func exportLab(ctx context.Context, source, to string) error {
	absolute, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "./cmd/mercer", "lab", "--export", absolute, "-q")
	cmd.Dir, cmd.Stderr = source, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the lab: %w", err)
	}
	return nil
}

// write writes all files, each of them whole.
func (s *Site) write(out string) error {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path+".part", s.files[name], 0o666); err != nil {
			return err
		}
		if err := os.Rename(path+".part", path); err != nil {
			return err
		}
	}
	return nil
}
