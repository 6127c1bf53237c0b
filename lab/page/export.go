package page

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"example.org/mercer/internal/atomicfile"
)

// Site says where the parts of an exported site are.
type Site struct {
	Dir    string `json:"dir"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	Engine int64  `json:"engine_bytes"` // of the engine, before compression
}

// enginePackage is the program that the page runs without a server.
const enginePackage = "./cmd/mercer-wasm"

// Export writes the page into a folder, with the engine compiled to WebAssembly, so that any
// server of files can serve it. It needs the Go toolchain, and the source tree of this program at
// source. The folder is made if it is not there; files that have these names are replaced.
func Export(ctx context.Context, dir, source string) (*Site, error) {
	runtime, err := toolchain(ctx, source, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := fs.WalkDir(Files(), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[path], err = fs.ReadFile(Files(), path)
		return err
	}); err != nil {
		return nil, err
	}
	if files["wasm_exec.js"], err = os.ReadFile(filepath.Join(strings.TrimSpace(runtime), "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, fmt.Errorf("lab: the toolchain has no support for WebAssembly: %w", err)
	}
	if files["engine.wasm"], err = engine(ctx, source); err != nil {
		return nil, err
	}
	site := &Site{Dir: dir, Engine: int64(len(files["engine.wasm"]))}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := atomicfile.Write(ctx, path, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		}); err != nil {
			return nil, err
		}
		site.Files, site.Bytes = site.Files+1, site.Bytes+int64(len(content))
	}
	return site, nil
}

// engine compiles the engine.
func engine(ctx context.Context, source string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "mercer-lab")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "engine.wasm")
	if _, err := toolchain(ctx, source, "build", "-trimpath", "-ldflags=-s -w", "-o", out, enginePackage); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// toolchain runs the go command in the source tree for WebAssembly, and returns what it prints.
func toolchain(ctx context.Context, source string, args ...string) (string, error) {
	if _, err := os.Stat(filepath.Join(source, "cmd", "mercer-wasm")); err != nil {
		return "", fmt.Errorf("lab: the engine of a site is compiled from the source tree, and %s is none: run in it, or name it (--source)", source)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = source, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	var problems strings.Builder
	cmd.Stderr = &problems
	printed, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("lab: go %s: %w: %s", args[0], err, strings.TrimSpace(problems.String()))
	}
	return string(printed), nil
}
