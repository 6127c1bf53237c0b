// Command rename gives the module another path, for whoever publishes it under a host:
//
//	go run ./internal/rename github.com/you/mercer
//
// It rewrites go.mod, the imports, and every document and comment that names the path, in the
// folder that it is run in. Nothing else changes: the packages keep their names.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/rename PATH, such as github.com/you/mercer, in the root of the module")
		os.Exit(2)
	}
	old, files, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(1)
	}
	fmt.Printf("%s is %s now, in %d files; check with: go build ./... && go test ./internal/arch\n", old, os.Args[1], files)
}
